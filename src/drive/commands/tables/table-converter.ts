/** Converts a store's tables in a separate thread, which ends after a while without conversions. */
import { METHOD_NAMES, parseMethod } from '../../../engine/reduce/methods.ts'
import type { TableConverter, TypingVerdicts, WrittenTable } from '../../api/conversion/conversions.ts'
import { HlaError } from '../../../errors.ts'
import { programThread } from '../../../package-root.ts'
import type { TableAnswer } from '../../../service/table/table-answer.ts'
import { MAX_TABLES } from '../../../service/table/table-share.ts'
import { startThreads } from '../../../service/threads/threads.ts'
import type { CellFormat } from '../../../table/rewrite/rewrite-table.ts'
import { STORED_WORD } from '../../../cli/worker-word.ts'
import { type StoredData, type StoredTable, storedTables, type WantedTable } from './convert-stored.ts'

/** Idle time in ms before the thread ends: it frees the release's memory, and allows a newer release to load. */
const IDLE_MS = 60_000

const FORMATS: ReadonlyMap<string, CellFormat> = new Map([
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'tsv'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/jsonl', 'jsonl'],
])

/** MIME type parameter that requests reduction by a method. */
const METHOD = 'hla-method'

export function tableConverter(data: StoredData): TableConverter {
  const script = { ...programThread(STORED_WORD), workerData: data }
  const threads = startThreads<StoredTable, TableAnswer>(script, 'table', MAX_TABLES)
  let idle: NodeJS.Timeout | undefined
  const convert = async (table: StoredTable) => {
    clearTimeout(idle)
    idle = setTimeout(() => threads.renew(), IDLE_MS).unref()
    const answer = await threads.ask(table, '')
    if (answer === undefined) throw new Error('the thread of tables has data of its own')
    return answer
  }
  return {
    moreTypes: METHOD_NAMES.map((method) => `text/csv; ${METHOD}=${method}`),
    async check(table) {
      const { body } = await convert({ ...table, wanted: undefined })
      for await (const _ of body) continue
    },
    async verdicts(table) {
      const { body } = await convert({ ...table, wanted: 'verdicts' })
      const bytes: Uint8Array[] = []
      for await (const piece of body) bytes.push(Buffer.from(piece))
      // the format that the thread writes
      return JSON.parse(Buffer.concat(bytes).toString()) as TypingVerdicts
    },
    async write(table, { type, parameters }): Promise<WrittenTable> {
      const format = FORMATS.get(type)
      if (format === undefined) throw new HlaError('bad-request', `tables cannot be written as ${type}`)
      const wanted: WantedTable = { format, methods: readMethods(parameters) }
      const { dataId, body } = await convert({ ...table, wanted })
      return {
        contentType: contentType(type, wanted),
        suffix: `${wanted.methods.length === 0 ? '' : `.${wanted.methods.join('-')}`}.${format}`,
        dataId,
        body: body as AsyncIterable<Uint8Array>,
      }
    },
    close: () => threads.close(),
  }
}

/**
 * Parses one or several methods, separated by spaces.
 * @throws {HlaError} unknown-method; bad-request — an unknown parameter
 */
function readMethods(parameters: ReadonlyMap<string, string>): readonly string[] {
  const unknown = [...parameters.keys()].find((name) => name !== METHOD && name !== 'charset')
  if (unknown !== undefined)
    throw new HlaError('bad-request', `a media type may only have the parameter ${METHOD}, not ${unknown}`)
  const said = parameters.get(METHOD)
  if (said === undefined) return []
  return [...new Set(said.split(/[\s,]+/).map(parseMethod))]
}

function contentType(type: string, { format, methods }: WantedTable): string {
  const charset = format === 'xlsx' ? '' : '; charset=utf-8'
  const [first = '', ...more] = methods
  if (first === '') return `${type}${charset}`
  return `${type}${charset}; ${METHOD}=${more.length === 0 ? first : `"${methods.join(' ')}"`}`
}

/** Does nothing in the main thread. */
export async function runStoredTables(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads')
  if (parentPort === null) return
  const { serveThread } = await import('../../../service/threads/serve-thread.ts')
  const answer = storedTables(workerData as StoredData)
  // messages come from the same program, so the cast is safe
  serveThread(parentPort, '', (request) => answer(request as StoredTable))
}
