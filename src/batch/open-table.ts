/** A table, its dialect and its plan: everything that is decided before the first row is converted. */
import { type Dialect, firstLines, sniffDialect } from './dialect.ts'
import { toByteText } from './encoding.ts'
import { linesBeforeHeader } from './find-header.ts'
import type { TableInput } from './input.ts'
import type { Layout } from './layouts.ts'
import { makePlan, SAMPLE_ROWS, type TablePlan, tryRead } from './plan.ts'
import { behind, repeatable } from './fast/repeatable.ts'
import { readRows, type Row } from './read-table.ts'
import { type SettlingFacts, settled } from './settling.ts'
import type { ReadRequest } from './table-request.ts'
import { HlaError } from '../errors.ts'

export interface OpenTable {
  readonly input: TableInput
  readonly dialect: Dialect
  readonly plan: TablePlan
  /** All rows, those the plan was made from included. */
  readonly blocks: () => AsyncGenerator<Row[]>
  /** The rows the plan was made from; with the bytes behind them, the same as all rows. */
  readonly first: readonly Row[]
  /** What is behind so many bytes of the table, as byte text without its byte order mark. */
  readonly from: (offset: number) => AsyncGenerator<Buffer>
}

/** @throws {HlaError} io — nothing is in it; and whatever reading and planning throw */
export async function openTable(
  input: TableInput,
  request: ReadRequest,
  layout: Layout | undefined,
  facts: SettlingFacts,
): Promise<OpenTable> {
  const dialect = dialectOf(input, request, layout)
  const bytes = repeatable(input.chunks())
  const rest = readRows(bytes.chunks(), dialect)
  const first = await takeRows(rest)
  if (!first.some(({ kind }) => kind === 'row')) {
    throw new HlaError('io', `there is no table in ${input.name}: it is empty`, { offending: input.name })
  }
  const plan = await settled(facts, () => {
    const made = makePlan({ table: input.name, dialect, rows: first, layout, request, facts })
    // whoever shows how the sample is read asks for no more facts
    if (facts.settle !== undefined) readSample(made)
    return made
  })
  return {
    input,
    dialect,
    plan,
    first,
    async *blocks() {
      bytes.forget()
      yield first
      yield* rest
    },
    from: (offset) => behind(toByteText(bytes.again(), dialect), offset),
  }
}

function readSample({ groups }: TablePlan): void {
  for (const { values, context } of groups) for (const value of values) tryRead(value, context)
}

function dialectOf(
  { name, sample }: TableInput,
  { dialect: hints }: ReadRequest,
  layout: Layout | undefined,
): Dialect {
  const dialect = sniffDialect(name, sample, hints)
  if (layout?.header !== 'find' || hints.preamble !== undefined) return dialect
  return { ...dialect, preamble: linesBeforeHeader(firstLines(sample, dialect), dialect) }
}

async function takeRows(blocks: AsyncGenerator<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  while (rows.length <= SAMPLE_ROWS) {
    const next = await blocks.next()
    if (next.done === true) break
    rows.push(...next.value)
  }
  return rows
}
