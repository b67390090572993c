/** Reduction of whole GL Strings: each typing reduced once, then combined in canonical order (specification 3, 4). */
import { HlaError, type Note } from '../errors.ts'
import { PREFIX } from '../nomenclature/allele.ts'
import { listDesignations, foldGlString, type GlTyping, type Operator } from '../nomenclature/gl-string.ts'
import { distinctParts, joinParts, orderParts, type SortPart } from '../nomenclature/order.ts'
import { answerTooAmbiguous, checkLeafCount, type Engine, MAX_ANSWER_LENGTH, tooLongError } from './engine.ts'
import type { ReducedTyping, TypingMemo } from './memory.ts'
import { type Method, METHODS, parseMethod } from './reduce/methods.ts'
import { reduceLeaf } from './reduce/reduce-leaf.ts'
import { eachLeafOnce } from './repeated-leaves.ts'
import { findMixedLoci } from './validate/oddities.ts'
import { keepTyping, makeRoom, findMemo, ownCopy } from './reduce/typing-memo.ts'

export interface Reduced {
  /** Never empty. */
  readonly text: string
  readonly notes: readonly Note[]
}

interface Run {
  readonly engine: Engine
  readonly method: Method
  readonly memo: TypingMemo
  readonly notes: Note[]
  /** Maximum number of names in an answer. */
  readonly limit: number
  count: number
  readonly hasPrefixes: boolean
  /** True when a typing reduced to nothing. */
  hasLost: boolean
}

const NOTHING: SortPart = { text: '', key: undefined }
const NO_NOTES: readonly Note[] = []

/**
 * @throws {HlaError} empty-part, bad-character, bad-syntax — malformed; unknown-…, mac-…, starter — not in the release;
 * too-ambiguous — over the limit; no-serology, no-alleles, no-hats — nothing is left; unknown-method
 */
export function redux(engine: Engine, glString: string, asked: Method): Reduced {
  // JavaScript programs may pass any text
  const method = Object.hasOwn(METHODS, asked) ? asked : parseMethod(asked)
  const limit = engine.options.limit || Infinity
  checkLeafCount(glString, engine)
  const memo = findMemo(engine, method)
  const hasPrefixes = glString.includes(PREFIX)
  const run: Run = { engine, method, memo, notes: [], limit, count: 0, hasPrefixes, hasLost: false }
  const text = reduceText(glString, run)
  if (text !== '') return { text, notes: [...run.notes, ...findMixedLoci(glString)] }
  const reason = run.notes.find(({ level }) => level === 'warning')
  throw new HlaError(
    reason?.code === 'no-alleles' ? 'no-alleles' : 'no-serology',
    reason?.message ?? 'nothing is left',
    {
      offending: reason?.offending ?? glString,
      position: reason?.position ?? [0, glString.length],
    },
  )
}

function reduceText(glString: string, run: Run): string {
  try {
    const { text } = foldGlString<SortPart>(glString, {
      typing: (typing, start) => reduceTyping(typing, start, run),
      operation: (operator, parts) => reduceOperation(operator, parts, run),
    })
    if (text.length <= MAX_ANSWER_LENGTH) return text
  } catch (error) {
    // without a name limit an answer may exceed the 512 MiB of a string
    if (!(error instanceof RangeError) || error.message !== 'Invalid string length') throw error
  }
  throw tooLongError()
}

function reduceOperation(operator: Operator, given: SortPart[], run: Run): SortPart {
  const left = run.hasLost ? given.filter(({ text }) => text !== '') : given
  const parts = run.hasPrefixes && !keepsCopies(operator) ? withoutTwins(left) : left
  return joined(operator === '~' ? parts : orderParts(parts, ignoredLast(run)), operator)
}

/** A genotype keeps both copies, and a haplotype its order. */
function keepsCopies(operator: Operator): boolean {
  return operator === '+' || operator === '~'
}

/** Parts that differ in `HLA-` only are one; the one with more prefixes stays. */
function withoutTwins(parts: readonly SortPart[]): SortPart[] {
  const kept = new Map<string, SortPart>()
  for (const part of parts) {
    const key = part.text.replaceAll(PREFIX, '')
    const twin = kept.get(key)
    const longer = part.text.length - (twin?.text.length ?? 0)
    if (twin === undefined || longer > 0 || (longer === 0 && part.text < twin.text)) kept.set(key, part)
  }
  return [...kept.values()]
}

/** Lists drop repeats, which are adjacent in sorted parts. */
function joined(parts: readonly SortPart[], operator: Operator): SortPart {
  const first = parts[0] ?? NOTHING
  const isList = !keepsCopies(operator)
  let { text } = first
  let count = 1
  for (let at = 1; at < parts.length; at += 1) {
    const next = parts[at]?.text ?? ''
    if (isList && next === parts[at - 1]?.text) continue
    text += operator + next
    count += 1
  }
  return count === 1 ? first : { text, key: undefined }
}

function reduceTyping(text: string, start: number, run: Run): SortPart {
  let reduced = run.memo.typings.get(text)
  if (reduced === undefined) {
    const own = ownCopy(text)
    makeRoom(run.memo)
    reduced = reduceLeaves({ kind: 'typing', text: own, start }, run)
    keepTyping(run.memo, own, reduced)
  }
  run.count += reduced.count
  if (run.count > run.limit) throw answerTooAmbiguous(run.engine)
  if (reduced.text === '') run.hasLost = true
  if (reduced.notes.length > 0) for (const note of reduced.notes) run.notes.push(shifted(note, start))
  return reduced
}

function reduceLeaves(typing: GlTyping, run: Run): ReducedTyping {
  const { engine, method, memo } = run
  const reading = { engine, method, memo, offset: typing.start, notes: [] }
  const leaves = listDesignations({ ...typing, start: 0 })
  const [only] = leaves
  const all =
    only !== undefined && leaves.length === 1
      ? reduceLeaf(only, reading)
      : leaves.length < MANY_LEAVES
        ? leaves.flatMap((leaf) => reduceLeaf(leaf, reading))
        : eachLeafOnce(leaves, reading.notes, (leaf) => reduceLeaf(leaf, reading))
  const found = run.hasPrefixes && leaves.length > 1 ? withoutTwins(all) : all
  const last = ignoredLast(run)
  const parts = last === undefined ? distinctParts(found) : orderParts([...new Set(found)], last)
  const { text, key } = parts[0] ?? NOTHING
  const notes = reading.notes.length === 0 ? NO_NOTES : reading.notes
  if (parts.length < 2) return { text, key, count: parts.length, notes }
  return { text: joinParts(parts), key: undefined, count: parts.length, notes }
}

/** Number of leaves from which looking for repeats pays. */
const MANY_LEAVES = 32

function ignoredLast({ engine }: Run): ((part: string) => boolean) | undefined {
  const { ignoredSuffixes } = engine.options
  return ignoredSuffixes.length === 0
    ? undefined
    : (part) => ignoredSuffixes.includes(part.slice(part.indexOf('*') + 1))
}

function shifted(note: Note, by: number): Note {
  return note.position === undefined
    ? note
    : { ...note, position: [note.position[0] + by, note.position[1] + by] }
}
