/** A table with its dialect and plan: everything decided before the first row is converted. */
import { advice, option } from '../../advice.ts'
import { readBeginning } from '../input/arrange.ts'
import { type Dialect, firstLines } from '../input/dialect.ts'
import { markLength, toByteText } from '../input/encoding.ts'
import { findLaterHeader } from '../input/preamble.ts'
import { refuseDocument } from '../input/input.ts'
import type { SourceTable, TableInput } from './table-input.ts'
import { keepFitting, type TableLayout } from './layouts.ts'
import {
  makePlan,
  type PlanInput,
  type PlannedGroup,
  SAMPLE_CELLS,
  SAMPLE_ROWS,
  type TablePlan,
  tryRead,
} from './plan.ts'
import { labelsIn } from './recognition/unread-text.ts'
import { digitsAdvice, fitsText } from '../cells/digits.ts'
import { readRows, type TableRow } from '../input/read-table.ts'
import { type SettlingFacts, settleFacts } from '../cells/name-facts.ts'
import type { ReadRequest } from './table-request.ts'
import { HlaError, isHlaError } from '../../errors.ts'

export interface OpenTable {
  readonly input: TableInput
  readonly dialect: Dialect
  readonly plan: TablePlan
  /** All rows, including those the plan was made from. */
  readonly blocks: () => AsyncGenerator<TableRow[]>
  /** Rows the plan was made from. */
  readonly first: readonly TableRow[]
  /**
   * Bytes of the table from an offset on, as byte text without its byte order mark; undefined for gathered rows, which
   * have no bytes.
   */
  readonly from: ((offset: number) => AsyncGenerator<Buffer>) | undefined
}

/** @throws {HlaError} io — empty; and errors of reading and planning */
export async function openTable(
  input: TableInput,
  request: ReadRequest,
  layout: TableLayout | undefined,
  facts: SettlingFacts,
): Promise<OpenTable> {
  const { source, look, dialect } = input
  const opened = await openRows(input, dialect)
  const of = { table: input.name, dialect, rows: opened.first, facts, look }
  const plan =
    source === undefined
      ? await planOrHint({ ...of, layout: keepFitting(layout, opened.first), request }, input)
      : await settledPlan({ ...of, layout: undefined, request: requestOf(source, request), source })
  const notes = input.layoutNotes
    .filter(({ isPreamble }) => !(isPreamble && source !== undefined))
    .map(({ message }) => ({ level: 'note', code: 'layout', message }) as const)
  const told = { ...plan, rowNotes: [...notes, ...plan.rowNotes] }
  if (input.workbook === undefined) return { ...opened, plan: told }
  const { sheet, others } = input.workbook
  return { ...opened, plan: { ...told, workbook: { sheet, others } } }
}

/** Request without the options that apply to the files of gathered rows. */
function requestOf({ columns: { isExact, isDocument } }: SourceTable, request: ReadRequest): ReadRequest {
  // columns were named of its files
  const own = isExact ? { ...request, choice: {}, idColumn: undefined } : request
  return isDocument && own.cellSeparator === 'auto' ? { ...own, cellSeparator: 'none' } : own
}

/**
 * Adds a hint for titles above the header, which leave a table without columns, or with the header as a row: its line.
 * @throws errors of `makePlan`
 */
async function planOrHint(
  of: PlanInput & { readonly facts: SettlingFacts },
  input: TableInput,
): Promise<TablePlan> {
  const { request, layout } = of
  const { columns, gl, loci } = request.choice
  const isOpen =
    layout === undefined && request.dialect.preamble === undefined && request.header === undefined
  const laterHeader = async () => {
    const line = isOpen ? findLaterHeader(input.lines) : undefined
    return line !== undefined && (await isReadFrom(line, of, input)) ? line : undefined
  }
  const found = await settledPlan(of).catch((error: unknown) => {
    if (isHlaError(error) && error.code === 'usage') return error
    throw error
  })
  await refuseDelimiter(found, of, input)
  const isTold = [columns, gl, loci].some((one) => one !== undefined)
  if (!isHlaError(found) && (isTold || found.groups.some(({ locus }) => locus !== undefined))) return found
  const line = await laterHeader()
  if (line !== undefined)
    throw headerBelow(
      isHlaError(found) ? found : new HlaError('usage', `the first line of ${of.table} names no loci`),
      line,
    )
  if (isHlaError(found)) throw found
  return found
}

function headerBelow(error: HlaError, line: number): HlaError {
  const { said, offending, suggestions } = error
  return new HlaError('usage', advice`${said}; line ${String(line)} looks like the header`, {
    offending,
    suggestions,
    hint: advice`${option('header-row', String(line))} reads the table from that header on`,
    cause: error,
  })
}

function settledPlan({ facts, ...of }: PlanInput & { readonly facts: SettlingFacts }): Promise<TablePlan> {
  return settleFacts(facts, () => {
    const plan = makePlan({ ...of, facts })
    // a caller that shows the sample's readings must not need more facts
    if (facts.settle !== undefined) readSample(plan, of.look)
    return plan
  })
}

/**
 * Refuses a requested delimiter that the header does not have, where another finds typings: each row would be one cell.
 * @throws {HlaError} usage
 */
async function refuseDelimiter(
  found: TablePlan | HlaError,
  of: PlanInput & { readonly facts: SettlingFacts },
  input: TableInput,
): Promise<void> {
  const { delimiter, ...dialect } = of.request.dialect
  if (delimiter === undefined) return
  const [header = ''] = input.lines
  if (header.includes(delimiter) || (!isHlaError(found) && found.header.width > 1)) return
  const other = readBeginning(input.name, input.sample, dialect).dialect.delimiter
  if (!header.includes(other) || !(await isReadWith({ ...dialect, delimiter: other }, of, input))) return
  throw new HlaError('usage', `${of.table} has one column with the delimiter ${JSON.stringify(delimiter)}`, {
    offending: delimiter,
    hint: advice`${option('delimiter', other === '\t' ? 'tab' : other)} reads its columns`,
  })
}

/** True when typings are found with the header in that line, so that the advice works. */
function isReadFrom(
  line: number,
  of: PlanInput & { readonly facts: SettlingFacts },
  input: TableInput,
): Promise<boolean> {
  return isReadWith({ ...of.request.dialect, preamble: line - 1 }, of, input)
}

async function isReadWith(
  hints: PlanInput['request']['dialect'],
  of: PlanInput & { readonly facts: SettlingFacts },
  { name, sample }: TableInput,
): Promise<boolean> {
  const { request } = of
  const { dialect, sample: regular } = readBeginning(name, sample, hints)
  try {
    const rows = await takeRows(readRows(toByteText([regular], dialect), dialect))
    const { groups } = await settledPlan({ ...of, dialect, rows, request: { ...request, header: true } })
    return groups.some(({ locus, values }) => locus !== undefined && values.length > 0)
  } catch (error) {
    if (isHlaError(error)) return false
    throw error
  }
}

/**
 * Opens a part of another table with that table's plan; its own first rows decide nothing.
 * @throws {HlaError} usage — it begins with another header; and errors of `openTable`
 */
export async function openPart(
  input: TableInput,
  { dialect: whole, plan }: Pick<OpenTable, 'dialect' | 'plan'>,
): Promise<OpenTable> {
  const { headerRow, upperRow } = plan
  const bom = markLength(input.sample, whole.encoding)
  const top = (upperRow ?? headerRow)?.raws.join(whole.delimiter)
  // titles above the header may be in the first part only
  const at = firstLines(input.sample, { ...whole, bom }).findIndex((line) => line === top)
  const opened = await openRows(input, { ...whole, bom, preamble: at < 0 ? whole.preamble : at })
  const names = [upperRow, headerRow].filter((row) => row !== undefined)
  const found = opened.first.filter(({ kind }) => kind === 'row').slice(0, names.length)
  if (names.some((row, at) => found[at]?.raws.join('\n') !== row.raws.join('\n')))
    throw new HlaError('usage', `${input.name} does not begin with the header of ${plan.header.table}`, {
      hint: advice`give ${option('plan-from')} the table that the input is a part of`,
    })
  const header = { ...plan.header, table: input.name }
  const rows = upperRow === undefined ? { headerRow: found[0] } : { upperRow: found[0], headerRow: found[1] }
  return { ...opened, plan: { ...plan, header, ...rows } }
}

/** @throws {HlaError} io — empty; and errors of reading */
async function openRows(input: TableInput, dialect: Dialect): Promise<Omit<OpenTable, 'plan'>> {
  if (input.source !== undefined)
    return { input, dialect, from: undefined, ...(await sampledRows(input.source.rows())) }
  refuseDocument(input.sample, input.name)
  const bytes = repeatable(input.chunks())
  const rest = readRows(toByteText(bytes.chunks(), dialect), dialect)
  const { first, blocks } = await sampledRows(rest)
  if (!first.some(({ kind }) => kind === 'row')) {
    throw new HlaError('io', `${input.name} contains no table: it is empty`, { offending: input.name })
  }
  return {
    input,
    dialect,
    first,
    blocks() {
      bytes.forget()
      return blocks()
    },
    from: (offset) => behind(toByteText(bytes.again(), dialect), offset),
  }
}

function readSample({ groups }: TablePlan, look?: () => void): void {
  for (const { values, context } of groups) {
    for (const value of values) {
      look?.()
      tryRead(value, context)
    }
  }
}

async function sampledRows(rest: AsyncGenerator<TableRow[]>): Promise<Pick<OpenTable, 'first' | 'blocks'>> {
  const first = await takeRows(rest)
  return {
    first,
    async *blocks() {
      yield first
      yield* rest
    },
  }
}

async function takeRows(blocks: AsyncGenerator<TableRow[]>): Promise<TableRow[]> {
  const rows: TableRow[] = []
  let cells = 0
  while (rows.length <= SAMPLE_ROWS && cells < SAMPLE_CELLS) {
    const next = await blocks.next()
    if (next.done === true) break
    for (const row of next.value) {
      rows.push(row)
      cells += row.values.length
    }
  }
  return rows
}

/** A stream whose beginning can be read twice: as rows, for the plan, and as bytes, for the conversion. */
interface Repeatable {
  readonly chunks: () => AsyncGenerator<Buffer>
  /** All bytes, including those read before; `chunks` then ends. */
  readonly again: () => AsyncGenerator<Buffer>
  /** Call when nothing will be read twice. */
  readonly forget: () => void
}

function repeatable(source: AsyncGenerator<Buffer>): Repeatable {
  let kept: Buffer[] | undefined = []
  return {
    async *chunks() {
      for (;;) {
        const next = await source.next()
        if (next.done === true) return
        kept?.push(next.value)
        yield next.value
      }
    },
    async *again() {
      const first = kept ?? []
      kept = undefined
      yield* first
      yield* source
    },
    forget: () => (kept = undefined),
  }
}

async function* behind(chunks: AsyncIterable<Buffer>, offset: number): AsyncGenerator<Buffer> {
  let skip = offset
  for await (const chunk of chunks) {
    const rest = chunk.subarray(skip)
    skip -= Math.min(skip, chunk.length)
    if (rest.length > 0) yield rest
  }
}

/**
 * Refuses a table with only ambiguous digits: every cell would fail. undefined when some of the sample can be read, or
 * each cell is to be reported (`--bare-digits error`).
 */
export function undecidedDigits(
  { groups, header }: Pick<TablePlan, 'groups' | 'header'>,
  { digits }: Pick<ReadRequest, 'digits'>,
  look?: () => void,
): HlaError | undefined {
  const typed = groups.filter(({ values }) => values.length > 0)
  if (digits !== 'auto' || typed.length === 0 || !typed.every((group) => isUndecided(group, look)))
    return undefined
  const columns = labelsIn(typed.flatMap((group) => group.columns), header) // prettier-ignore
  const fits = typed.flatMap(({ digitFits }) => digitFits ?? [])
  const choices = digitsAdvice(fits)
  return new HlaError(
    'usage',
    `${columns} of ${header.table} contain only digits without ":"; they may be antigens, first fields or old names (${fitsText(fits)} in the first rows)`,
    {
      hint: advice`${choices === undefined ? '' : advice`say which: ${choices}; `}${option('bare-digits', 'error')} reports each cell`,
    },
  )
}

function isUndecided({ hasDigits, context, values }: PlannedGroup, look?: () => void): boolean {
  const fails = (value: string) => {
    look?.()
    return tryRead(value, context) instanceof Error
  }
  return hasDigits && context.digits === 'error' && values.every(fails)
}
