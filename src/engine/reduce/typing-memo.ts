/** What typings and names were reduced to: 98 of 100 in registry files were there before. Kept per engine and method. */
import type { Note } from '../../errors.ts'
import { type SortPart, parsePart } from '../../nomenclature/order.ts'
import type { Engine } from '../engine.ts'
import { type Method, METHOD_NAMES, METHODS } from './methods.ts'

/** A reduced typing: `/` list, how many names it has, and what to say about it with positions relative to it. */
export interface ReducedTyping extends SortPart {
  readonly count: number
  readonly notes: readonly Note[]
}

export interface TypingMemo {
  readonly typings: Map<string, ReducedTyping>
  /** What single names reduce to, by the number of the method: a name stands here once for all methods of an engine. */
  readonly names: Map<string, NameParts>
  /** Number of the method. */
  readonly column: number
  /** What members of codes reduce to, by what stands before them. */
  readonly members: Map<string, MemberParts>
}

interface NameParts {
  /** By the number of the method. */
  readonly byMethod: (readonly SortPart[] | undefined)[]
  /** A bit a method: the name, written so, means itself, and nothing is to be said about it. */
  plain: number
}

/** By the number of the member; null for what is not an allele. */
export type MemberParts = (readonly SortPart[] | null | undefined)[]

export function findMemo(engine: Engine, method: Method): TypingMemo {
  return memos.get(engine)?.get(method) ?? newMemo(engine, method)
}

function newMemo(engine: Engine, method: Method): TypingMemo {
  const others = memos.get(engine) ?? new Map<Method, TypingMemo>()
  const [other] = others.values()
  const names = other?.names ?? new Map<string, NameParts>()
  const memo = { typings: new Map(), names, column: METHOD_NAMES.indexOf(method), members: new Map() }
  memos.set(engine, others.set(method, memo))
  return memo
}

/**
 * Lets all memos, of every engine and method, start again when together they hold too much; before a typing is read, for
 * while one is, its parts must stay the same. Typings go first: they are soon put together again of what names reduce to.
 */
export function makeRoom(memo: TypingMemo): void {
  if (heldByTypings + heldByNames > mostHeld) {
    for (const { typings } of filled) typings.clear()
    heldByTypings = 0
    if (heldByNames > mostHeld * MOST_OF_NAMES) forgetNames()
  }
  filled.add(memo)
}

function forgetNames(): void {
  for (const { names, members } of filled) for (const kept of [names, members]) kept.clear()
  filled.clear()
  parts.clear()
  heldByNames = 0
}

export function keepTyping(memo: TypingMemo, text: string, reduced: ReducedTyping): void {
  memo.typings.set(text, reduced)
  heldByTypings += TYPING + text.length + reduced.text.length + NOTE * reduced.notes.length
}

export interface NameRun {
  readonly engine: Engine
  readonly method: Method
  readonly memo: TypingMemo
}

/** A name is reduced once: lists repeat theirs, a hundred thousand of them have ten thousand different names. */
export function reduceName(name: string, { engine, method, memo }: NameRun): readonly SortPart[] {
  const known = memo.names.get(name)?.byMethod[memo.column]
  if (known !== undefined) return known
  const names = METHODS[method].reduce(name, engine)
  const [only] = names
  const reduced =
    only !== undefined && names.length === 1 ? partList(only) : names.map((one) => partList(one)[0])
  keepName(memo, name, reduced)
  return reduced
}

/** What a leaf that was read before reduces to; undefined unless it is plain. */
export function plainLeaf({ names, column }: TypingMemo, text: string): readonly SortPart[] | undefined {
  const known = names.get(text)
  return known !== undefined && (known.plain & (1 << column)) !== 0 ? known.byMethod[column] : undefined
}

/** `text` is a name that was reduced as it is written, and nothing was said about it. */
export function keepPlainLeaf({ names, column }: TypingMemo, text: string): void {
  const known = names.get(text)
  if (known !== undefined) known.plain |= 1 << column
}

function keepName({ names, column }: TypingMemo, name: string, reduced: readonly SortPart[]): void {
  const known = names.get(name)
  const kept = known ?? { byMethod: NO_PARTS.slice(), plain: 0 }
  if (known === undefined) {
    names.set(name, kept)
    heldByNames += NAME
  }
  kept.byMethod[column] = reduced
  if (reduced.length !== 1) heldByNames += LIST + SLOT * reduced.length
}

/** Without holes, which would make it slow. */
const NO_PARTS: NameParts['byMethod'] = METHOD_NAMES.map(() => undefined)

/** Without holes, which would make it slow. */
export function keepMember(members: MemberParts, number: number, reduced: readonly SortPart[] | null): void {
  const before = members.length
  while (members.length < number) members.push(undefined)
  members[number] = reduced
  heldByNames += SLOT * (members.length - before + (reduced?.length ?? 0))
}

/** The list of one part: what most names reduce to, by several methods alike. */
export function partList(name: string): PartList {
  const known = parts.get(name)
  if (known !== undefined) return known
  const list: PartList = [parsePart(name)]
  parts.set(name, list)
  heldByNames += PART
  return list
}

export type PartList = readonly [SortPart]

/** This thread is one of so many that do the same work: together they keep as much as one. */
export function divideMemos(threads: number): void {
  mostHeld = MOST_HELD / threads
}

/** A piece of a text keeps the whole text in memory: here, in time, the whole input. */
export function ownCopy(text: string): string {
  if (text.length < SHORTEST_PIECE) return text
  const copy = Buffer.from(text).toString()
  // half a surrogate pair has no UTF-8 form; it is refused, at its place in the original
  return copy === text ? copy : text
}

/** V8 copies shorter pieces. */
const SHORTEST_PIECE = 13
const memos = new WeakMap<Engine, Map<Method, TypingMemo>>()

/** One for each text, whoever asks for it: parts that are the same are one. */
const parts = new Map<string, PartList>()

/** Bytes, about: what one of each takes without its texts. */
const TYPING = 250
const NOTE = 300
const NAME = 250
const PART = 210
const LIST = 40
const SLOT = 8

/** Of all memos together, whoever asks for what. A heap grows to several times that before it is swept (docs/adr/0020). */
const MOST_HELD = 48 * 1024 ** 2
let mostHeld = MOST_HELD
/** Of all that is held: more leaves too little for typings. */
const MOST_OF_NAMES = 3 / 4
let heldByTypings = 0
let heldByNames = 0
const filled = new Set<TypingMemo>()
