/** The file of a compiled release: written, opened, damaged. */
import { describe, expect, test } from 'vitest'
import {
  encodeContainer,
  openContainer,
  RELEASE_FORMAT_VERSION,
  type SectionArray,
  verifyContainer,
} from '../../src/reference/format.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { COLUMN_NAMES, LIST_NAMES, NAME_FLAGS, type NameFlag } from '../../src/reference/compile/tables.ts'
import { type Release, readRelease } from '../../src/reference/release.ts'
import { errorOf } from '../support/errors.ts'
import { readLate } from '../support/late-release.ts'
import { compileTexts, smallTexts } from '../support/small-release.ts'

const sections = new Map<string, SectionArray>([
  ['odd', Uint8Array.of(1, 2, 3)],
  ['numbers', Uint32Array.of(7, 2 ** 32 - 1)],
  ['empty', new Uint32Array(0)],
])
const KINDS = Object.keys(NAME_FLAGS) as NameFlag[]
const bytes = encodeContainer({ label: '3.58.0', note: 'é' }, sections)

describe('openContainer', () => {
  test('gives back what was written', () => {
    const container = openContainer(bytes)
    expect(container.meta).toEqual({ label: '3.58.0', note: 'é' })
    expect([...container.u8('odd')]).toEqual([1, 2, 3])
    expect([...container.u32('numbers')]).toEqual([7, 2 ** 32 - 1])
    expect([...container.u32('empty')]).toEqual([])
  })

  test('reads from the middle of a larger buffer, when it is aligned', () => {
    const larger = new Uint8Array(bytes.length + 64)
    larger.set(bytes, 32)
    const container = openContainer(larger.subarray(32, 32 + bytes.length))
    expect([...container.u32('numbers')]).toEqual([7, 2 ** 32 - 1])
  })

  test('copies no section', () => {
    expect(openContainer(bytes).u32('numbers').buffer).toBe(bytes.buffer)
  })

  test.for([
    ['nothing', new Uint8Array(0), 'unknown-format'],
    ['something else', Buffer.from('AlleleID,Allele and more'), 'unknown-format'],
    ['half of it', bytes.slice(0, bytes.length / 2), 'truncated-file'],
    ['more than it', Buffer.concat([bytes, Uint8Array.of(0)]), 'truncated-file'],
    ['another format', changed(4, RELEASE_FORMAT_VERSION + 1), 'unknown-format'],
  ] as const)('refuses %s', ([, given, code]) => {
    expect(() => openContainer(given)).toThrow(expect.objectContaining({ code }))
  })

  test('says what is wrong', () => {
    const messages = [new Uint8Array(31), changed(0, 0), changed(4, 4), bytes.slice(0, -1), changed(8, 1), changed(16, 1), changed(33, 0), changed(24, 0)].map(
      (given) => errorOf(() => openContainer(given)),
    )
    expect(messages.map((error) => [error?.code, error?.message])).toEqual([
      ['unknown-format', 'not a compiled release'],
      ['unknown-format', 'not a compiled release'],
      ['unknown-format', 'compiled release of format 4, not 5'],
      ['truncated-file', 'the compiled release is cut short'],
      ...Array.from({ length: 4 }, () => ['checksum-mismatch', 'the compiled release is damaged']),
    ])
    expect(errorOf(() => openContainer(bytes).u8('none'))?.message).toBe('section none is missing')
    expect(errorOf(() => verifyContainer(changed(bytes.length - 12, 77)))?.message).toBe('the compiled release is damaged')
  }) // prettier-ignore

  test('a damaged page is made again, if that gives the same file', () => {
    const large = encodeContainer({}, new Map([['a', new Uint8Array(4000).fill(7)]]))
    const damage = () => large.map((byte, at) => (at === 1500 ? byte ^ 1 : byte))
    const read = (given: Uint8Array, remake?: () => Uint8Array) => {
      const container = openContainer(given, remake)
      const array = container.u8('a')
      container.pages.need(array, 0, array.length)
      return [...array].every((byte) => byte === 7)
    }
    expect(read(damage(), () => large)).toBe(true)
    const other = encodeContainer({}, new Map([['a', new Uint8Array(4000).fill(8)]]))
    for (const remake of [undefined, () => other, () => large.slice(0, -1)])
      expect(errorOf(() => read(damage(), remake))).toMatchObject({ code: 'checksum-mismatch', message: 'the compiled release is damaged' })
  }) // prettier-ignore

  test('refuses a section of another kind, or none', () => {
    const container = openContainer(bytes)
    expect(() => container.u32('odd')).toThrow(expect.objectContaining({ code: 'unknown-format' }))
    expect(() => container.u8('none')).toThrow(expect.objectContaining({ code: 'unknown-format' }))
  })
})

describe('verifyContainer', () => {
  test('accepts what was written', () => {
    expect(() => verifyContainer(bytes)).not.toThrow()
  })

  test('finds a changed byte', () => {
    const at = bytes.length - 12 // the second number, before the checksum of its page
    expect(() => verifyContainer(changed(at, (bytes[at] ?? 0) ^ 1))).toThrow(
      expect.objectContaining({ code: 'checksum-mismatch' }),
    )
  })
})

describe('a release', () => {
  const tables = compileTexts(smallTexts())
  const encoded = encodeRelease(tables)
  const release = readRelease(encoded)

  test('is the same bytes each time', () => {
    expect(Buffer.compare(encoded, encodeRelease(compileTexts(smallTexts())))).toBe(0)
  })

  test('holds every flag, value and list of its tables', () => {
    const byNumber = (a: string, b: string) => release.idOf(a) - release.idOf(b)
    const distinct = (values: readonly string[] | undefined) => values && [...new Set(values)].sort(byNumber)
    const names = Array.from({ length: release.size }, (_, id) => release.nameOf(id))
    const each = <T>(ask: (name: string) => T) => names.map((name) => [name, ask(name)])
    expect(names.map((name) => release.idOf(name))).toEqual([...names.keys()])
    for (const kind of KINDS) {
      const expected = each((name) => ((tables.flags.get(name) ?? 0) & NAME_FLAGS[kind]) !== 0)
      expect(each((name) => release.is(kind, name))).toEqual(expected)
      expect(each((name) => release.isKind(kind, names.indexOf(name)))).toEqual(expected)
    }
    for (const column of COLUMN_NAMES)
      expect(each((name) => release.valueOf(column, name))).toEqual(
        each((name) => tables.columns[column].get(name)),
      )
    for (const list of LIST_NAMES)
      expect(each((name) => release.listOf(list, name))).toEqual(
        each((name) => distinct(tables.lists[list].get(name))),
      )
    expect(each((name) => [release.tceOf(name, 1), release.tceOf(name, 2)])).toEqual(
      each((name) => tables.tce.get(name) ?? [undefined, undefined]),
    )
    expect(tables.tce.size).toBeGreaterThan(1)
    expect(release.facts).toEqual(tables.facts)
  })

  test('knows nothing of other names', () => {
    expect(release.idOf('A*99:99')).toBe(-1)
    expect(release.is('allele', 'A*99:99')).toBe(false)
    expect(release.valueOf('g', 'A*99:99')).toBeUndefined()
    expect(release.listOf('who', 'A*99:99')).toBeUndefined()
    expect(release.valueOf('hats', 'A*01:01')).toBeUndefined()
  })
})

describe('a release that is read late', () => {
  const encoded = encodeRelease(compileTexts(smallTexts()))
  const whole = readRelease(encoded)

  // a look-up that reads its page before loading it fails only if it is the first look-up
  test.for([
    ['idOf', (release: Release, name: string) => release.idOf(name)],
    ['nameOf', (release: Release, name: string) => release.nameOf(whole.idOf(name))],
    [
      'isKind',
      (release: Release, name: string) => KINDS.map((kind) => release.isKind(kind, whole.idOf(name))),
    ],
    ...KINDS.map(
      (kind) => [`is ${kind}`, (release: Release, name: string) => release.is(kind, name)] as const,
    ),
    ...COLUMN_NAMES.map(
      (column) => [column, (release: Release, name: string) => release.valueOf(column, name)] as const,
    ),
    ...LIST_NAMES.map(
      (list) => [list, (release: Release, name: string) => release.listOf(list, name)] as const,
    ),
  ] as const)('answers %s of each name when it is the first that is asked', ([, ask]) => {
    for (let id = 0; id < whole.size; id += 1) {
      const name = whole.nameOf(id)
      expect([name, ask(readLate(encoded), name)]).toEqual([name, ask(whole, name)])
    }
  })

  test('has its facts, and no other names', () => {
    expect(readLate(encoded).facts).toEqual(whole.facts)
    expect(readLate(encoded).size).toBe(whole.size)
    expect(readLate(encoded).idOf('A*99:99')).toBe(-1)
  })

  test('loads a part of it', () => {
    const loaded = new Set<number>()
    readLate(encoded, { onLoad: (from, to) => range(from, to).forEach((at) => loaded.add(at)) }).idOf(
      'A*01:01',
    )
    expect(loaded.size).toBeLessThan(encoded.length / 2)
  })
})

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at)
}

function changed(at: number, byte: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[at] = byte
  return copy
}
