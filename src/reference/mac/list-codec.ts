/** One expansion as bytes: differences of ascending member keys, or its text where keys cannot express it. */
import { type ByteCursor, readByte, readVarint } from './byte-cursor.ts'
import { type ByteWriter, pushByte, pushBytes, pushVarint, writtenBytes } from './byte-writer.ts'
import { joinKey, memberText, plainKeys, splitKey } from './member-key.ts'
import { distinct, isAscending, type MemberKey, memberSet } from './member-set.ts'

/** One encoded expansion in place; valid until the next read of its source. */
export interface EncodedList {
  readonly kind: number
  readonly body: Uint8Array
}

/**
 * Writes `length * KINDS + kind`, then the body; returns the members as sorted keys, repeats kept. `scratch` is
 * overwritten.
 */
export function pushList(writer: ByteWriter, expansion: string, scratch: ByteWriter): readonly MemberKey[] {
  const keys = ascendingKeys(expansion)
  scratch.length = 0
  const kind = keys === undefined ? pushText(scratch, expansion) : pushKeys(scratch, keys, expansion)
  pushVarint(writer, scratch.length * KINDS + kind)
  pushBytes(writer, writtenBytes(scratch))
  return keys ?? memberSet(expansion.split('/'))
}

/** Kind and length, in front of a body. */
export function readListHead(cursor: ByteCursor): { kind: number; length: number } {
  const head = readVarint(cursor)
  return { kind: head % KINDS, length: Math.floor(head / KINDS) }
}

/** Body length from a one-byte head. */
export function shortLength(head: number): number {
  return head >>> 3
}

/** Members as published, in published order; `undefined` when the bytes are damaged. */
export function listMembers(list: EncodedList): string[] | undefined {
  if (list.kind === TEXT) return decoder.decode(list.body).split('/')
  const keys = listKeys(list)
  if (keys === undefined) return undefined
  const members: string[] = []
  for (const key of keys) members.push(memberText(key))
  return members
}

export function listSet(list: EncodedList): MemberKey[] | undefined {
  if (list.kind === TEXT) return memberSet(decoder.decode(list.body).split('/'))
  const keys = listKeys(list)
  return keys === undefined ? undefined : distinct(keys)
}

/** Divisor of the head; `shortLength` relies on it. */
const KINDS = 8
const SPECIFIC = 1
const LETTERS = 2
const TEXT = 4
const encoder = new TextEncoder()
// keeps a list byte for byte, including a byte order mark
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function ascendingKeys(expansion: string): number[] | undefined {
  const keys = plainKeys(expansion)
  if (keys === undefined || !isAscending(keys)) return undefined
  // keys without a first field sort first, so the two ends show whether the list is of one kind
  return isSpecific(keys[0]) === isSpecific(keys.at(-1)) ? keys : undefined
}

function isSpecific(key: number | undefined): boolean {
  return key !== undefined && splitKey(key).group > 0
}

function pushText(writer: ByteWriter, expansion: string): number {
  pushBytes(writer, encoder.encode(expansion))
  return TEXT
}

function pushKeys(writer: ByteWriter, keys: readonly number[], expansion: string): number {
  const specific = expansion.includes(':')
  const letters = keys.some((key) => splitKey(key).letter > 0)
  let before = splitKey(0)
  for (const key of keys) {
    const member = splitKey(key)
    const sameGroup = member.group === before.group
    const step = sameGroup ? member.number - before.number : member.number
    const number = letters ? step * 2 + Number(member.letter > 0) : step
    if (!sameGroup) pushVarint(writer, (member.group - before.group) * 2 + 1)
    pushVarint(writer, specific && sameGroup ? number * 2 : number)
    if (member.letter > 0) pushByte(writer, member.letter)
    before = member
  }
  return Number(specific) * SPECIFIC + Number(letters) * LETTERS
}

function listKeys({ kind, body }: EncodedList): number[] | undefined {
  const specific = (kind & SPECIFIC) !== 0
  const letters = (kind & LETTERS) !== 0
  const cursor: ByteCursor = { bytes: body, at: 0 }
  const keys: number[] = []
  let group = 0
  let number = 0
  while (cursor.at < body.length) {
    let step = readVarint(cursor)
    if (specific && (step & 1) === 1) {
      group += step >>> 1
      number = 0
      step = readVarint(cursor)
    } else if (specific) {
      step >>>= 1
    }
    number += letters ? step >>> 1 : step
    keys.push(joinKey(group, number, letters && (step & 1) === 1 ? readByte(cursor) : 0))
  }
  return cursor.at === body.length ? keys : undefined
}
