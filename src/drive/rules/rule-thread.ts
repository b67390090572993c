/** Thread that checks the terms of rules and converts their tables, so that the server loads no release.  [disk, threads] */
import type { RuleTerms } from '../domain/rules/rule-rows.ts'
import { programThread } from '../../package-root.ts'
import { type ThreadLimits, type Threads, startThreads } from '../../service/threads/threads.ts'
import type { PiecedAnswer } from '../../service/threads/serve-thread.ts'
import { RULE_WORD } from '../../cli/worker-word.ts'
import type { StoredData } from '../commands/tables/convert-stored.ts'
import type { ConvertedTable, RuleRequest, TableToConvert } from './convert-table.ts'

export interface RuleThreads {
  /** Completes the terms. @throws {HlaError} unknown-method, unknown-release, usage, no-data; as `Threads.ask` */
  readonly check: (given: Partial<RuleTerms>) => Promise<RuleTerms>
  /** @throws {HlaError} no-data, unknown-release, io; as `Threads.ask` */
  readonly convert: (table: TableToConvert) => Promise<ConvertedTable>
  /** Ends all work. */
  readonly close: () => Promise<void>
}

interface RuleAnswer extends PiecedAnswer {
  readonly result: RuleTerms | ConvertedTable
}

/** Heap in MiB: donor JSON is parsed as a whole. */
const RULE_HEAP_MB = 2048

/** `data` is the server's, for rules without a release. */
export function openRuleThreads(
  data: StoredData,
  { count, patience }: Pick<ThreadLimits, 'patience'> & { readonly count: number },
): RuleThreads {
  const script = { ...programThread(RULE_WORD), workerData: data }
  const threads: Threads<RuleRequest, RuleAnswer> = startThreads(script, 'table', count, {
    heap: RULE_HEAP_MB,
    patience,
  })
  const ask = async (request: RuleRequest) => {
    const answer = await threads.ask(request, '')
    if (answer === undefined) throw new Error('the thread of rules has data of its own')
    await answer.body.return(undefined)
    return answer.result
  }
  return {
    // each request has an answer of its type
    check: async (given) => (await ask({ kind: 'check', given })) as RuleTerms,
    convert: async (table) => (await ask({ kind: 'convert', ...table })) as ConvertedTable,
    close: () => threads.close(),
  }
}

/** Does nothing in the main thread. */
export async function runRuleThread(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads')
  if (parentPort === null) return
  const { serveThread } = await import('../../service/threads/serve-thread.ts')
  const { ruleAnswers } = await import('./convert-table.ts')
  const answer = ruleAnswers(workerData as StoredData)
  serveThread(parentPort, '', async (request) => ({
    // messages come from the same program, so the cast is safe
    result: await answer(request as RuleRequest),
    body: nothing(),
  }))
}

async function* nothing(): AsyncGenerator<never> {}
