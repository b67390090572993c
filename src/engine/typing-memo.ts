/** What typings were reduced to: 98 of 100 in registry files were there before. Kept per engine and method. */
import type { Note } from '../errors.ts'
import { type Part, partOf } from '../nomenclature/order.ts'
import type { Engine } from './engine.ts'
import type { Method } from './reduce/methods.ts'

/** A reduced typing: `/` list, how many names it has, and what to say about it with positions relative to it. */
export interface ReducedTyping extends Part {
  readonly count: number
  readonly notes: readonly Note[]
}

export interface TypingMemo {
  readonly typings: Map<string, ReducedTyping>
  /** What single names reduce to. */
  readonly names: Map<string, readonly Part[]>
  /** What members of codes reduce to, by what stands before them. */
  readonly members: Map<string, MemberParts>
  /** One for each text: parts that are the same are one. */
  readonly parts: Map<string, Part>
  /** Names in all answers kept: one of method W may have thousands. */
  size: number
}

/** By the number of the member; null for what is not an allele. */
export type MemberParts = (readonly Part[] | null | undefined)[]

export function memoOf(engine: Engine, method: Method): TypingMemo {
  return memos.get(engine)?.get(method) ?? newMemo(engine, method)
}

function newMemo(engine: Engine, method: Method): TypingMemo {
  const memo = { typings: new Map(), names: new Map(), members: new Map(), parts: new Map(), size: 0 }
  memos.set(engine, new Map([...(memos.get(engine) ?? []), [method, memo]]))
  return memo
}

/** Starts all again when full; before a typing is read, for while one is, its parts must stay the same. */
export function makeRoom(memo: TypingMemo): void {
  const { typings, names, members, parts } = memo
  if (Math.max(typings.size, names.size, parts.size) < MOST_KEPT && memo.size <= MOST_NAMES) return
  for (const kept of [typings, names, members, parts]) kept.clear()
  memo.size = 0
}

export function partNamed(name: string, { parts }: TypingMemo): Part {
  const known = parts.get(name)
  if (known !== undefined) return known
  const part = partOf(name)
  parts.set(name, part)
  return part
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
const MOST_KEPT = 65_536
const MOST_NAMES = 2_000_000 // some 40 MB
const memos = new WeakMap<Engine, Map<Method, TypingMemo>>()
