/** Reduction of whole GL Strings: each typing once, put together in canonical order (specification 3, 4). */
import { HlaError, isHlaError, type Note } from '../errors.ts'
import { expressionOf, hasPrefix, PREFIX, withoutPrefix } from '../nomenclature/allele.ts'
import {
  designationsOf,
  type GlLeaf,
  type GlNode,
  type GlTyping,
  parseGlString,
} from '../nomenclature/gl-string.ts'
import { malformationOf, malformedError } from '../nomenclature/grammar.ts'
import { sortParts } from '../nomenclature/order.ts'
import { designate } from './designate.ts'
import type { Engine } from './engine.ts'
import { METHODS, type Method } from './reduce/methods.ts'

export interface Reduced {
  /** Never empty. */
  readonly text: string
  readonly notes: readonly Note[]
}

/** A reduced typing: `/` list, how many names it has, and what to say about it with positions relative to it. */
interface ReducedTyping {
  readonly text: string
  readonly count: number
  readonly notes: readonly Note[]
}

/** Typings repeat: 98 of 100 in registry files. Kept per engine and method; started again when full. */
interface Memo {
  readonly typings: Map<string, ReducedTyping>
  /** Names in all answers kept: one of method W may have thousands. */
  names: number
}
const MEMO_SIZE = 65_536
const MEMO_NAMES = 2_000_000 // some 40 MB
const memos = new WeakMap<Engine, Map<Method, Memo>>()

interface Run {
  readonly engine: Engine
  readonly method: Method
  readonly memo: Memo
  readonly notes: Note[]
  count: number
}

/**
 * @throws {HlaError} empty-part, bad-character, bad-syntax — malformed; unknown-…, mac-…, starter — not in the release;
 * too-ambiguous — over the limit; no-serology, no-alleles, no-hats — nothing is left
 */
export function redux(engine: Engine, glString: string, method: Method): Reduced {
  const { limit } = engine.options
  if (limit > 0 && glString.length > limit) checkLeaves(glString, limit)
  const run: Run = { engine, method, memo: memoOf(engine, method), notes: [], count: 0 }
  const text = reduceNode(parseGlString(glString), run)
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

function reduceNode(node: GlNode, run: Run): string {
  if (node.kind === 'typing') return reduceTyping(node, run)
  const parts = node.parts.map((part) => reduceNode(part, run)).filter((part) => part !== '')
  const { operator } = node
  if (operator === '~') return parts.join('~')
  return sortParts(operator === '+' ? parts : [...new Set(parts)], ignoredLast(run)).join(operator)
}

function reduceTyping(typing: GlTyping, run: Run): string {
  let reduced = run.memo.typings.get(typing.text)
  if (reduced === undefined) {
    const text = ownCopy(typing.text)
    reduced = reduceLeaves({ ...typing, text }, run)
    remember(text, reduced, run.memo)
  }
  run.count += reduced.count
  checkAnswer(run)
  for (const note of reduced.notes) run.notes.push(shifted(note, typing.start))
  return reduced.text
}

/** A piece of a text keeps the whole text in memory: here, in time, the whole input. */
function ownCopy(text: string): string {
  const copy = Buffer.from(text).toString()
  // half a surrogate pair has no UTF-8 form; it is refused, at its place in the original
  return copy === text ? copy : text
}

function remember(text: string, reduced: ReducedTyping, memo: Memo): void {
  if (memo.typings.size >= MEMO_SIZE || memo.names > MEMO_NAMES) {
    memo.typings.clear()
    memo.names = 0
  }
  memo.typings.set(text, reduced)
  memo.names += reduced.count
}

function reduceLeaves(typing: GlTyping, run: Run): ReducedTyping {
  const notes: Note[] = []
  const names = new Set<string>()
  for (const leaf of designationsOf({ ...typing, start: 0 })) {
    for (const name of reduceLeaf(leaf, typing.start, run, notes)) names.add(name)
  }
  const sorted = names.size < 2 ? [...names] : sortParts([...names], ignoredLast(run))
  return { text: sorted.join('/'), count: names.size, notes }
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
    !reduced.some((one) => one.endsWith(expressionOf(name)))
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

function memoOf(engine: Engine, method: Method): Memo {
  const methods = memos.get(engine) ?? new Map<Method, Memo>()
  memos.set(engine, methods)
  const memo = methods.get(method) ?? { typings: new Map(), names: 0 }
  methods.set(method, memo)
  return memo
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

function checkAnswer({ engine, count }: Run): void {
  const { limit } = engine.options
  if (limit > 0 && count > limit) throw tooAmbiguous('the answer has too many names', limit)
}

function tooAmbiguous(message: string, limit: number): HlaError {
  const hint = '--limit sets another, --limit 0 none'
  return new HlaError('too-ambiguous', `${message}; the limit is ${limit.toLocaleString('en')}`, { hint })
}
