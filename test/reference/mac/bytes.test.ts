/** Numbers, codes, members and lists as the bytes of a compiled list of codes. */
import { truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readVarint } from '../../../src/reference/mac/byte-cursor.ts'
import {
  type ByteSource,
  PAGE_BYTES,
  checkedSource,
  fileSource,
  memorySource,
  sumsLength,
} from '../../../src/reference/mac/byte-source.ts'
import {
  byteWriter,
  pushByte,
  pushBytes,
  pushVarint,
  writtenBytes,
} from '../../../src/reference/mac/byte-writer.ts'
import { keySpan, packCode, unpackCode } from '../../../src/reference/mac/code-key.ts'
import { listMembers, listSet, pushList, readListHead } from '../../../src/reference/mac/list-codec.ts'
import { joinKey, memberText, plainKeys, splitKey } from '../../../src/reference/mac/member-key.ts'
import { distinct, hashSet, isAscending, memberSet, sameSet } from '../../../src/reference/mac/member-set.ts'
import { pageSums } from '../../../src/reference/pages.ts'
import { errorOf } from '../../support/errors.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

test.for([
  [0, [0]],
  [127, [127]],
  [128, [128, 1]],
  [300, [172, 2]],
  [16_383, [255, 127]],
  [16_384, [128, 128, 1]],
  [2 ** 31 - 1, [255, 255, 255, 255, 7]],
  [2 ** 31, [128, 128, 128, 128, 8]],
  [2 ** 35 + 5, [133, 128, 128, 128, 128, 1]],
  [Number.MAX_SAFE_INTEGER, [255, 255, 255, 255, 255, 255, 255, 15]],
] as const)('%d is written as %j', ([value, bytes]) => {
  const writer = byteWriter(1)
  pushVarint(writer, value)
  expect([...writtenBytes(writer)]).toEqual(bytes)
  const cursor = { bytes: Uint8Array.of(9, ...bytes, 9), at: 1 }
  expect([readVarint(cursor), cursor.at]).toEqual([value, 1 + bytes.length])
})

test('a number that is cut off ends', () => {
  const cursor = { bytes: Uint8Array.of(129), at: 0 }
  expect([readVarint(cursor), cursor.at]).toEqual([1, 2])
})

test('bytes are kept while their array grows', () => {
  const writer = byteWriter(2)
  for (const byte of [1, 2, 3]) pushByte(writer, byte)
  pushBytes(writer, Uint8Array.of(4, 5, 6, 7, 8, 9, 10))
  pushBytes(writer, Uint8Array.of())
  pushByte(writer, 11)
  expect([...writtenBytes(writer)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  expect([byteWriter().bytes.length, writer.bytes.length]).toEqual([256, 20])
})

test.for([
  ['A', 1, 1],
  ['Z', 1, 26],
  ['A', 2, 27],
  ['AA', 2, 28],
  ['AZ', 2, 53],
  ['B', 2, 54],
  ['ZZ', 2, 728],
  ['ZZZZZZZZZZZ', 11, 27 ** 11 - 1],
  ['A', 11, 27 ** 10],
] as const)('%s of %d letters is the number %d', ([code, width, key]) => {
  expect([packCode(code, width), unpackCode(key, width)]).toEqual([key, code])
})

test('a code is one letter A to Z or more, up to the width', () => {
  for (const code of ['', 'AAA', '@', '[', 'a', 'A@', 'A1', '\0']) expect(packCode(code, 2)).toBeUndefined()
  expect([keySpan(0, 3), keySpan(1, 3), keySpan(3, 3)]).toEqual([27 ** 3, 27 ** 2, 1])
})

const parts = (text: string) => plainKeys(text)?.map((key) => Object.values(splitKey(key)))

test.for([
  ['01', [[0, 1, 0]]],
  ['01/99/100/999/1000/99999/100000/999999', [[0, 1, 0], [0, 99, 0], [0, 100, 0], [0, 999, 0], [0, 1000, 0], [0, 99_999, 0], [0, 100_000, 0], [0, 999_999, 0]]],
  ['00', [[0, 0, 0]]],
  ['04N/09Z/10A', [[0, 4, 14], [0, 9, 26], [0, 10, 1]]],
  ['25:01/26:01N', [[26, 1, 0], [27, 1, 14]]],
  ['00:00', [[1, 0, 0]]],
  ['01:01/02', [[2, 1, 0], [0, 2, 0]]],
] as const)('the members of %s are numbers', ([text, members]) => {
  expect(parts(text)).toEqual(members)
  expect(plainKeys(text)?.map(memberText).join('/')).toBe(text)
  expect(plainKeys(text)?.map(splitKey).map(({ group, number, letter }) => joinKey(group, number, letter))).toEqual(plainKeys(text))
}) // prettier-ignore

test.for(['', '/', '1', '001', '0100', '1000000', 'N', '01NN', '01N1', '01n', '01:', ':01', '01:02:03', '01N:02', '01/', '/01', '01 ', '01@', '01[', '1:01', '01:1', '01-02', '0x', '12;', '0/1'])(
  '%j is no list of such members', (text) => {
    expect(plainKeys(text)).toBeUndefined()
  },
) // prettier-ignore

function encoded(expansion: string) {
  const [writer, scratch] = [byteWriter(), byteWriter()]
  pushByte(scratch, 99)
  const keys = pushList(writer, expansion, scratch)
  const cursor = { bytes: writtenBytes(writer), at: 0 }
  const { kind, length } = readListHead(cursor)
  const body = cursor.bytes.subarray(cursor.at)
  expect(body.length).toBe(length)
  return { keys, list: { kind, body } }
}

const ascii = (text: string) => [...Buffer.from(text)]

test.for([
  ['01/02', 0, [1, 1]],
  ['01/01', 0, [1, 0]],
  ['01/03/100', 0, [1, 2, 97]],
  ['04N/133/158', 2, [9, 14, 130, 2, 50]],
  ['25:01/26:01', 1, [53, 1, 3, 1]],
  ['25:01/25:03', 1, [53, 1, 4]],
  ['01:01/01:04N', 3, [5, 2, 14, 14]],
  ['02/01', 4, ascii('02/01')],
  ['02/01:01', 4, ascii('02/01:01')],
  ['1/2', 4, ascii('1/2')],
  ['\uFEFFA', 4, ascii('\uFEFFA')],
] as const)('the list %s is of kind %d, with the bytes %j', ([text, kind, body]) => {
  const { keys, list } = encoded(text)
  expect({ kind: list.kind, body: [...list.body] }).toEqual({ kind, body })
  expect(listMembers(list)).toEqual(text.split('/'))
  expect(listSet(list)).toEqual(memberSet(text.split('/')))
  expect(distinct(keys)).toEqual(memberSet(text.split('/')))
})

test('a list that ends within a number is damaged', () => {
  for (const [kind, body] of [[0, [1, 129]], [1, [53]], [2, [9]], [3, [5, 2, 14]]] as const) {
    const list = { kind, body: Uint8Array.from(body) }
    expect([listMembers(list), listSet(list)]).toEqual([undefined, undefined])
  }
}) // prettier-ignore

test('sets are equal whatever the order, repeats and leading zeros', () => {
  const setOf = (text: string) => memberSet(text.split('/'))
  for (const other of ['02/01', '1/2', '01/02/02', '002/0001']) expect(setOf(other)).toEqual(setOf('01/02'))
  expect(setOf('1:2N/01:1')).toEqual(setOf('01:01/01:02N'))
  // what is no number is text, behind the numbers
  expect(setOf('X9/2/B/1/X9')).toEqual([joinKey(0, 1, 0), joinKey(0, 2, 0), 'B', 'X9'])
  expect(setOf('1:2:3/01:02:003')).toEqual(['01:02:03'])
  expect(setOf('0/00')).toEqual([joinKey(0, 0, 0)])
  expect(memberSet([])).toEqual([])
  expect(memberSet(['01/02'])).toEqual(['01/02'])
})

test('order, repeats and equality of members', () => {
  expect([[], [1], [1, 1], [1, 2, 'a', 'b'], ['a', 'a']].map(isAscending)).toEqual([true, true, true, true, true])
  expect([[2, 1], ['b', 'a'], ['a', 1], [1, 3, 2]].map(isAscending)).toEqual([false, false, false, false])
  expect(distinct([1, 1, 2, 'a', 'a', 'b'])).toEqual([1, 2, 'a', 'b'])
  expect([sameSet([1, 'a'], [1, 'a']), sameSet([], [])]).toEqual([true, true])
  expect([sameSet([1], [1, 2]), sameSet([1, 2], [1]), sameSet([1, 2], [1, 3]), sameSet([1], ['1'])]).toEqual([false, false, false, false])
}) // prettier-ignore

test('a hash is of the distinct members, and the same in every program', () => {
  const hash = (text: string) => hashSet(memberSet(text.split('/')))
  expect(hashSet([1, 1, 2])).toBe(hashSet([1, 2]))
  const texts = ['01', '02', '01/02', '01N', '01:01', '02:01', 'X9', 'X8', 'X9/Y', '01:01:01', '100000']
  const hashes = texts.map(hash)
  expect(new Set(hashes).size).toBe(texts.length)
  expect(hashes).toEqual([302_545_814, 211_577_415, 217_204_272, 241_986_598, 123_394_387, 305_768_374, 68_188_952, 143_157_297, 121_806_448, 119_220_223, 438_557_790])
  expect(Math.max(...hashes)).toBeLessThan(2 ** 29)
}) // prettier-ignore

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31) % 253)
const summed = (bytes: Uint8Array) =>
  Buffer.concat([bytes, new Uint8Array(pageSums(bytes, PAGE_BYTES).buffer)])
const fail = () => {
  throw new Error('damaged')
}

test('a page takes four bytes of checksums', () => {
  expect([0, 1, PAGE_BYTES, PAGE_BYTES + 1].map(sumsLength)).toEqual([0, 4, 4, 8])
})

test('a file is read in pieces, and whole after many', () => {
  const bytes = bytesOf(3 * PAGE_BYTES)
  writeFileSync(temp('pieces'), bytes)
  const source = fileSource(temp('pieces'))
  expect([source.name, source.size]).toEqual([temp('pieces'), bytes.length])
  const pieces = [[0, 10], [5, 9000], [bytes.length - 3, 3], [7, 0], [0, bytes.length]] as const
  for (const [offset, length] of pieces) expect(source.read(offset, length)).toEqual(bytes.subarray(offset, offset + length))
  for (let read = pieces.length; read < 64; read += 1) source.read(read, 1)
  expect(source.isInMemory()).toBe(false)
  source.read(0, 1)
  expect(source.isInMemory()).toBe(true)
  for (const [offset, length] of pieces) expect(source.read(offset, length)).toEqual(bytes.subarray(offset, offset + length))
  source.close()
  expect(() => source.close()).toThrow(expect.objectContaining({ code: 'EBADF' }))
}) // prettier-ignore

test('a file that is missing, or ends too soon, is named', () => {
  expect(errorOf(() => fileSource(temp('none')))).toMatchObject({
    code: 'io',
    message: `${temp('none')} cannot be opened`,
    offending: temp('none'),
    cause: { code: 'ENOENT' },
  })
  writeFileSync(temp('short'), bytesOf(100))
  const source = fileSource(temp('short'))
  truncateSync(temp('short'), 50)
  expect([...source.read(0, 50)]).toEqual([...bytesOf(50)])
  expect(errorOf(() => source.read(0, 51))).toMatchObject({
    code: 'truncated-file',
    message: `${temp('short')} ends too soon`,
    offending: temp('short'),
  })
  source.close()
})

test('memory is read in place', () => {
  const source = memorySource(bytesOf(10))
  expect({ ...source, read: [...source.read(2, 3)], isInMemory: source.isInMemory(), close: source.close() }).toEqual({
    name: 'the list of codes',
    size: 10,
    read: [62, 93, 124],
    isInMemory: true,
    close: undefined,
  })
  expect(memorySource(bytesOf(1), 'x').name).toBe('x')
}) // prettier-ignore

const SIZE = 2 * PAGE_BYTES + 100

test('what is read is checked by its pages, in memory once and on disk each time', () => {
  const bytes = summed(bytesOf(SIZE))
  const asked: string[] = []
  const watched = (raw: ByteSource): ByteSource => ({
    ...raw,
    read: (offset, length) => {
      asked.push(`${offset}+${length}`)
      return raw.read(offset, length)
    },
  })
  const source = checkedSource(watched(memorySource(bytes, 'x')), SIZE, fail)
  expect([source.name, source.size, source.isInMemory()]).toEqual(['x', SIZE, true])
  const ranges = [[0, 1], [PAGE_BYTES - 1, 1], [PAGE_BYTES - 1, 2], [PAGE_BYTES, 1], [SIZE - 1, 1], [0, SIZE], [5, 0], [SIZE, 0]] as const
  for (const [offset, length] of ranges) expect([...source.read(offset, length)]).toEqual([...bytesOf(SIZE).subarray(offset, offset + length)])
  const P = PAGE_BYTES
  expect(asked).toEqual([`${SIZE}+12`, `0+${P}`, `0+${P}`, `0+${2 * P}`, `${P}+${P}`, `${2 * P}+100`, `0+${SIZE}`, `0+${P}`, `${2 * P}+100`])
  for (const [offset, length] of [[-1, 2], [SIZE, 1], [0, SIZE + 1]] as const) expect(() => source.read(offset, length)).toThrow('damaged')
  // memory that was checked is not checked again
  bytes[3] = 255
  expect(source.read(3, 1)[0]).toBe(255)
  for (const at of [0, PAGE_BYTES - 1, PAGE_BYTES, SIZE - 1, SIZE, SIZE + 11]) {
    const changed = summed(bytesOf(SIZE))
    changed[at] = (changed[at] ?? 0) ^ 1
    const page = Math.min(Math.floor((at < SIZE ? at : at === SIZE ? 0 : SIZE - 1) / PAGE_BYTES), 2)
    const damaged = checkedSource(memorySource(changed), SIZE, fail)
    for (const other of [0, 1, 2]) {
      const read = () => damaged.read(other * PAGE_BYTES + 9, 1)
      if (other === page) expect(read).toThrow('damaged')
      else expect(read()).toHaveLength(1)
    }
  }
  writeFileSync(temp('changing'), summed(bytesOf(SIZE)))
  const file = checkedSource(fileSource(temp('changing')), SIZE, fail)
  expect(file.read(3, 1)[0]).toBe(93)
  writeFileSync(temp('changing'), bytes)
  expect(() => file.read(3, 1)).toThrow('damaged')
  file.close()
}) // prettier-ignore
