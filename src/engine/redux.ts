/** Reduction of whole GL Strings: each typing once, put together in canonical order (specification 3, 4). */
import { HlaError, isHlaError, type Note } from '../errors.ts'
import { expressionOf, hasPrefix, PREFIX, withoutPrefix } from '../nomenclature/allele.ts'
import {
  designationsOf,
  foldGlString,
  type GlLeaf,
  type GlTyping,
  type Operator,
} from '../nomenclature/gl-string.ts'
import { malformationOf, malformedError } from '../nomenclature/grammar.ts'
import { orderParts, type Part, partOf } from '../nomenclature/order.ts'
import { designate } from './designate.ts'
import type { Engine } from './engine.ts'
import { METHODS, type Method } from './reduce/methods.ts'
import { memoOf, ownCopy, type ReducedTyping, remember, type TypingMemo } from './typing-memo.ts'

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
  /** Names an answer may have. */
  readonly limit: number
  count: number
  /** A typing left nothing. */
  hasLost: boolean
}

const NOTHING: Part = { text: '', key: undefined }

/**
 * @throws {HlaError} empty-part, bad-character, bad-syntax — malformed; unknown-…, mac-…, starter — not in the release;
 * too-ambiguous — over the limit; no-serology, no-alleles, no-hats — nothing is left
 */
export function redux(engine: Engine, glString: string, method: Method): Reduced {
  const limit = engine.options.limit || Infinity
  if (glString.length > limit) checkLeaves(glString, limit)
  const memo = memoOf(engine, method)
  const run: Run = { engine, method, memo, notes: [], limit, count: 0, hasLost: false }
  const { text } = foldGlString<Part>(glString, {
    typing: (typing, start) => reduceTyping(typing, start, run),
    operation: (operator, parts) => reduceOperation(operator, parts, run),
  })
  if (text !== '') return { text, notes: run.notes }
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

function reduceOperation(operator: Operator, given: Part[], run: Run): Part {
  const parts = run.hasLost ? given.filter(({ text }) => text !== '') : given
  return joined(operator === '~' ? parts : orderParts(parts, ignoredLast(run)), operator)
}

/** A genotype keeps its two copies and a haplotype its order; lists drop what repeats, which stands together in sorted parts. */
function joined(parts: readonly Part[], operator: Operator): Part {
  const first = parts[0] ?? NOTHING
  const keepsCopies = operator === '+' || operator === '~'
  let { text } = first
  let count = 1
  for (let at = 1; at < parts.length; at += 1) {
    const next = parts[at]?.text ?? ''
    if (!keepsCopies && next === parts[at - 1]?.text) continue
    text += operator + next
    count += 1
  }
  return count === 1 ? first : { text, key: undefined }
}

function reduceTyping(text: string, start: number, run: Run): Part {
  let reduced = run.memo.typings.get(text)
  if (reduced === undefined) {
    const own = ownCopy(text)
    reduced = reduceLeaves({ kind: 'typing', text: own, start }, run)
    remember(own, reduced, run.memo)
  }
  run.count += reduced.count
  if (run.count > run.limit) throw tooAmbiguous('the answer has too many names', run.limit)
  if (reduced.text === '') run.hasLost = true
  if (reduced.notes.length > 0) run.notes.push(...reduced.notes.map((note) => shifted(note, start)))
  return reduced
}

function reduceLeaves(typing: GlTyping, run: Run): ReducedTyping {
  const notes: Note[] = []
  const names = new Set<string>()
  for (const leaf of designationsOf({ ...typing, start: 0 })) {
    for (const name of reduceLeaf(leaf, typing.start, run, notes)) names.add(name)
  }
  const parts = orderParts(Array.from(names, partOf), ignoredLast(run))
  const [first = NOTHING] = parts
  const list = parts.length < 2 ? first : { text: parts.map(({ text }) => text).join('/'), key: undefined }
  return { ...list, count: names.size, notes }
}

function reduceLeaf(leaf: GlLeaf, offset: number, run: Run, notes: Note[]): readonly string[] {
  const malformed = malformationOf(leaf.text)
  if (malformed !== undefined) throw malformedError(malformed, leaf.text, offset + leaf.start)
  try {
    const names = reduceDesignation(leaf, run, notes)
    return hasPrefix(leaf.text) ? names.map((name) => PREFIX + name) : names
  } catch (error) {
    throw isHlaError(error) && error.position === undefined ? located(error, leaf, offset) : error
  }
}

function reduceDesignation({ text, start }: GlLeaf, run: Run, notes: Note[]): readonly string[] {
  const { engine, method } = run
  const name = withoutPrefix(text)
  const position = [start, start + text.length] as const
  const designation = designate(name, engine)
  if (designation.as !== 'name' && designation.note !== undefined)
    notes.push({ ...designation.note, offending: text, position })
  if (designation.as === 'typed') return [designation.name]
  const { reduce } = METHODS[method]
  if (designation.as === 'name') {
    const reduced = reduce(designation.name, engine)
    noteLosses(designation.name, reduced, method, (note) =>
      notes.push({ ...note, offending: text, position }),
    )
    return reduced
  }
  const reduced = [...new Set(designation.names.flatMap((one) => reduce(one, engine)))]
  if (designation.kind === 'null' && reduced.length > 0) {
    noteLosses(name, reduced, method, (note) => notes.push({ ...note, offending: text, position }))
  }
  if (reduced.length === 0) {
    const none = designation.names.length === 0
    const message = none
      ? `no allele of antigen ${text} is known`
      : `no allele of ${text} has a known antigen`
    notes.push({
      level: 'warning',
      code: none ? 'no-alleles' : 'no-serology',
      message,
      offending: text,
      position,
    })
  }
  return reduced
}

function noteLosses(
  name: string,
  reduced: readonly string[],
  method: Method,
  note: (note: Note) => void,
): void {
  if (reduced.length === 0) {
    note({ level: 'warning', code: 'no-serology', message: `${name} has no known antigen` })
  } else if (
    method !== 'S' &&
    expressionOf(name) !== '' &&
    !reduced.some((one) => expressionOf(one.replace(/(?:g|ARS)$/, '')) === expressionOf(name))
  ) {
    note({
      level: 'detail',
      code: 'expression-lost',
      message: `${name} becomes ${reduced.join('/')}: method ${method} drops ${expressionOf(name)}`,
    })
  }
}

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

function checkLeaves(glString: string, limit: number): void {
  const leaves = 1 + (glString.match(/[\^|+~/]/g)?.length ?? 0)
  if (leaves > limit) throw tooAmbiguous(`the input has ${leaves.toLocaleString('en')} names`, limit)
}

function tooAmbiguous(message: string, limit: number): HlaError {
  const hint = '--limit sets another, --limit 0 none'
  return new HlaError('too-ambiguous', `${message}; the limit is ${limit.toLocaleString('en')}`, { hint })
}
