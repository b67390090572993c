/** Reads a stored table and writes it in the requested form. Runs in the conversion thread. */
import { setImmediate } from 'node:timers/promises'
import { SERVICE_LIMIT } from '../../../engine/options.ts'
import { HlaError } from '../../../errors.ts'
import type { TypingVerdicts } from '../../api/conversion/conversions.ts'
import { isZip } from '../../../io/packing/packing.ts'
import { makeServed, type ServedData } from '../../../service/current.ts'
import { slicePieces, type TableAnswer } from '../../../service/table/table-answer.ts'
import { openConversion } from '../../../service/table/table-conversion.ts'
import { readTableQuery, TABLE_QUERY } from '../../../service/table/table-query.ts'
import { readInput } from '../../../operations/executor.ts'
import type { CellSource, Pace } from '../../../table/rewrite/read-cells.ts'
import { type CellFormat, checkCells, rewriteTable } from '../../../table/rewrite/rewrite-table.ts'
import { openKnowledge } from '../../../cli/run/open-knowledge.ts'

/** Request in a form that can be sent to another thread. */
export interface StoredTable {
  readonly name: string
  readonly pieces: readonly Uint8Array[]
  /** Maximum size of the unpacked table, in bytes. */
  readonly most: number
  /** Time limit in ms. */
  readonly time: number
  /** undefined only checks that it is a table; `verdicts` returns the verdicts on its cells as JSON. */
  readonly wanted: WantedTable | 'verdicts' | undefined
}

export interface WantedTable {
  readonly format: CellFormat
  /** Reduction methods; empty leaves the table unchanged. */
  readonly methods: readonly string[]
}

export interface StoredData {
  readonly release: string
  readonly dataDir: string | undefined
}

/** Opens the reference data for the first typing. */
export function storedTables(data: StoredData): (table: StoredTable) => Promise<TableAnswer> {
  let served: ServedData | undefined
  const open = () =>
    (served ??= makeServed(openKnowledge(data.release, data.dataDir).knowledge, SERVICE_LIMIT))
  return async (table) => {
    const { wanted } = table
    if (wanted === undefined) return { contentType: '', body: checked(table) }
    if (wanted === 'verdicts') return { contentType: '', body: verdicts(table, open()) }
    if (wanted.methods.length > 0) return reduced(table, wanted, open())
    const isItself = wanted.format === 'xlsx' && isZip(table.pieces[0] ?? new Uint8Array())
    const body = isItself ? slicePieces(table.pieces) : rewriteTable(storedCells(table), wanted.format)
    return { contentType: '', body }
  }
}

async function* checked(table: StoredTable): AsyncGenerator<Uint8Array> {
  await checkCells(storedCells(table))
  yield* []
}

/** Each row reports whether all of it was read, since a saved file has no messages beside it. */
async function reduced(
  table: StoredTable,
  { format, methods }: WantedTable,
  served: ServedData,
): Promise<TableAnswer> {
  const { name, pieces, most, time } = table
  const { input } = readInput(TABLE_QUERY, { name, method: methods, on_error: 'report' })
  const asked = readTableQuery(input, served.knowledge.release)
  const conversion = await openConversion({
    ...asked,
    rawOptions: { ...asked.rawOptions, outDelimiter: ',' },
    served,
    most,
    time,
    face: 'request',
    bytes: slicePieces(pieces),
  })
  const bytes = asBuffers(conversion.pieces())
  // the receiver limits the size of the result
  const source = { name: 'table.csv', bytes, hints: { delimiter: ',' }, pace: pace({ most: Infinity, time }) }
  return { contentType: '', dataId: served.dataId, body: rewriteTable(source, format) }
}

/** Maximum number of cells listed; more than a page shows. */
const MAX_CELLS = 6000
/** Codes that leave a typing undecided: the data are missing or incomplete, or the input exceeds a limit. */
const UNDECIDED: ReadonlySet<string> = new Set(['starter', 'no-data', 'unknown-release', 'too-ambiguous'])

async function* verdicts(
  { name, pieces, most, time }: StoredTable,
  served: ServedData,
): AsyncGenerator<string> {
  const { release } = served.knowledge
  const asked = readTableQuery({ name }, release)
  const conversion = await openConversion({
    ...asked,
    served,
    most,
    time,
    operation: 'validate',
    shown: MAX_CELLS,
    face: 'request',
    bytes: slicePieces(pieces),
  })
  const made = conversion.pieces()
  let step = await made.next()
  // discard the converted table: only the summary matters
  while (step.done !== true) step = await made.next()
  // the shape that conversions produce
  const { typings, status, failed, failures } = step.value.summary as unknown as Checked
  const { label, dataset } = release.facts
  yield JSON.stringify({
    release: dataset === 'starter' ? `the starter set of ${label}` : label,
    typings: typings - (status['untyped'] ?? 0),
    found: failed,
    cells: failures.map(({ line, column, value, code, message, suggestion }) => ({
      line,
      column,
      value,
      why: suggestion === '' ? message : `${message} (${suggestion})`,
      isUndecided: UNDECIDED.has(code),
    })),
  } satisfies TypingVerdicts)
}

interface Checked {
  readonly typings: number
  readonly status: Readonly<Record<string, number>>
  readonly failed: number
  readonly failures: readonly {
    readonly line: number
    readonly column: string
    readonly value: string
    readonly code: string
    readonly message: string
    readonly suggestion: string
  }[]
}

async function* asBuffers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece.buffer, piece.byteOffset, piece.length)
}

function storedCells(table: StoredTable): CellSource {
  return cellSource({ ...table, bytes: slicePieces(table.pieces) })
}

type LimitedCells = Omit<CellSource, 'pace'> & Pick<StoredTable, 'most' | 'time'>

export function cellSource({ name, bytes, ...limits }: LimitedCells): CellSource {
  return { name, bytes, pace: pace(limits) }
}

/** Limits the unpacked size, and the working time; time spent on other tasks does not count. */
function pace({ most, time }: Pick<StoredTable, 'most' | 'time'>): Pace {
  let [size, worked, since] = [0, 0, performance.now()]
  return async (bytes) => {
    size += bytes
    worked += performance.now() - since
    if (size > most)
      throw new HlaError('bad-request', `a table of more than ${most} bytes is not converted here`)
    if (worked > time)
      throw new HlaError('bad-request', `the table takes more than ${time / 1000} s to convert`)
    // let other tasks run
    await setImmediate()
    since = performance.now()
  }
}
