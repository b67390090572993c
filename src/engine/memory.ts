/** Memory of reduced typings and names: 98 of 100 typings in registry files repeat. */
import type { Loss, Note } from '../errors.ts'
import type { SortPart } from '../nomenclature/order.ts'
import type { MacExpansion } from '../reference/mac-table.ts'

/** Shared by the engines of one `Knowledge` under one limit; a separate engine has its own. */
export interface EngineMemory {
  /** Engine -> method -> its reduced typings and names. */
  readonly memos: WeakMap<object, Map<string, TypingMemo>>
  /** Memos that are not empty. */
  readonly filled: Set<TypingMemo>
  /** One list per text, shared by all methods. */
  readonly parts: Map<string, PartList>
  /** Engine -> members of codes that its release does not list -> what becomes of them. */
  readonly losses: WeakMap<object, Map<string, Loss | undefined>>
  readonly codes: CodeNumbers
  /** Approximate bytes. */
  heldByTypings: number
  heldByNames: number
}

/** Numbers assigned to members of codes, a few thousand in all. */
interface CodeNumbers {
  readonly known: WeakMap<MacExpansion, readonly number[]>
  readonly generic: Map<string, number>
  readonly specific: Map<string, number>
}

/** Reduced typing: `/` list, its number of names, and notes with positions relative to it. */
export interface ReducedTyping extends SortPart {
  readonly count: number
  readonly notes: readonly Note[]
}

/** Memo of one engine and method. */
export interface TypingMemo {
  readonly memory: EngineMemory
  readonly typings: Map<string, ReducedTyping>
  /** Reductions of single names, by method number: a name is stored once for all methods of an engine. */
  readonly names: Map<string, NameParts>
  /** The method's number. */
  readonly column: number
  /** Reductions of code members, by the prefix before them. */
  readonly members: Map<string, MemberParts>
}

export interface NameParts {
  /** By method number. */
  readonly byMethod: (readonly SortPart[] | undefined)[]
  /** One bit per method: the name as written stands for itself, without notes. */
  plain: number
}

/** By member number; null for a member that is not an allele. */
export type MemberParts = (readonly SortPart[] | null | undefined)[]

export type PartList = readonly [SortPart]

export function makeMemory(): EngineMemory {
  return {
    memos: new WeakMap(),
    filled: new Set(),
    parts: new Map(),
    losses: new WeakMap(),
    codes: { known: new WeakMap(), generic: new Map(), specific: new Map() },
    heldByTypings: 0,
    heldByNames: 0,
  }
}

/** Bytes of typings and names together; a heap grows to several times that before garbage collection (docs/adr/table-speed.md#memory). */
export const MEMORY_LIMIT = 48 * 1024 ** 2
