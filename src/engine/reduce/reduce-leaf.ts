/** Reduction of one leaf of a typing: its designation, each name reduced, and notes on losses. */
import { HlaError, isHlaError, type Loss, type Note } from '../../errors.ts'
import { hasPrefix, PREFIX, twoFields, withoutPrefix } from '../../nomenclature/allele.ts'
import type { GlLeaf } from '../../nomenclature/gl-string.ts'
import { findMalformation, malformedError } from '../../nomenclature/grammar.ts'
import type { SortPart } from '../../nomenclature/order.ts'
import { type Code, type Designation, designateUnexpanded, oldReading } from '../designate.ts'
import { memberNotes } from '../expand/expand-mac.ts'
import { letterLosses, reduceCode } from './reduce-code.ts'
import { splitSuffix } from '../lift/relation.ts'
import { isReadByTwoFields, unlistedNote } from '../names.ts'
import { otherReadingNote } from '../old-names.ts'
import type { Method } from './methods.ts'
import { reduceAntigenToS } from './serology.ts'
import { keepPlainLeaf, type NameRun, partList, plainLeaf, reduceName } from './typing-memo.ts'

export interface LeafRun extends NameRun {
  /** Offset of the typing; leaves and notes are relative to it. */
  readonly offset: number
  readonly notes: Note[]
}

/** Reductions of the leaf, unordered; a name may repeat. */
export function reduceLeaf(leaf: GlLeaf, run: LeafRun): readonly SortPart[] {
  const plain = plainLeaf(run.memo, leaf.text)
  if (plain !== undefined) return plain
  const malformed = findMalformation(leaf.text)
  if (malformed !== undefined) throw malformedError(malformed, leaf.text, run.offset + leaf.start)
  try {
    const parts = reduceDesignation(leaf, run)
    return hasPrefix(leaf.text) ? parts.map(({ text }) => partList(PREFIX + text, run.memo)[0]) : parts
  } catch (error) {
    throw isHlaError(error) && error.position === undefined ? located(error, leaf, run.offset) : error
  }
}

function reduceDesignation({ text, start }: GlLeaf, run: LeafRun): readonly SortPart[] {
  const { engine } = run
  const name = withoutPrefix(text)
  const position = [start, start + text.length] as const
  const add = (note: Note) => run.notes.push({ ...note, offending: text, position })
  const designation = designateUnexpanded(name, engine)
  const said = run.notes.length
  const old = oldReading(name, engine)
  if (old?.read !== undefined && old.others.length > 0) add(otherReadingNote(name, old))
  if (designation.as === 'typed') {
    for (const note of designation.notes) add(note)
    return partList(designation.name, run.memo)
  }
  if (designation.as === 'name') {
    for (const note of designation.notes) add(note)
    const reduced = reduceName(designation.name, run)
    const isUnlisted = isReadByTwoFields(designation.name, engine)
    if (isUnlisted) add(noteUnlisted(designation.name, reduced, run))
    const isLeft = isUnlisted && reduced.every(({ text: one }) => one === designation.name)
    // its first two fields are what was read of a name without a letter
    const typed = isUnlisted && splitSuffix(name).letter === '' ? twoFields(name) : name
    if (!isLeft) noteLosses(designation.name, reduced, { ...run, typed }, add)
    if (designation.name === text && run.notes.length === said) keepPlainLeaf(run.memo, text)
    return reduced
  }
  if (designation.as === 'list') for (const note of designation.notes) add(note)
  const isCode = designation.as === 'code'
  const reduced = reduceMany(designation, run, add)
  if (!isCode && designation.kind === 'null' && reduced.length > 0)
    noteLosses(name, [...new Set(reduced)], { ...run, typed: name }, add)
  if (reduced.length === 0) {
    const none = !isCode && designation.names.length === 0
    const message = none
      ? `no allele of antigen ${text} is known`
      : `no allele of ${text} has a known antigen`
    add({ level: 'warning', code: none ? 'no-alleles' : 'no-serology', message })
  }
  return reduced
}

/** Reductions of several names; a name may repeat. The nulls of an XX code, which has nearly always some, are named by validation. */
function reduceMany(
  designation: Code | Extract<Designation, { as: 'list' }>,
  run: LeafRun,
  add: (note: Note) => void,
): readonly SortPart[] {
  if (designation.as === 'list')
    return reduceAntigen(designation, run) ?? designation.names.flatMap((one) => reduceName(one, run))
  const { parts, losses } = reduceCode(designation, run)
  const letters = losses.filter(({ kind }) => kind === 'letter')
  for (const note of memberNotes(losses, designation.mac.text)) add(note)
  const are = letters.length === 1 ? 'is a member' : 'are members'
  if (letters.length > 0) add(letterNote(letters, `${are} of ${designation.mac.text}`, run.method))
  return parts
}

/** At a level, method S answers an antigen itself. */
function reduceAntigen(
  { antigen, names }: Extract<Designation, { as: 'list' }>,
  { engine, method, memo }: LeafRun,
): readonly SortPart[] | undefined {
  if (antigen === undefined || method !== 'S') return undefined
  return reduceAntigenToS(antigen, names, engine)?.map((one) => partList(one, memo)[0])
}

/**
 * Note on unlisted fields: some methods read the name by its first two fields, others leave it; antigens are those of
 * listed names.
 */
function noteUnlisted(name: string, reduced: readonly SortPart[], { engine, method }: LeafRun): Note {
  const [only] = reduced
  const isLeft = only?.text === name
  const note = unlistedNote(name, engine, isLeft ? method : undefined)
  if (only !== undefined) return note
  const message = `${name} has no known antigen: it is not listed in ${engine.release.facts.label}`
  return { ...note, level: 'warning', code: 'no-serology', message }
}

function noteLosses(
  name: string,
  reduced: readonly SortPart[],
  { engine, method, typed }: LeafRun & { readonly typed: string },
  note: (note: Note) => void,
): void {
  if (reduced.length === 0) {
    note({ level: 'warning', code: 'no-serology', message: `${name} has no known antigen` })
    return
  }
  const isSame = reduced.every(({ text }) => text === typed)
  const losses = method === 'S' || isSame ? [] : letterLosses(name, reduced, engine)
  if (losses.length === 0) return
  const becomes = `becomes ${reduced.map(({ text }) => text).join('/')}`
  const what = losses[0]?.name === name ? becomes : `are all of ${typed}, which ${becomes}`
  note(letterNote(losses, what, method))
}

/** The loss of an N is more than a detail: the answer reads like an allele that is expressed. */
function letterNote(losses: readonly Loss[], what: string, method: Method): Note {
  const letters = [...new Set(losses.map(({ name }) => splitSuffix(name).letter))]
  const names = losses.map(({ name }) => name)
  return {
    level: letters.includes('N') ? 'note' : 'detail',
    code: EXPRESSION_LOST,
    message: `${names.join(', ')} ${what}: method ${method} drops ${letters.join(', ')}`,
    losses,
  }
}

export const EXPRESSION_LOST = 'expression-lost'

function located(error: HlaError, leaf: GlLeaf, offset: number): HlaError {
  const start = offset + leaf.start
  const { suggestions, hint, facts } = error
  return new HlaError(error.code, error.message, {
    suggestions,
    hint,
    facts,
    offending: leaf.text,
    position: [start, start + leaf.text.length],
    cause: error,
  })
}
