/** Expansions as sets: order, repeats and leading zeros do not matter. */
import { plainKeys } from './member-key.ts'

/** Number of a member that has one, else its text with normalised leading zeros. */
export type MemberKey = number | string

/** Sorted and distinct. */
export function memberSet(members: readonly string[]): MemberKey[] {
  const plain = plainKeys(members.join('/'))
  const keys = plain?.length === members.length ? plain : members.map(memberKey)
  return distinct(isAscending(keys) ? keys : keys.sort(compareKeys))
}

export function isAscending(keys: readonly MemberKey[]): boolean {
  for (let at = 1; at < keys.length; at++) if (compareKeys(keys[at - 1] ?? 0, keys[at] ?? 0) > 0) return false
  return true
}

export function distinct(sorted: readonly MemberKey[]): MemberKey[] {
  const keys: MemberKey[] = []
  for (const key of sorted) if (key !== keys.at(-1)) keys.push(key)
  return keys
}

export function sameSet(one: readonly MemberKey[], other: readonly MemberKey[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index])
}

/** Bits of `hashSet`: together with 24 for the rank of a code, a pair is still an exact number. */
export const HASH_BITS = 29

/** Hash of a sorted list; repeats count once. */
export function hashSet(sorted: readonly MemberKey[]): number {
  let hash = 0
  let previous: MemberKey | undefined
  for (const key of sorted) {
    if (key !== previous) hash = typeof key === 'number' ? mixNumber(hash, key) : mixText(hash, key)
    previous = key
  }
  return mixHash(hash) >>> (32 - HASH_BITS)
}

function memberKey(member: string): MemberKey {
  const even = member.split(':').map(twoFigures).join(':')
  const keys = plainKeys(even)
  return keys?.length === 1 ? (keys[0] ?? even) : even
}

/** `1N`, `01N` and `001N` are all `01N`. */
function twoFigures(field: string): string {
  return field.replace(/^0*(\d+)/, (_, figures: string) => figures.padStart(2, '0'))
}

function compareKeys(one: MemberKey, other: MemberKey): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1
  return one < other ? -1 : Number(one > other)
}

function mixNumber(hash: number, key: number): number {
  return mix(mix(hash, key | 0), Math.floor(key / 2 ** 32))
}

function mixText(hash: number, text: string): number {
  let mixed = mix(hash, text.length)
  for (let at = 0; at < text.length; at++) mixed = mix(mixed, text.charCodeAt(at))
  return mixed
}

/** One round of MurmurHash3 (Appleby, public domain). */
function mix(hash: number, word: number): number {
  const scrambled = Math.imul(word, 0xcc9e2d51)
  const mixed = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593)
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
}

/** Final mix of MurmurHash3: every output bit depends on every input bit. */
function mixHash(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}
