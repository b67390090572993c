/** Converts a table in memory in each way of the program: blocks, rows, the service. */
import { readTableInput } from '../../src/table/input/input.ts'
import { fromByteText } from '../../src/table/input/encoding.ts'
import { layoutFor } from '../../src/table/plan/layouts.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { openTable } from '../../src/table/plan/open-table.ts'
import { outputColumns } from '../../src/table/plan/output-columns.ts'
import { tableWriter } from '../../src/table/output/row-writer.ts'
import type { RawTableOptions } from '../../src/options/table-options.ts'
import { readRequest, writeRequest } from '../../src/table/plan/raw-table-options.ts'
import { newTally } from '../../src/table/output/summary.ts'
import { pumpTable, type TablePump } from '../../src/table/run/pump-table.ts'
import { bufferedSink, type Sink } from '../../src/io/sink.ts'
import { type Executor, localExecutor } from '../../src/operations/executor.ts'
import type { Knowledge } from '../../src/operations/knowledge.ts'
import { cellOperationNamed } from '../../src/operations/registry.ts'
import { openConversion } from '../../src/service/table/table-conversion.ts'

/** `rows` converts row by row, without known rows. */
export const DRIVERS = ['alone', 'rows', 'service'] as const
export type Driver = (typeof DRIVERS)[number]

export interface DrivenTable {
  readonly name: string
  readonly bytes: Buffer
  /** Offsets at which the input is cut. */
  readonly cuts: readonly number[]
  readonly rawOptions: RawTableOptions
}

const METHOD = 'lgx'

/** Returns the output. @throws {HlaError} errors of reading, planning and converting */
export async function driveTable(table: DrivenTable, driver: Driver, knowledge: Knowledge): Promise<Buffer> {
  if (driver === 'service') return serve(table, knowledge)
  const out: Buffer[] = []
  const pump = await pumpOf(table, { driver, knowledge, out })
  await pumpTable(pump)
  pump.sink.flush()
  return Buffer.concat(out)
}

interface Pumped {
  readonly driver: Driver
  readonly knowledge: Knowledge
  readonly out: Buffer[]
}

async function pumpOf(
  { name, bytes, cuts, rawOptions }: DrivenTable,
  { driver, knowledge, out }: Pumped,
): Promise<TablePump> {
  const layout = layoutFor(rawOptions.inputFormat, name)
  const reading = readRequest(rawOptions, layout, [])
  const writing = writeRequest(rawOptions, [METHOD])
  const table = await openTable(
    await readTableInput(name, piecesOf(bytes, cuts), { dialect: reading.dialect }),
    reading,
    layout,
    makeNameFacts(knowledge.release),
  )
  const { plan, dialect } = table
  const output = outputColumns(plan, writing)
  const answers = {
    executor: driver === 'rows' ? askedAhead(localExecutor(knowledge)) : localExecutor(knowledge),
    operation: cellOperationNamed('redux'),
    inputs: [{ reduction_method: METHOD }],
    width: 1,
    release: knowledge.release.facts.label,
  }
  const sink = memorySink(out, (text) => fromByteText(text, dialect.encoding))
  const conversion = {
    plan,
    dialect,
    writer: tableWriter(plan, dialect, writing, output),
    tally: newTally(),
    ragged: reading.ragged,
    stopAtFirst: false,
    maxErrors: undefined,
    failed: () => undefined,
  }
  return {
    table,
    writing,
    output,
    answers,
    conversion,
    sink,
    isWatched: false,
    passed: () => sink.flush(),
    outgrown: () => undefined,
  }
}

function memorySink(out: Buffer[], encode: (text: string) => Buffer): Sink {
  const nothing = () => undefined
  return bufferedSink(
    {
      emit: (bytes) => void out.push(Buffer.from(bytes)),
      ready: nothing,
      complete: nothing,
      identity: nothing,
      finish: nothing,
      abandon: nothing,
    },
    encode,
  )
}

/** A remote executor, which is called ahead with rows. */
function askedAhead(executor: Executor): Executor {
  return { execute: executor.execute, ahead: () => Promise.resolve(executor) }
}

async function serve({ name, bytes, cuts, rawOptions }: DrivenTable, knowledge: Knowledge): Promise<Buffer> {
  const conversion = await openConversion({
    name,
    rawOptions,
    methods: [METHOD],
    options: undefined,
    accept: [],
    served: { knowledge, executor: localExecutor(knowledge), dataId: '', etag: '' },
    bytes: piecesOf(bytes, cuts),
    most: 1024 ** 2,
    time: 0,
    face: 'query',
  })
  const out: Buffer[] = []
  for await (const piece of conversion.pieces()) out.push(Buffer.from(piece))
  return Buffer.concat(out)
}

async function* piecesOf(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  let start = 0
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const end = Math.max(start, Math.min(cut, bytes.length))
    yield await Promise.resolve(bytes.subarray(start, end))
    start = end
  }
  yield bytes.subarray(start)
}
