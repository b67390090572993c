/** What typings were reduced to: 98 of 100 in registry files were there before. Kept per engine and method. */
import type { Note } from '../../errors.ts'
import { type SortPart, parsePart } from '../../nomenclature/order.ts'
import type { Engine } from '../engine.ts'
import type { Method } from './methods.ts'

/** A reduced typing: `/` list, how many names it has, and what to say about it with positions relative to it. */
export interface ReducedTyping extends SortPart {
  readonly count: number
  readonly notes: readonly Note[]
}

export interface TypingMemo {
  readonly typings: Map<string, ReducedTyping>
  /** What single names reduce to. */
  readonly names: Map<string, readonly SortPart[]>
  /** What members of codes reduce to, by what stands before them. */
  readonly members: Map<string, MemberParts>
  /** One for each text: parts that are the same are one. */
  readonly parts: Map<string, SortPart>
}

/** By the number of the member; null for what is not an allele. */
export type MemberParts = (readonly SortPart[] | null | undefined)[]

export function findMemo(engine: Engine, method: Method): TypingMemo {
  return memos.get(engine)?.get(method) ?? newMemo(engine, method)
}

function newMemo(engine: Engine, method: Method): TypingMemo {
  const memo = { typings: new Map(), names: new Map(), members: new Map(), parts: new Map() }
  memos.set(engine, new Map([...(memos.get(engine) ?? []), [method, memo]]))
  return memo
}

/**
 * Lets all memos, of every engine and method, start again when together they hold too much; before a typing is read, for
 * while one is, its parts must stay the same.
 */
export function makeRoom(memo: TypingMemo): void {
  if (held > mostHeld) {
    for (const { typings, names, members, parts } of filled)
      for (const kept of [typings, names, members, parts]) kept.clear()
    filled.clear()
    held = 0
  }
  filled.add(memo)
}

export function keepTyping(memo: TypingMemo, text: string, reduced: ReducedTyping): void {
  memo.typings.set(text, reduced)
  held += TYPING + text.length + reduced.text.length + NOTE * reduced.notes.length
}

export function keepName({ names }: TypingMemo, name: string, reduced: readonly SortPart[]): void {
  names.set(name, reduced)
  held += NAME + SLOT * reduced.length
}

/** Without holes, which would make it slow. */
export function keepMember(members: MemberParts, number: number, reduced: readonly SortPart[] | null): void {
  const before = members.length
  while (members.length < number) members.push(undefined)
  members[number] = reduced
  held += SLOT * (members.length - before + (reduced?.length ?? 0))
}

export function partNamed(name: string, { parts }: TypingMemo): SortPart {
  const known = parts.get(name)
  if (known !== undefined) return known
  const part = parsePart(name)
  parts.set(name, part)
  held += PART
  return part
}

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

/** Bytes, about: what one of each takes without its texts. */
const TYPING = 250
const NOTE = 300
const NAME = 150
const PART = 150
const SLOT = 8

/** Of all memos together, whoever asks for what. A heap grows to several times that before it is swept (docs/adr/0020). */
const MOST_HELD = 64 * 1024 ** 2
let mostHeld = MOST_HELD
let held = 0
const filled = new Set<TypingMemo>()
