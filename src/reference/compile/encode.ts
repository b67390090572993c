/** ReleaseTables -> bytes of a compiled release. */
import { assured } from '../../errors.ts'
import { encodeContainer, type SectionArray } from '../format.ts'
import { encodeList } from '../lists.ts'
import { TCE_GROUPS, type TceGroup } from '../sources/tce.ts'
import { encodeNames, sortForTable } from '../name-table.ts'
import { COLUMN_NAMES, LIST_NAMES, type ReleaseTables } from './tables.ts'

type Ids = ReadonlyMap<string, number>

export function encodeRelease(tables: ReleaseTables): Uint8Array {
  const names = sortForTable(allNames(tables))
  const ids = new Map(names.map((name, id) => [name, id]))
  const { offsets, bytes, slots } = encodeNames(names)
  const sections = new Map<string, SectionArray>([
    ['nameOffsets', offsets],
    ['nameSlots', slots],
    ['nameBytes', bytes],
    ['flags', Uint8Array.from(names, (name) => tables.flags.get(name) ?? 0)],
  ])
  for (const column of COLUMN_NAMES) sections.set(column, encodeColumn(tables.columns[column], names, ids))
  sections.set('tce', encodeTce(tables.tce, names))
  encodeLists(tables, ids, sections)
  return encodeContainer(tables.facts, sections)
}

function allNames({ flags, columns, lists }: ReleaseTables): Set<string> {
  const names = new Set(flags.keys())
  for (const column of COLUMN_NAMES) for (const [key, value] of columns[column]) names.add(key).add(value)
  for (const list of LIST_NAMES) {
    for (const [key, values] of lists[list]) {
      names.add(key)
      for (const value of values) names.add(value)
    }
  }
  return names
}

/** Per name, the number + 1 of its value; 0 for none. An empty column takes no space. */
function encodeColumn(column: ReadonlyMap<string, string>, names: readonly string[], ids: Ids): Uint32Array {
  if (column.size === 0) return new Uint32Array(0)
  return Uint32Array.from(names, (name) => numberAfter(column.get(name), ids))
}

/** Per name, the places of both groups in `TCE_GROUPS` + 1, in four bits each; 0 for none. */
function encodeTce(tce: ReleaseTables['tce'], names: readonly string[]): Uint8Array {
  if (tce.size === 0) return new Uint8Array(0)
  const place = (group: TceGroup | undefined) => (group === undefined ? 0 : TCE_GROUPS.indexOf(group) + 1)
  return Uint8Array.from(names, (name) => {
    const [one, two] = tce.get(name) ?? []
    return place(one) | (place(two) << 4)
  })
}

function numberAfter(value: string | undefined, ids: Ids): number {
  return value === undefined ? 0 : numberIn(ids, value) + 1
}

function numberIn(ids: Ids, name: string): number {
  return assured(ids.get(name), 'every name of a release has a number')
}

/** Ascending keys, and each one's offset in a shared pool of lists; equal lists are stored once. */
function encodeLists(tables: ReleaseTables, ids: Ids, sections: Map<string, SectionArray>): void {
  const pool: number[] = []
  const placed = new Map<string, number>()
  for (const list of LIST_NAMES) {
    const rows = [...tables.lists[list]].map(
      ([key, values]) => [numberIn(ids, key), place(values, ids, pool, placed)] as const,
    )
    rows.sort((a, b) => a[0] - b[0])
    sections.set(
      `${list}Keys`,
      Uint32Array.from(rows, ([key]) => key),
    )
    sections.set(
      `${list}Starts`,
      Uint32Array.from(rows, ([, start]) => start),
    )
  }
  sections.set('lists', Uint8Array.from(pool))
}

function place(values: readonly string[], ids: Ids, pool: number[], placed: Map<string, number>): number {
  const numbers = [...new Set(values.map((value) => numberIn(ids, value)))].sort((a, b) => a - b)
  const bytes = encodeList(numbers)
  const key = bytes.join()
  const known = placed.get(key)
  if (known !== undefined) return known
  const start = pool.length
  for (const byte of bytes) pool.push(byte)
  placed.set(key, start)
  return start
}
