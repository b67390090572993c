/** Thread that converts the tables of a rule, so that the server loads no release.  [disk, threads] */
import { programThread } from '../../package-root.ts'
import { type Threads, startThreads } from '../../service/threads/threads.ts'
import type { PiecedAnswer } from '../../service/threads/serve-thread.ts'
import { RULE_WORD } from '../../cli/worker-word.ts'
import type { StoredData } from '../commands/tables/convert-stored.ts'
import type { ConvertedTable, TableToConvert } from './convert-table.ts'

export interface RuleThread {
  /** @throws {HlaError} no-data, unknown-release, io; as `Threads.ask` */
  readonly convert: (table: TableToConvert) => Promise<ConvertedTable>
  /** Ends all work. */
  readonly close: () => Promise<void>
}

interface RuleAnswer extends PiecedAnswer {
  readonly result: ConvertedTable
}

/** Heap in MiB: donor JSON is parsed as a whole. */
const RULE_HEAP_MB = 2048

/** `data` is the server's, for rules without a release; `patience` the ms for one table. */
export function openRuleThread(data: StoredData, patience: number): RuleThread {
  const script = { ...programThread(RULE_WORD), workerData: data }
  const limits = { heap: RULE_HEAP_MB, patience }
  const threads: Threads<TableToConvert, RuleAnswer> = startThreads(script, 'table', 1, limits)
  return {
    async convert(table) {
      const answer = await threads.ask(table, '')
      if (answer === undefined) throw new Error('the thread of rules has data of its own')
      await answer.body.return(undefined)
      return answer.result
    },
    close: () => threads.close(),
  }
}

/** Does nothing in the main thread. */
export async function runRuleThread(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads')
  if (parentPort === null) return
  const { serveThread } = await import('../../service/threads/serve-thread.ts')
  const { tableConversions } = await import('./convert-table.ts')
  const convert = tableConversions(workerData as StoredData)
  serveThread(parentPort, '', async (request) => ({
    // messages come from the same program, so the cast is safe
    result: await convert(request as TableToConvert),
    body: nothing(),
  }))
}

async function* nothing(): AsyncGenerator<never> {}
