/** A table of a store, read and written as somebody asks for it: what the thread of conversions does. */
import { setImmediate } from 'node:timers/promises'
import { SERVICE_LIMIT } from '../../../../engine/options.ts'
import { HlaError } from '../../../../errors.ts'
import type { TypingVerdicts } from '../../../../drive/api/conversion/conversions.ts'
import { isZip } from '../../../../io/packing/packing.ts'
import { makeServed, type Served } from '../../../../service/current.ts'
import { slices, type TableAnswer } from '../../../../service/table/table-answer.ts'
import { openConversion } from '../../../../service/table/table-conversion.ts'
import { readTableQuery, TABLE_QUERY } from '../../../../service/table/table-query.ts'
import { readInput } from '../../../../operations/executor.ts'
import type { Pace } from '../../../../table/rewrite/read-cells.ts'
import { type CellFormat, checkCells, rewriteTable } from '../../../../table/rewrite/rewrite-table.ts'
import { openKnowledge } from '../../../../cli/run/open-knowledge.ts'

/** As it can be sent to another thread. */
export interface StoredTable {
  readonly name: string
  readonly pieces: readonly Uint8Array[]
  /** Bytes that are read of it, unpacked. */
  readonly most: number
  /** ms that it may take. */
  readonly time: number
  /** undefined: whether it is a table is all that is asked; `verdicts`: on its cells, as JSON. */
  readonly wanted: WantedTable | 'verdicts' | undefined
}

export interface WantedTable {
  readonly format: CellFormat
  /** Of reduction; none: the table as it is. */
  readonly methods: readonly string[]
}

export interface StoredData {
  readonly release: string
  readonly dataDir: string | undefined
}

/** Opens the data with the first typing that is asked about. */
export function storedTables(data: StoredData): (table: StoredTable) => Promise<TableAnswer> {
  let served: Served | undefined
  const open = () =>
    (served ??= makeServed(openKnowledge(data.release, data.dataDir).knowledge, SERVICE_LIMIT))
  return async (table) => {
    const { wanted } = table
    if (wanted === undefined) return { contentType: '', body: checked(table) }
    if (wanted === 'verdicts') return { contentType: '', body: verdicts(table, open()) }
    if (wanted.methods.length > 0) return reduced(table, wanted, open())
    const isItself = wanted.format === 'xlsx' && isZip(table.pieces[0] ?? new Uint8Array())
    const body = isItself ? slices(table.pieces) : rewriteTable(cellSource(table), wanted.format)
    return { contentType: '', body }
  }
}

async function* checked(table: StoredTable): AsyncGenerator<Uint8Array> {
  await checkCells(cellSource(table))
  yield* []
}

/** Each row says whether all of it was read: nobody sees what a program says beside a file that is saved. */
async function reduced(
  table: StoredTable,
  { format, methods }: WantedTable,
  served: Served,
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
    bytes: slices(pieces),
  })
  const bytes = asBuffers(conversion.pieces())
  // how long it becomes is the business of whoever holds it
  const source = { name: 'table.csv', bytes, hints: { delimiter: ',' }, pace: pace({ most: Infinity, time }) }
  return { contentType: '', dataId: served.dataId, body: rewriteTable(source, format) }
}

/** Cells that are told one by one: more than a page shows. */
const MOST_TOLD = 6000
/** That it is one cannot be said without the release, or with less than there is. */
const UNDECIDED: ReadonlySet<string> = new Set(['starter', 'no-data', 'unknown-release', 'too-ambiguous'])

async function* verdicts({ name, pieces, most, time }: StoredTable, served: Served): AsyncGenerator<string> {
  const { release } = served.knowledge
  const asked = readTableQuery({ name }, release)
  const conversion = await openConversion({
    ...asked,
    served,
    most,
    time,
    operation: 'validate',
    shown: MOST_TOLD,
    face: 'request',
    bytes: slices(pieces),
  })
  const made = conversion.pieces()
  let step = await made.next()
  // the table with its verdicts is nobody's: what is said about it is
  while (step.done !== true) step = await made.next()
  // as the conversion makes them
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

function cellSource(table: StoredTable) {
  return { name: table.name, bytes: slices(table.pieces), pace: pace(table) }
}

/** Of its bytes, unpacked, and of the time in which it is worked on: not that of others between. */
function pace({ most, time }: Pick<StoredTable, 'most' | 'time'>): Pace {
  let [size, worked, since] = [0, 0, performance.now()]
  return async (bytes) => {
    size += bytes
    worked += performance.now() - since
    if (size > most)
      throw new HlaError('bad-request', `a table of more than ${most} bytes is not converted here`)
    if (worked > time)
      throw new HlaError('bad-request', `the table takes more than ${time / 1000} s to convert`)
    // others get their turn
    await setImmediate()
    since = performance.now()
  }
}
