/** Release: typed views on a compiled release. Reads the tables and computes nothing. */
import { openContainer, type Container } from './format.ts'
import { decodeList } from './lists.ts'
import { readNameTable } from './name-table.ts'
import type { Pages } from './pages.ts'
import {
  COLUMN_NAMES,
  LIST_NAMES,
  NAME_FLAGS,
  type ColumnName,
  type ListName,
  type NameFlag,
  type ReleaseFacts,
} from './compile/tables.ts'
import { TCE_GROUPS, type TceGroup } from './sources/tce.ts'

export interface Release {
  readonly facts: ReleaseFacts
  /** Of the starter set: name of an installed release, which answers in full. */
  readonly installed?: string | undefined
  /** Number of names of every kind; they are numbered 0 … size - 1. */
  readonly size: number
  /** -1 when the release has no such name. Within a locus numbers are in nomenclature order. */
  idOf(name: string): number
  /** `idOf` for a text in UTF-16 units. */
  idOfText(units: Uint16Array): number
  nameOf(id: number): string
  is(kind: NameFlag, name: string): boolean
  isKind(kind: NameFlag, id: number): boolean
  /** Value of a name in a column. */
  valueOf(column: ColumnName, name: string): string | undefined
  /** Values of a name in a list, in nomenclature order. */
  listOf(list: ListName, name: string): readonly string[] | undefined
  /** T-cell epitope group of a full DPB1 name by version 1 or 2 of the algorithm; undefined for none. */
  tceOf(name: string, version: 1 | 2): TceGroup | undefined
  /** Result of `make` for this release, computed once and kept. */
  derive<T>(make: (release: Release) => T): T
}

/**
 * `remake` returns the bytes anew when those read are damaged; `load` receives the range about to be read.
 * @throws {HlaError} unknown-format, truncated-file; checksum-mismatch, also at any later look-up
 */
export function readRelease(
  bytes: Uint8Array,
  remake?: () => Uint8Array,
  load?: (from: number, to: number) => void,
): Release {
  const container = openContainer(bytes, remake, load)
  const names = readNameTable(
    {
      offsets: container.u32('nameOffsets'),
      bytes: container.u8('nameBytes'),
      slots: container.u32('nameSlots'),
    },
    container.pages,
  )
  const { pages } = container
  /** Element of an array; 0 outside. */
  function at(array: Uint8Array | Uint32Array | undefined, id: number): number {
    if (array === undefined || id < 0) return 0
    if (!pages.isWhole) pages.need(array, id, id + 1)
    return array[id] ?? 0
  }
  const flags = container.u8('flags')
  const columns = Object.fromEntries(COLUMN_NAMES.map((name) => [name, container.u32(name)]))
  const lists = Object.fromEntries(LIST_NAMES.map((name) => [name, listReader(container, name)]))
  const tce = container.u8('tce')
  const derived = new Map<unknown, unknown>()
  const release: Release = {
    // written by encodeRelease from ReleaseFacts in this format version
    facts: withoutPrototypes(container.meta as ReleaseFacts),
    size: names.size,
    idOf: (name) => names.idOf(name),
    idOfText: (units) => names.idOfText(units),
    nameOf: (id) => names.nameOf(id),
    isKind: (kind, id) => (at(flags, id) & NAME_FLAGS[kind]) !== 0,
    is(kind, name) {
      const id = names.idOf(name)
      return id >= 0 && (at(flags, id) & NAME_FLAGS[kind]) !== 0
    },
    valueOf(column, name) {
      const id = names.idOf(name)
      const value = id < 0 ? 0 : at(columns[column], id)
      return value === 0 ? undefined : names.nameOf(value - 1)
    },
    listOf: (list, name) => lists[list]?.(names.idOf(name))?.map((id) => names.nameOf(id)),
    tceOf: (name, version) => readTceGroup(at(tce, names.idOf(name)), version),
    derive<T>(make: (release: Release) => T): T {
      if (!derived.has(make)) derived.set(make, make(release))
      // the earlier result of `make`
      return derived.get(make) as T
    },
  }
  return release
}

/** `both` has the places in `TCE_GROUPS` + 1 by both versions, in four bits each. */
function readTceGroup(both: number, version: 1 | 2): TceGroup | undefined {
  return TCE_GROUPS[(version === 1 ? both & 15 : both >> 4) - 1]
}

/** Look-up tables without prototypes: `constructor`, from outside, must not be found in any. */
function withoutPrototypes(facts: ReleaseFacts): ReleaseFacts {
  const { groupAliases, oldNames, molecularBroads, broads, associated } = facts
  for (const table of [groupAliases, oldNames, molecularBroads, broads, associated])
    Object.setPrototypeOf(table, null)
  return facts
}

function listReader(container: Container, list: ListName): (id: number) => number[] | undefined {
  const keys = container.u32(`${list}Keys`)
  const starts = container.u32(`${list}Starts`)
  const pool = container.u8('lists')
  const { pages } = container
  return (id) => {
    const at = findSorted(keys, id, pages)
    if (at < 0) return undefined
    if (pages.isWhole) return decodeList(pool, starts[at] ?? 0)
    pages.need(starts, at, at + 1)
    return decodeList(pool, starts[at] ?? 0, (place) => pages.need(pool, place, place + 1))
  }
}

function findSorted(keys: Uint32Array, key: number, pages: Pages): number {
  let low = 0
  let high = keys.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (!pages.isWhole) pages.need(keys, middle, middle + 1)
    const found = keys[middle] ?? 0
    if (found === key) return middle
    if (found < key) low = middle + 1
    else high = middle - 1
  }
  return -1
}
