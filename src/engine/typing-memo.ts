/** What typings were reduced to: 98 of 100 in registry files were there before. Kept per engine and method. */
import type { Note } from '../errors.ts'
import type { Part } from '../nomenclature/order.ts'
import type { Engine } from './engine.ts'
import type { Method } from './reduce/methods.ts'

/** A reduced typing: `/` list, how many names it has, and what to say about it with positions relative to it. */
export interface ReducedTyping extends Part {
  readonly count: number
  readonly notes: readonly Note[]
}

export interface TypingMemo {
  readonly typings: Map<string, ReducedTyping>
  /** Names in all answers kept: one of method W may have thousands. */
  names: number
}

export function memoOf(engine: Engine, method: Method): TypingMemo {
  return memos.get(engine)?.get(method) ?? newMemo(engine, method)
}

function newMemo(engine: Engine, method: Method): TypingMemo {
  const memo = { typings: new Map(), names: 0 }
  memos.set(engine, new Map([...(memos.get(engine) ?? []), [method, memo]]))
  return memo
}

/** Started again when full. */
export function remember(text: string, reduced: ReducedTyping, memo: TypingMemo): void {
  if (memo.typings.size >= MOST_TYPINGS || memo.names > MOST_NAMES) {
    memo.typings.clear()
    memo.names = 0
  }
  memo.typings.set(text, reduced)
  memo.names += reduced.count
}

/** A piece of a text keeps the whole text in memory: here, in time, the whole input. */
export function ownCopy(text: string): string {
  const copy = Buffer.from(text).toString()
  // half a surrogate pair has no UTF-8 form; it is refused, at its place in the original
  return copy === text ? copy : text
}

const MOST_TYPINGS = 65_536
const MOST_NAMES = 2_000_000 // some 40 MB
const memos = new WeakMap<Engine, Map<Method, TypingMemo>>()
