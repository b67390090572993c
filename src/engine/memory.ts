/** What engines remember of the typings and names they reduced: 98 of 100 in registry files were there before. */
import type { Note } from '../errors.ts'
import type { SortPart } from '../nomenclature/order.ts'
import type { MacExpansion } from '../reference/mac-table.ts'

/** Shared by the engines of one `Knowledge`, with one bound for all; an engine made alone has its own. */
export interface EngineMemory {
  /** Engine -> method -> what its typings and names became. */
  readonly memos: WeakMap<object, Map<string, TypingMemo>>
  /** Memos that hold something. */
  readonly filled: Set<TypingMemo>
  /** One list for each text, whichever method gives it. */
  readonly parts: Map<string, PartList>
  /** Engine -> names that its release does not list -> their present names. */
  readonly presentNames: WeakMap<object, Map<string, string | undefined>>
  readonly codes: CodeNumbers
  /** Bytes, about: the bound of the next two together. */
  limit: number
  heldByTypings: number
  heldByNames: number
}

/** The members of codes as numbers, of which there are some thousands. */
interface CodeNumbers {
  readonly known: WeakMap<MacExpansion, readonly number[]>
  readonly generic: Map<string, number>
  readonly specific: Map<string, number>
}

/** A reduced typing: `/` list, how many names it has, and what to say about it with positions relative to it. */
export interface ReducedTyping extends SortPart {
  readonly count: number
  readonly notes: readonly Note[]
}

/** Of one engine and method. */
export interface TypingMemo {
  readonly memory: EngineMemory
  readonly typings: Map<string, ReducedTyping>
  /** What single names reduce to, by the number of the method: a name stands here once for all methods of an engine. */
  readonly names: Map<string, NameParts>
  /** Number of the method. */
  readonly column: number
  /** What members of codes reduce to, by what stands before them. */
  readonly members: Map<string, MemberParts>
}

export interface NameParts {
  /** By the number of the method. */
  readonly byMethod: (readonly SortPart[] | undefined)[]
  /** A bit a method: the name, written so, means itself, and nothing is to be said about it. */
  plain: number
}

/** By the number of the member; null for what is not an allele. */
export type MemberParts = (readonly SortPart[] | null | undefined)[]

export type PartList = readonly [SortPart]

export function makeMemory(): EngineMemory {
  return {
    memos: new WeakMap(),
    filled: new Set(),
    parts: new Map(),
    presentNames: new WeakMap(),
    codes: { known: new WeakMap(), generic: new Map(), specific: new Map() },
    limit: LIMIT,
    heldByTypings: 0,
    heldByNames: 0,
  }
}

/** So many threads do the same work: together they keep as much as one. */
export function divideMemory(memory: EngineMemory, threads: number): void {
  memory.limit = LIMIT / threads
}

/** A heap grows to several times that before it is swept (docs/adr/table-speed.md#memory). */
const LIMIT = 48 * 1024 ** 2
