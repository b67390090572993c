/** Converts the rows of a table: cell by cell, in order, block by block. */
import { conversionError } from '../plan/row-error.ts'
import { advice, clause, option } from '../../advice.ts'
import { HlaError, assured } from '../../errors.ts'
import { errorAt } from '../placed-error.ts'
import type { Answers, CellAnswer } from '../answers/answers.ts'
import type { PersonChecks } from '../answers/person-checks.ts'
import { pairChains } from '../answers/chains.ts'
import type { Dialect } from '../input/dialect.ts'
import { readable } from '../input/encoding.ts'
import type { RowPlace } from '../input/places.ts'
import { type Failure, failurePlace, inRecords } from '../output/failure-report.ts'
import { type PlannedGroup, type TablePlan, isOfHeader } from '../plan/plan.ts'
import { otherTableError, beginsOtherTable, repeatsHeader } from '../plan/recognition/odd-rows.ts'
import type { TableRow } from '../input/read-table.ts'
import type { RowWriter } from '../output/written-row.ts'
import { type Tally, countAnswer, countBadRow, countBroken, countRepeatedHeader } from '../output/summary.ts'
import { readLocus } from '../../nomenclature/allele.ts'
import { noPlaceError, thirdCopyError } from '../sources/gathering/person.ts'
import { findMisfits } from '../../engine/blend.ts'
import { type DrbxFacts, drbxTypings, gatherDrbx } from '../output/drbx-pair.ts'
import type { GlStyle } from '../output/gl-column.ts'
import { formatCount } from '../../format-count.ts'

export interface Conversion {
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly answers: Answers
  /** Set when typings of a row are checked for belonging to one person. */
  readonly persons?: PersonChecks | undefined
  readonly writer: RowWriter
  readonly tally: Tally
  readonly ragged: 'error' | 'pad'
  readonly stopAtFirst: boolean
  /** Failures that end the conversion: a number, or a share of the typings. */
  readonly maxErrors: { readonly count: number } | { readonly share: number } | undefined
  readonly write: (text: string) => void
  readonly failed: (failure: Failure) => void
  /** Adds a failure's place in its file; omit to report it unchanged. */
  readonly placed?: (failure: Failure) => Failure
  /** Reports the rules of a format that a person breaks. */
  readonly broken?: (place: RowPlace) => void
}

/** @throws {HlaError} too-many-failures; with `stopAtFirst` the first failure */
export function convertRows(rows: readonly TableRow[], conversion: Conversion): void {
  const { plan, writer, write, broken } = conversion
  for (const row of rows) {
    if (row === plan.upperRow) write(writer.upper)
    else if (row === plan.headerRow) write(writer.head)
    else if (row.kind === 'other') write(writer.other(row))
    else write(isOfHeader(row, plan) ? repeatHeader(row, conversion) : convertRow(row, conversion))
    if (row.place?.broken !== undefined) broken?.(row.place)
  }
}

function repeatHeader(row: TableRow, { plan, writer, tally }: Conversion): string {
  const { headerLines } = plan
  countRepeatedHeader(tally, row.line)
  return writer.again(row, repeatsHeader(row.values, headerLines.slice(-1)) ? writer.head : writer.upper)
}

function convertRow(row: TableRow, conversion: Conversion): string {
  const { plan, tally, writer } = conversion
  tally.rows += 1
  const fault = conversionError(row, conversion) ?? writer.fault?.(row)
  if (fault !== undefined) {
    const typings = plan.groups.reduce((sum, { columns }) => sum + columns.length, 0)
    countBadRow(tally, fault.code, typings)
    fail(
      failedRow(row, conversion),
      { column: '', locus: '', value: '', error: fault },
      undefined,
      conversion,
    )
    return writer.row({ row, answers: new Map(), errors: [fault.code] })
  }
  const { values, answers } = readTypings(row, conversion)
  conversion.persons?.warn(answers, values)
  const errors: string[] = []
  for (const group of plan.groups) {
    const own = group.columns.map((column) => assured(answers.get(column), 'each typing has its answer'))
    const held = writer.held?.(group, own) ?? own
    for (const [at, column] of group.columns.entries()) {
      const answer = held[at]
      if (answer === undefined) continue
      answers.set(column, answer)
      countAnswer(tally, answer)
      if (answer.error === undefined) continue
      errors.push(
        failTyping(
          failedRow(row, conversion),
          { group, column, value: values.get(column) ?? '', error: answer.error },
          conversion,
        ),
      )
    }
  }
  if (errors.length > 0 && row.place === undefined) refuseAnotherTable(row, answers, conversion)
  const left = writer.leftOut?.({ row, answers, errors })
  if (left !== undefined) {
    countBroken(tally, left.code)
    errors.push(left.code)
    fail(failedRow(row, conversion), { column: '', locus: '', value: '', error: left }, undefined, conversion)
    answers.clear()
  }
  return writer.row({ row, answers, errors })
}

/** Answers by column. When typings of a row are joined, those without a place fail. */
function readTypings(
  row: TableRow,
  { plan: { groups }, dialect, answers: { of, failed }, writer: { isJoining, pairing } }: Conversion,
) {
  const values = new Map<number, string>()
  const answers = new Map<number, CellAnswer>()
  const taken: TakenPlaces | undefined = isJoining === true ? new Map() : undefined
  for (const group of groups) {
    for (const column of group.columns) {
      const fault = row.place?.faults?.get(column)
      const value = fault?.value ?? readable(row.values[column] ?? '', dialect.encoding)
      const found = fault?.error === undefined ? of(value, group) : failed(value, group, fault.error)
      values.set(column, value)
      answers.set(column, taken === undefined ? found : withoutSurplus(found, { group, value, taken }))
    }
  }
  pairChains(groups, answers)
  if (pairing !== undefined) failUnfitDrbx(groups, answers, { values, style: pairing })
  return { values, answers }
}

/** @throws {HlaError} usage — the header of another table, whose rows would be read as those of this one */
function refuseAnotherTable(
  { values, line }: TableRow,
  answers: ReadonlyMap<number, CellAnswer>,
  { plan, dialect }: Conversion,
): void {
  for (const { status } of answers.values()) if (status === 'ok') return
  const cells = values.map((value) => readable(value, dialect.encoding))
  if (!beginsOtherTable(cells, plan)) return
  throw otherTableError(plan.header.table, line, cells)
}

export interface FailedTyping {
  readonly group: PlannedGroup
  readonly column: number
  /** Decoded. */
  readonly value: string
  readonly error: HlaError
}

/** Reports a typing, and returns its text in the row, `A_1 renamed-allele`. @throws {HlaError} the conversion ends */
export function failTyping(
  row: FailedRow,
  { group, column, value, error }: FailedTyping,
  conversion: Conversion,
): string {
  const label = conversion.plan.header.labels[column] ?? ''
  fail(row, { column: label, locus: group.locus ?? '', value, error }, column, conversion)
  return `${label} ${error.code}`
}

export interface FailedRow extends Pick<TableRow, 'line' | 'place'> {
  /** Identifier, decoded. */
  readonly id: string
}

export function failedRow(row: TableRow, { plan: { idColumn }, dialect }: Conversion): FailedRow {
  const id = idColumn === undefined ? '' : (row.values[idColumn] ?? '')
  return { line: row.line, place: row.place, id: readable(id, dialect.encoding) }
}

function fail(
  row: FailedRow,
  what: Pick<Failure, 'column' | 'locus' | 'value' | 'error'>,
  at: number | undefined,
  conversion: Conversion,
): void {
  const { plan, tally, placed = asItIs } = conversion
  const { line, id } = row
  const { column, locus, value, error } = what
  const failure = inRecords({ row: tally.rows, line, id, column, locus, value, error }, row, at)
  reportFailure(conversion.stopAtFirst ? placed(failure) : failure, plan.header.table, conversion)
}

/** @throws {HlaError} the conversion ends */
export function reportFailure(
  failure: Failure,
  table: string,
  {
    stopAtFirst,
    failed,
    maxErrors,
    tally,
  }: Pick<Conversion, 'stopAtFirst' | 'failed' | 'maxErrors' | 'tally'>,
): void {
  if (stopAtFirst) throw errorAt(failurePlace(failure, table), failure.error)
  failed(failure)
  if (maxErrors !== undefined && isTooMany(tally, maxErrors)) throw tooMany(tally)
}

function asItIs(failure: Failure): Failure {
  return failure
}

/** Typings before a share counts. */
const MIN_TYPINGS = 1000

/** Call again at the end, when a small table has been read completely. */
export function isTooMany(
  { statuses, typings }: Tally,
  limit: { readonly count: number } | { readonly share: number },
  isEnd = false,
): boolean {
  if ('count' in limit) return statuses.error > limit.count
  return (isEnd || typings >= MIN_TYPINGS) && statuses.error > limit.share * typings
}

export function tooMany({ statuses, rows }: Tally): HlaError {
  const failed = `${formatCount(statuses.error)} ${statuses.error === 1 ? 'typing' : 'typings'}`
  const message = advice`${failed} failed up to row ${formatCount(rows)}, more than ${option('max-errors')} allows`
  return new HlaError('too-many-failures', message)
}

interface Place {
  /** Group with typings of the locus. */
  readonly group: PlannedGroup
  isFull: boolean
}

/** Per row: key of person and locus -> place. */
type TakenPlaces = Map<string, Place>

interface TakingCell {
  readonly group: PlannedGroup
  readonly value: string
  readonly taken: TakenPlaces
}

/** A genotype takes both places; another column of the same locus is not the second typing of the first. */
function withoutSurplus(answer: CellAnswer, { group, value, taken }: TakingCell): CellAnswer {
  if (answer.status !== 'ok') return answer
  for (const part of answer.results[0]?.split('^') ?? []) {
    const isGenotype = part.includes('+')
    for (const locus of group.locus === undefined ? lociIn(part) : [group.locus]) {
      const key = `${group.subject}\n${locus}`
      const place = taken.get(key)
      if (place === undefined) taken.set(key, { group, isFull: isGenotype })
      else if (place.group !== group || place.isFull || isGenotype)
        return { ...answer, status: 'error', results: [], error: noPlaceError(value, locus) }
      else place.isFull = true
    }
  }
  return answer
}

/** Locus of a typing, or loci of a haplotype. */
function lociIn(part: string): readonly string[] {
  const names = part.includes('~') ? part.split(/[+~|]/) : [part]
  return [...new Set(names.map(readLocus))].filter((locus) => locus !== '')
}

interface PairedRow {
  /** Decoded values by column. */
  readonly values: ReadonlyMap<number, string>
  readonly style: GlStyle
}

/** Marks typings that do not fit their person's DRB1 or each other; each is valid by itself, and keeps its result. */
export function failUnfitDrbx(
  groups: readonly PlannedGroup[],
  answers: Map<number, CellAnswer>,
  { values, style }: PairedRow,
): void {
  for (const subject of new Set(groups.map((group) => group.subject))) {
    const facts = gatherDrbx(groups.filter((group) => group.subject === subject), answers, style) // prettier-ignore
    const errors = findExcluded(facts)
    for (const [column, error] of errors.size > 0 ? errors : findThird(facts, values)) {
      const answer = answers.get(column)
      if (answer !== undefined) answers.set(column, { ...answer, status: 'error', error })
    }
  }
}

/** Column -> its error. */
function findExcluded({ drb1, copies }: DrbxFacts): ReadonlyMap<number, HlaError> {
  const errors = new Map<number, HlaError>()
  if (drb1 === undefined) return errors
  for (const { gene, isHeterozygous, error } of findMisfits(drb1, drbxTypings(copies))) {
    const found = copies.filter((copy) => copy.gene === gene)
    const unfit = isHeterozygous ? found.filter(({ text }) => text !== found[0]?.text) : found
    for (const { column } of unfit) errors.set(column, withAdvice(error))
  }
  return errors
}

function withAdvice({ code, said, offending, hint = '', facts }: HlaError): HlaError {
  const more = advice`${hint}${clause`; without ${option('drbx')} each typing is converted by itself`}`
  return new HlaError(code, said, { offending, hint: more, facts })
}

/** Errors of third copies; the first two keep their places. */
function findThird({ copies }: DrbxFacts, values: PairedRow['values']): ReadonlyMap<number, HlaError> {
  const errors = new Map<number, HlaError>()
  const kept = new Set<string>()
  for (const column of new Set(copies.map((copy) => copy.column))) {
    const texts = copies.filter((copy) => copy.column === column).map(({ text }) => text)
    const all = new Set([...kept, ...texts])
    if (all.size > 2) errors.set(column, thirdCopyError(values.get(column) ?? '', [...kept]))
    else for (const text of texts) kept.add(text)
  }
  return errors
}
