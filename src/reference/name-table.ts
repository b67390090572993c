/** Names and their numbers, sorted by locus and fields: within a locus, numbers compare as names do. */
import { readLocus } from '../nomenclature/allele.ts'
import { compareNames, compareText } from '../nomenclature/order.ts'
import { type Pages, WHOLE } from './pages.ts'

export interface NameTable {
  readonly size: number
  /** -1 when the release has no such name */
  idOf(name: string): number
  /** `idOf` for a text in UTF-16 units. */
  idOfText(units: Uint16Array): number
  nameOf(id: number): string
}

export interface EncodedNames {
  readonly offsets: Uint32Array
  readonly bytes: Uint8Array
  /** Open addressing: 12 bits of the hash, 20 bits of number + 1; the number of slots is a power of two. */
  readonly slots: Uint32Array
}

const ID_BITS = 20
const ID_MASK = (1 << ID_BITS) - 1

/** Names without a `*` (antigens) come first. */
export function sortForTable(names: Iterable<string>): string[] {
  const locus = (name: string) => (name.includes('*') ? readLocus(name) : '')
  const byLocus = new Map<string, string[]>()
  for (const name of names) {
    const group = byLocus.get(locus(name))
    if (group === undefined) byLocus.set(locus(name), [name])
    else group.push(name)
  }
  return [...byLocus.keys()].sort(compareText).flatMap((key) => (byLocus.get(key) ?? []).sort(compareNames))
}

export function encodeNames(names: readonly string[]): EncodedNames {
  const bytes = Buffer.from(names.join(''), 'latin1')
  const offsets = new Uint32Array(names.length + 1)
  names.forEach((name, id) => (offsets[id + 1] = (offsets[id] ?? 0) + name.length))
  const slots = new Uint32Array(1 << Math.ceil(Math.log2(names.length * 2 + 2)))
  names.forEach((name, id) => {
    const hash = hashName(name)
    let slot = hash & (slots.length - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
    slots[slot] = (hash & ~ID_MASK) | (id + 1)
  })
  return { offsets, bytes: new Uint8Array(bytes), slots }
}

export function readNameTable({ offsets, bytes, slots }: EncodedNames, pages: Pages = WHOLE): NameTable {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const cut: string[] = []
  const mask = slots.length - 1
  function needName(id: number): void {
    if (pages.isWhole) return
    pages.need(offsets, id, id + 2)
    pages.need(bytes, offsets[id] ?? 0, offsets[id + 1] ?? 0)
  }
  function nameAt(id: number): string {
    needName(id)
    const [from, to] = [offsets[id], offsets[id + 1]]
    return text.toString('latin1', from, to)
  }
  function idOf(name: string): number {
    const hash = hashName(name)
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      if (!pages.isWhole) pages.need(slots, slot, slot + 1)
      const entry = slots[slot] ?? 0
      if (entry === 0) return -1
      const id = (entry & ID_MASK) - 1
      if (((entry ^ hash) & ~ID_MASK) !== 0) continue
      needName(id)
      if (isAt(bytes, offsets[id] ?? 0, offsets[id + 1] ?? 0, name)) return id
    }
  }
  return {
    size: offsets.length - 1,
    nameOf: (id) => (cut[id] ??= nameAt(id)),
    idOf,
    idOfText(units) {
      const hash = hashUnits(units)
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        if (!pages.isWhole) pages.need(slots, slot, slot + 1)
        const entry = slots[slot] ?? 0
        if (entry === 0) return -1
        // about one unknown name in 4,096 gets here
        if (((entry ^ hash) & ~ID_MASK) === 0) return idOf(String.fromCharCode(...units))
      }
    },
  }
}

function isAt(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  for (let at = 0; at < name.length; at += 1) {
    if (bytes[start + at] !== name.charCodeAt(at)) return false
  }
  return true
}

/** FNV-1a over UTF-16 units, mixed once more because the low bits select the slot. */
function hashName(name: string): number {
  let hash = FIRST_HASH
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), HASH_PRIME)
  return mixed(hash)
}

function hashUnits(units: Uint16Array): number {
  let hash = FIRST_HASH
  for (let at = 0; at < units.length; at += 1) hash = Math.imul(hash ^ (units[at] ?? 0), HASH_PRIME)
  return mixed(hash)
}

const FIRST_HASH = 0x811c9dc5
const HASH_PRIME = 0x01000193

function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return half ^ (half >>> 13)
}
