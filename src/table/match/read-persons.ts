/** Reads the rows of a table as persons whose loci are to be matched. */
import { endsRun, HlaError, orElse } from '../../errors.ts'
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
import { type Executor, readyExecutor } from '../../operations/executor.ts'
import type { OperationRequest } from '../../operations/operation-request.ts'
import { readCellParts } from '../answers/statements.ts'
import type { SettlingFacts } from '../cells/name-facts.ts'
import type { Failure } from '../output/failure-report.ts'
import type { PlannedGroup, RowCell } from '../plan/plan.ts'
import { readTypedRows, rememberCells, type TypedFile, type TypedRow } from '../run/read-rows.ts'

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

/** Yields the rows of each block with their persons: none where the row cannot be read. Each distinct cell is read once. */
export async function* readPersonRows(
  file: TypedFile,
  facts: SettlingFacts,
  failed: (failure: Failure) => void,
): AsyncGenerator<readonly (readonly [row: TypedRow, persons: readonly PersonRow[]])[]> {
  const { groups, source } = file.table.plan
  const subjects = [...new Set(groups.map(({ subject }) => subject))]
  const known = rememberCells(({ value, group }) => readSlots(value, group))
  const slotsOf: SlotsOf = (cell) => {
    const { value, group, error } = cell
    if (error !== undefined) return [{ locus: group.locus ?? '', kind: 'fault', error }]
    // a gathered row has no cell for a second typing that its records lack
    return source !== undefined && value.trim() === '' ? [] : known.of(cell)
  }
  const personsIn = ({ error, cells }: TypedRow) =>
    (error === undefined ? subjects : []).map((subject) => {
      const own = cells.filter(({ group }) => group.subject === subject)
      return { subject, loci: readLoci(own, slotsOf) }
    })
  for await (const rows of readTypedRows(file, facts, failed)) yield rows.map((row) => [row, personsIn(row)])
}

/** Answers about the distinct typings of persons, each asked once. */
export interface TypingAnswers<Answer> {
  /** Asks about the typings of these persons. Call it before `get`. */
  readonly learn: (persons: readonly PersonRow[]) => Promise<void>
  /** @throws {HlaError} that of the answer */
  readonly get: (text: string) => Answer
}

/** `read`: the answer in the output of its question, or its error. */
export function typingAnswers<Answer>(
  executor: Executor,
  question: (text: string) => OperationRequest,
  read: (output: unknown) => Answer,
): TypingAnswers<Answer> {
  const known = new Map<string, Answer | HlaError>()
  return {
    async learn(persons) {
      const texts = [...typingsOf(persons)].filter((text) => !known.has(text))
      const ready = await readyExecutor(executor, () => texts.map(question))
      for (const text of texts) {
        const { operation, input } = question(text)
        known.set(
          text,
          orElse(() => read(ready.execute(operation, input)), keptError),
        )
      }
    },
    get(text) {
      const found = known.get(text)
      if (found === undefined) throw new Error(`${text} was not asked`)
      if (found instanceof HlaError) throw found
      return found
    },
  }
}

/** @throws an error that every other typing would meet */
function keptError(error: HlaError): HlaError {
  if (endsRun(error)) throw error
  return error
}

function typingsOf(persons: readonly PersonRow[]): ReadonlySet<string> {
  const loci = persons.flatMap((person) => [...person.loci.values()])
  const places = loci.flatMap(({ typed }) =>
    typed.kind === 'unread' ? (typed.other ?? []) : typed.genotypes.flat(),
  )
  return new Set(places.flatMap((place) => (place.kind === 'typing' ? [place.text] : [])))
}

/** What a cell, or a part of it, says about a locus. */
type Slot = { readonly locus: string } & (
  | { readonly kind: 'typing'; readonly text: string }
  /** Possible genotypes. */
  | { readonly kind: 'list'; readonly text: string; readonly release: string | undefined }
  /** No second allele was found. */
  | { readonly kind: 'blank' }
  | { readonly kind: 'untyped' | 'absent' | 'empty' }
  | { readonly kind: 'fault'; readonly error: HlaError }
)

function readSlots(value: string, group: PlannedGroup): readonly Slot[] {
  const { locus = '' } = group
  const text = value.trim()
  if (text === '') return [{ locus, kind: 'empty' }]
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
  const isOpen = slots.some(({ kind }) => kind === 'untyped' || kind === 'empty')
  return makeLocus(locus, [isOpen ? [only, UNTYPED] : [only]])
}

function readList({ text, release }: Extract<Slot, { kind: 'list' }>, locus: string): TypedLocus {
  const read = () => {
    const person: Person = readPerson(text)
    const [[named, typed] = []] = person
    if (typed !== undefined && (named === locus || locus === '') && person.size === 1)
      return ofRelease(typed, release)
    throw new HlaError('mixed-loci', `${text} has names of different loci`, { offending: text })
  }
  return orElse<TypedLocus, TypedLocus>(read, (error) => ({ kind: 'unread', error }))
}
