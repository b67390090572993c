/** Reads the rows of a table as persons whose loci are to be matched. */
import { HlaError, isHlaError } from '../../errors.ts'
import {
  DRB345,
  type Person,
  type TypedLocus,
  type TypedPlace,
  codeText,
  makeLocus,
  ofRelease,
  readPerson,
  surplusTypings,
} from '../../engine/match/person.ts'
import { readCellParts } from '../concordance/known-cells.ts'
import { readable } from '../input/encoding.ts'
import type { TableRow } from '../input/read-table.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { type PlannedGroup, type RowCell, isBodyRow, readCells, tryRead } from '../plan/plan.ts'
import { type SettlingFacts, settleFacts } from '../cells/name-facts.ts'
import { type Failure, inRecords } from '../output/failure-report.ts'
import { placeFailures } from '../run/table-failures.ts'
import { conversionError } from '../plan/row-error.ts'

/** A person of a row; `subject` is that of its columns. */
export interface PersonRow {
  readonly subject: string
  readonly loci: ReadonlyMap<string, RowLocus>
}

export interface RowLocus {
  readonly typed: TypedLocus
  /** Place of its first cell. */
  readonly column: number
  /** Its cells. */
  readonly value: string
}

export interface MatchRow {
  readonly row: TableRow
  readonly id: string
  /** Without persons: why the row cannot be read. */
  readonly error?: HlaError
  readonly persons: readonly PersonRow[]
}

export interface MatchedFile {
  readonly name: string
  readonly table: OpenTable
  readonly ragged: 'error' | 'pad'
}

type RowReader = (rows: readonly TableRow[]) => readonly MatchRow[]

/** Reads each distinct cell once, for as long as it is remembered. */
function rowReader({ table, ragged }: MatchedFile): RowReader {
  const { plan, dialect } = table
  const subjects = [...new Set(plan.groups.map(({ subject }) => subject))]
  const known = new Map<string, readonly Slot[]>()
  const slotsOf: SlotsOf = ({ value, group, error }) => {
    if (error !== undefined) return [{ locus: group.locus ?? '', kind: 'fault', error }]
    const key = `${group.contextKey} ${value}`
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= MAX_KNOWN) known.clear()
    const slots = readSlots(value, group)
    known.set(key, slots)
    return slots
  }
  return (rows) =>
    rows
      .filter((row) => isBodyRow(row, plan))
      .map((row) => {
        const id = plan.idColumn === undefined ? '' : cellText(row, plan.idColumn, table).trim()
        const error = conversionError(row, { plan, dialect, ragged })
        if (error !== undefined) return { row, id, error, persons: [] }
        const cells = readCells(row, { plan, dialect })
        const persons = subjects.map((subject) => {
          const own = cells.filter(({ group }) => group.subject === subject)
          return { subject, loci: readLoci(own, slotsOf) }
        })
        return { row, id, persons }
      })
}

const MAX_KNOWN = 200_000

/** Distinct typings of these persons. */
export function typingsOf(persons: readonly PersonRow[]): ReadonlySet<string> {
  const loci = persons.flatMap((person) => [...person.loci.values()])
  const places = loci.flatMap(({ typed }) =>
    typed.kind === 'unread' ? (typed.other ?? []) : typed.genotypes.flat(),
  )
  return new Set(places.flatMap((place) => (place.kind === 'typing' ? [place.text] : [])))
}

export interface RowContext {
  readonly facts: SettlingFacts
  /** Asks what the typings of these persons may be, before their rows are added. */
  readonly learn: (persons: readonly PersonRow[]) => Promise<void>
  readonly failed: (failure: Failure) => void
  /** Called after each block of rows. */
  readonly passed: (rows: number) => void
}

/** Reports the cell in a column of the row, or the whole row. */
export type FailAt = (
  error: HlaError,
  cell?: Pick<Failure, 'locus' | 'value'> & { readonly column: number },
) => void

const WHOLE_ROW = { column: -1, locus: '', value: '' }

/** Reads the rows of a table in order. */
export async function readRows(
  file: MatchedFile,
  { facts, learn, failed, passed }: RowContext,
  add: (row: MatchRow, failAt: FailAt) => void,
): Promise<void> {
  const { table, name } = file
  const { plan, dialect } = table
  const read = rowReader(file)
  const placed = placeFailures(table)
  let count = 0
  for await (const block of table.blocks()) {
    if (facts.settle !== undefined) await settleFacts(facts, () => peek(block))
    const rows = read(block)
    await learn(rows.flatMap(({ persons }) => persons))
    for (const row of rows) {
      count += 1
      const place = { row: count, line: row.row.line, id: row.id }
      add(row, (error, { column: at, ...cell } = WHOLE_ROW) => {
        const column = at < 0 ? '' : (plan.header.labels[at] ?? '')
        const failure = { ...place, ...cell, column, error }
        const { file: part = name, ...rest } = placed(inRecords(failure, row.row, at))
        failed({ ...rest, file: part })
      })
    }
    passed(count)
  }

  function peek(block: readonly TableRow[]): void {
    for (const row of block)
      for (const { value, group, error } of readCells(row, { plan, dialect }))
        if (error === undefined) tryRead(value, group.context)
  }
}

export function cellText(row: TableRow, column: number, { dialect }: Pick<OpenTable, 'dialect'>): string {
  return readable(row.values[column] ?? '', dialect.encoding)
}

/** What a cell, or a part of it, says about a locus. */
type Slot = { readonly locus: string } & (
  | { readonly kind: 'typing'; readonly text: string }
  /** Possible genotypes. */
  | { readonly kind: 'list'; readonly text: string; readonly release: string | undefined }
  /** No second allele was found. */
  | { readonly kind: 'blank' }
  | { readonly kind: 'untyped' | 'absent' }
  | { readonly kind: 'empty'; readonly isGathered: boolean }
  | { readonly kind: 'fault'; readonly error: HlaError }
)

function readSlots(value: string, group: PlannedGroup): readonly Slot[] {
  const { locus = '', context } = group
  const text = value.trim()
  if (text === '') return [{ locus, kind: 'empty', isGathered: context.isGathered === true }]
  // DPB1 has alleles with these numbers
  if (CODES.test(text) && locus !== 'DPB1') return [{ locus, kind: text === '98' ? 'blank' : 'untyped' }]
  const parts = readCellParts(value, group)
  if (parts.length === 0) return [{ locus, kind: BLANKS.has(text.toLowerCase()) ? 'blank' : 'untyped' }]
  return parts.map(({ locus: named, statement }): Slot => {
    const own = /^DRB[345]$/.test(named) ? DRB345 : named
    if (statement.kind === 'unknown') return { locus: own, kind: 'untyped' }
    if (statement.kind === 'absent') return { locus: own, kind: 'absent' }
    if (statement.kind === 'fault') return { locus: own, kind: 'fault', error: statement.error }
    const { kind, glString, release } = statement
    return kind === 'list' ? { locus: own, kind, text: glString, release } : { locus: own, kind, text: codeText(glString, release) } // prettier-ignore
  })
}

/** Codes of registries in place of an antigen: 97 and 99 not tested, 98 no second antigen. */
const CODES = /^9[789]$/

/** Words that say that no second allele was found. */
const BLANKS: ReadonlySet<string> = new Set(['-', '--', '–', '—', 'x', '*', 'blank'])

type SlotsOf = (cell: RowCell) => readonly Slot[]

function readLoci(cells: readonly RowCell[], slotsOf: SlotsOf): ReadonlyMap<string, RowLocus> {
  const all = new Map<string, { slots: Slot[]; column: number; values: string[] }>()
  for (const cell of cells) {
    const { value, column } = cell
    const slots = slotsOf(cell)
    for (const slot of slots) {
      const locus = /^DRB[345]$/.test(slot.locus) ? DRB345 : slot.locus
      const own = all.get(locus) ?? { slots: [], column, values: [] }
      all.set(locus, own)
      own.slots.push(slot)
      // a cell of several parts is reported whole
      if (!own.values.includes(value) || slots.length === 1) own.values.push(value)
    }
  }
  const loci = new Map<string, RowLocus>()
  for (const [locus, { slots, column, values }] of all) {
    const typed = joinSlots(locus, slots)
    if (typed !== undefined) loci.set(locus, { typed, column, value: values.join(' ').trim() })
  }
  return loci
}

const UNTYPED: TypedPlace = { kind: 'untyped' }
const ABSENT: TypedPlace = { kind: 'absent' }

/** undefined where nothing is typed. */
function joinSlots(locus: string, slots: readonly Slot[]): TypedLocus | undefined {
  const lists = slots.flatMap((slot) => (slot.kind === 'list' ? [slot] : []))
  const places = slots.flatMap((slot): TypedPlace[] =>
    slot.kind === 'typing' ? [{ kind: 'typing', text: slot.text, start: 0 }] : [],
  )
  const fault = slots.find((slot) => slot.kind === 'fault')
  if (fault !== undefined)
    return { kind: 'unread', error: fault.error, other: slots.length === 2 ? places[0] : undefined }
  const [list] = lists
  if (list !== undefined && lists.length + places.length === 1) return readList(list, locus)
  if (list !== undefined) return surplusTypings(slots.flatMap((slot) => ('text' in slot ? [slot.text] : [])))
  const has = (kind: Slot['kind']) => slots.some((slot) => slot.kind === kind)
  const [only, second] = places
  if (only === undefined) return has('absent') ? makeLocus(locus, [[ABSENT]]) : undefined
  if (second !== undefined) return makeLocus(locus, [places])
  if (locus === DRB345) return makeLocus(locus, [has('untyped') ? [only, UNTYPED] : [only]])
  if (has('blank')) return { kind: 'typed', genotypes: [[only, only]], isTypedOnce: true }
  if (has('absent')) return makeLocus(locus, [[only, ABSENT]])
  const isOpen = slots.some((slot) => slot.kind === 'untyped' || (slot.kind === 'empty' && !slot.isGathered))
  return makeLocus(locus, [isOpen ? [only, UNTYPED] : [only]])
}

function readList({ text, release }: Extract<Slot, { kind: 'list' }>, locus: string): TypedLocus {
  try {
    const person: Person = readPerson(text)
    const [[named, typed] = []] = person
    if (typed !== undefined && (named === locus || locus === '') && person.size === 1)
      return ofRelease(typed, release)
    throw new HlaError('mixed-loci', `${text} has names of different loci`, { offending: text })
  } catch (error) {
    if (!isHlaError(error)) throw error
    return { kind: 'unread', error }
  }
}
