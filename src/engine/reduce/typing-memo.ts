/** Access to `EngineMemory` in a reduction: each name is reduced once, and typings are dropped before the limit. */
import { type SortPart, parsePart } from '../../nomenclature/order.ts'
import type { Engine } from '../engine.ts'
import {
  type EngineMemory,
  MEMORY_LIMIT,
  type MemberParts,
  type NameParts,
  type PartList,
  type ReducedTyping,
  type TypingMemo,
} from '../memory.ts'
import { type Method, METHOD_NAMES, METHODS } from './methods.ts'

export function findMemo(engine: Engine, method: Method): TypingMemo {
  return engine.memory.memos.get(engine)?.get(method) ?? newMemo(engine, method)
}

function newMemo(engine: Engine, method: Method): TypingMemo {
  const { memory } = engine
  const others = memory.memos.get(engine) ?? new Map<Method, TypingMemo>()
  const [other] = others.values()
  const names = other?.names ?? new Map<string, NameParts>()
  const column = METHOD_NAMES.indexOf(method)
  const memo = { memory, typings: new Map(), names, column, members: new Map() }
  memory.memos.set(engine, others.set(method, memo))
  return memo
}

/**
 * Empties all memos, of every engine and method, when together they exceed the limit; call before a typing is read,
 * since its parts must not change meanwhile. Typings go first: they are soon rebuilt from the reduced names.
 */
export function makeRoom(memo: TypingMemo): void {
  const { memory } = memo
  if (memory.heldByTypings + memory.heldByNames > MEMORY_LIMIT) {
    for (const { typings } of memory.filled) typings.clear()
    memory.heldByTypings = 0
    if (memory.heldByNames > MEMORY_LIMIT * MAX_NAMES_SHARE) forgetNames(memory)
  }
  memory.filled.add(memo)
}

function forgetNames(memory: EngineMemory): void {
  for (const { names, members } of memory.filled) for (const kept of [names, members]) kept.clear()
  memory.filled.clear()
  memory.parts.clear()
  memory.heldByNames = 0
}

export function keepTyping({ memory, typings }: TypingMemo, text: string, reduced: ReducedTyping): void {
  typings.set(text, reduced)
  memory.heldByTypings += TYPING + text.length + reduced.text.length + NOTE * reduced.notes.length
}

export interface NameRun {
  readonly engine: Engine
  readonly method: Method
  readonly memo: TypingMemo
}

/** Reduces a name once: a hundred thousand lists have ten thousand different names. */
export function reduceName(name: string, { engine, method, memo }: NameRun): readonly SortPart[] {
  const known = memo.names.get(name)?.byMethod[memo.column]
  if (known !== undefined) return known
  const names = METHODS[method].reduce(name, engine)
  const [only] = names
  const reduced =
    only !== undefined && names.length === 1
      ? partList(only, memo)
      : names.map((one) => partList(one, memo)[0])
  keepName(memo, name, reduced)
  return reduced
}

/** Reduction of a leaf read before; undefined unless it is plain. */
export function plainLeaf({ names, column }: TypingMemo, text: string): readonly SortPart[] | undefined {
  const known = names.get(text)
  return known !== undefined && (known.plain & (1 << column)) !== 0 ? known.byMethod[column] : undefined
}

/** Marks `text` as plain: a name that stands for itself, without notes. */
export function keepPlainLeaf({ names, column }: TypingMemo, text: string): void {
  const known = names.get(text)
  if (known !== undefined) known.plain |= 1 << column
}

function keepName({ memory, names, column }: TypingMemo, name: string, reduced: readonly SortPart[]): void {
  const known = names.get(name)
  const kept = known ?? { byMethod: NO_PARTS.slice(), plain: 0 }
  if (known === undefined) {
    names.set(name, kept)
    memory.heldByNames += NAME
  }
  kept.byMethod[column] = reduced
  if (reduced.length !== 1) memory.heldByNames += LIST + SLOT * reduced.length
}

/** Filled, since V8 handles arrays with holes slowly. */
const NO_PARTS: NameParts['byMethod'] = METHOD_NAMES.map(() => undefined)

/** Stores a member's reduction at its index in `members`, and counts its size in the memory. */
export function keepMember(
  members: MemberParts,
  number: number,
  reduced: readonly SortPart[] | null,
  { memory }: TypingMemo,
): void {
  const before = members.length
  // filled, since V8 handles arrays with holes slowly
  while (members.length < number) members.push(undefined)
  members[number] = reduced
  memory.heldByNames += SLOT * (members.length - before + (reduced?.length ?? 0))
}

/** List of one part, shared: most names reduce to one, alike by several methods. */
export function partList(name: string, { memory }: TypingMemo): PartList {
  const known = memory.parts.get(name)
  if (known !== undefined) return known
  const list: PartList = [parsePart(name)]
  memory.parts.set(name, list)
  memory.heldByNames += PART
  return list
}

/** Copies a substring: it would keep the whole input in memory. */
export function ownCopy(text: string): string {
  if (text.length < MIN_PIECE_LENGTH) return text
  const copy = Buffer.from(text).toString()
  // half a surrogate pair has no UTF-8 form; it is refused, at its place in the original
  return copy === text ? copy : text
}

/** Characters; V8 copies shorter substrings itself. */
const MIN_PIECE_LENGTH = 13

/** Approximate bytes per entry, without its texts. */
const TYPING = 250
const NOTE = 300
const NAME = 250
const PART = 210
const LIST = 40
const SLOT = 8

/** Share of the limit that names may take; more leaves too little for typings. */
const MAX_NAMES_SHARE = 3 / 4
