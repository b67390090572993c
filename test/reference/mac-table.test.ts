import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isHlaError } from '../../src/errors.ts'
import {
  encodeMacTable,
  MAC_FORMAT_VERSION,
  type MacTable,
  readMacTable,
  openMacTable,
} from '../../src/reference/mac-table.ts'
import { memorySource } from '../../src/reference/mac/byte-source.ts'
import { encodeLayout, HEADER_BYTES, type MacLayout, readLayout } from '../../src/reference/mac/layout.ts'
import { parseNumer } from '../../src/reference/sources/numer.ts'
import { generateMacRows, generateMacText } from '../support/generate-mac.ts'
import { readNumer } from '../support/independent/files.ts'
import { hasShared } from '../support/shared.ts'
import { rounds } from '../support/rounds.ts'

type Row = readonly [code: string, expansion: string]

const SHA256 = 'a'.repeat(64)
const folder = mkdtempSync(join(tmpdir(), 'hla-mac-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SMALL: readonly Row[] = [
  ['ABC', '01/02'],
  ['AB', '01/02'],
  ['NZZG', '27/105'],
  ['ZZZ', '04N/133/158'],
  ['CFFGM', '32:15/69:01/69:02'],
  ['CRY', '01:01/01:04N'],
  ['AABZE', '25:01/26:01'],
  ['ODD', '001/2/02/X9'],
  ['DEEP', '01:01:01/01:02'],
  ['LONGCODEXYZ', '03'],
  ['DOWN', '05/04'],
  ['AB', '08/09'],
]

function encode(rows: readonly Row[]): Uint8Array {
  return encodeMacTable({ date: '2026-01-31', codes: rows }, SHA256)
}

describe('macTableOf', () => {
  const table = readMacTable(encode(SMALL))

  test('knows where its list is from', () => {
    expect(table).toMatchObject({ date: '2026-01-31', size: SMALL.length - 1, sha256: SHA256 })
  })

  test.for(SMALL.slice(0, -1))('expands %s to %s', ([code, expansion]) => {
    expect(table.expand(code)).toEqual({ generic: !expansion.includes(':'), members: expansion.split('/') })
  })

  test.for(['', 'A', 'ABD', 'ab', 'ZZZZ', 'AB1', 'A*B', 'ABCDEFGHIJKLM', 'Ä'])('does not know %j', (code) => {
    expect(table.expand(code)).toBeUndefined()
  })

  test.for([
    ['01/02', ['AB', 'ABC']], // both codes have this expansion; the shorter is first, though later in the list
    ['02/01/02', ['AB', 'ABC']],
    ['1/002', ['AB', 'ABC']],
    ['105/27', ['NZZG']], // numbers of different length
    ['133/4N/158', ['ZZZ']],
    ['4/133/158', []],
    ['26:01/25:01/25:01', ['AABZE']],
    ['26:1/25:01', ['AABZE']],
    ['69:02/69:01/32:15', ['CFFGM']],
    ['1/2/X9', []],
    ['X9/1/2', []],
    ['02/001/X9', []],
    ['01:02/01:01:01', ['DEEP']],
    ['04/05', ['DOWN']],
    ['08/09', []], // the second row of AB, hidden by the first
    ['', []],
  ] as const)('the codes of %s are %j', ([members, codes]) => {
    const expected = members.includes('X9') ? ['ODD'] : codes
    expect(table.codesOf(members.split('/'), !members.includes(':'))).toEqual(expected)
  })

  test('keeps generic and specific sets apart', () => {
    expect(table.codesOf(['01', '02'], false)).toEqual([])
    expect(table.codesOf(['25:01', '26:01'], true)).toEqual([])
    expect(table.codesOf([], true)).toEqual([])
  })

  test.for([
    ['A', ['AABZE', 'AB', 'ABC']],
    ['AB', ['AB', 'ABC']],
    ['Z', ['ZZZ']],
    ['LONGCODEXYZ', ['LONGCODEXYZ']],
    ['LONGCODEXYZZ', []],
    ['ab', []],
  ] as const)('the codes that begin with %s are %j', ([prefix, codes]) => {
    expect([...table.codesWithPrefix(prefix)]).toEqual(codes)
  })

  test('lists all codes in alphabetical order', () => {
    const codes = [...new Set(SMALL.map(([code]) => code))].sort()
    expect([...table.codesWithPrefix('')]).toEqual(codes)
  })

  test.for([
    [[], ''],
    [['AB', 'ZZ', 'ABC', 'AAB'], 'ABC'],
    [['ZZZZ', 'CUWRA', 'CUWPY', 'AAAAA', 'ZY'], 'CUWRA'],
  ] as const)('knows the last code of %j', ([codes, last]) => {
    expect(readMacTable(encode(codes.map((code) => [code, '01/02'] as const))).last).toBe(last)
  })

  test('can be empty', () => {
    const empty = readMacTable(encode([]))
    expect(empty.size).toBe(0)
    expect(empty.expand('AB')).toBeUndefined()
    expect(empty.codesOf(['01'], true)).toEqual([])
    expect([...empty.codesWithPrefix('')]).toEqual([])
  })
})

describe('encodeMacTable', () => {
  test.for(['', 'ab', 'A1', 'ABCDEFGHIJKL'])('refuses the code %j', (code) => {
    expect(() => encode([[code, '01/02']])).toThrow(expect.objectContaining({ code: 'bad-release-file' }))
  })

  const field = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 140 }).map((n) => String(n).padStart(2, '0')) },
    fc.integer({ min: 0, max: 2 ** 40 }).map(String),
    fc.constantFrom('0', '00', '001', '1', '999999', '1000000'),
  )
  const letter = fc.constantFrom('', '', '', 'N', 'L', 'Z', 'NN')
  const generic = fc.tuple(field, letter).map((parts) => parts.join(''))
  const specific = fc.tuple(field, generic).map((parts) => parts.join(':'))
  const expansion = fc
    .oneof(
      fc.array(generic, { minLength: 1, maxLength: 12 }),
      fc.array(specific, { minLength: 1, maxLength: 12 }),
      fc
        .uniqueArray(fc.integer({ min: 1, max: 140 }), { minLength: 2, maxLength: 30 })
        .map((numbers) => numbers.sort((one, other) => one - other).map((n) => String(n).padStart(2, '0'))),
    )
    .map((members) => members.join('/'))
  const code = fc.oneof(fc.stringMatching(/^[A-Z]{1,3}$/), fc.stringMatching(/^[A-Z]{1,11}$/))
  const lists = fc.uniqueArray(fc.tuple(code, expansion), { selector: ([code]) => code, maxLength: 40 })

  test('keeps every expansion as it was written, and finds every code again', () => {
    fc.assert(
      fc.property(lists, fc.string(), (rows, other) => {
        const table = readMacTable(encode(rows))
        for (const [code, text] of rows) {
          const members = text.split('/')
          expect(table.expand(code)?.members).toEqual(members)
          expect(table.codesOf([...members, ...members].reverse(), !text.includes(':'))).toEqual(
            codesOf(rows, text),
          )
        }
        expect([...table.codesWithPrefix('')]).toEqual(rows.map(([code]) => code).sort())
        expect(table.expand(other) !== undefined).toBe(rows.some(([code]) => code === other))
      }),
    )
  })

  test('gives the same bytes for rows in any order', () => {
    const rows = [...generateMacRows(3_000)]
    expect(Buffer.compare(encode(rows), encode(rows.toReversed()))).toBe(0)
  })
})

describe('openMacTable', () => {
  const rows = [...generateMacRows(30_000)]
  const path = join(folder, 'generated')
  const whole = encode(rows)
  let table: MacTable

  beforeAll(() => {
    writeFileSync(path, whole)
    table = openMacTable(path)
  })
  afterAll(() => table.close())

  // with this many look-ups the table switches from reading blocks to reading the whole file
  test('answers every look-up of a long list', () => {
    const wrong = rows.filter(([code, text]) => {
      const { members, generic } = table.expand(code) ?? { members: [], generic: true }
      return members.join('/') !== text || table.codesOf(members, generic).join() !== code
    })
    expect(wrong).toEqual([])
  })

  test('can be asked while it lists codes', () => {
    const fresh = openMacTable(path)
    const listed: string[] = []
    for (const code of fresh.codesWithPrefix('B')) {
      listed.push(code)
      fresh.expand('AAA')
    }
    fresh.close()
    expect(listed).toEqual(
      rows
        .map(([code]) => code)
        .filter((code) => code.startsWith('B'))
        .sort(),
    )
  })

  test.for([
    ['truncated-file', (bytes: Uint8Array) => bytes.subarray(0, -1)],
    ['truncated-file', (bytes: Uint8Array) => bytes.subarray(0, 20)],
    ['truncated-file', (bytes: Uint8Array) => bytes.subarray(0, 3)],
    ['bad-release-file', () => new Uint8Array()],
    ['bad-release-file', () => new TextEncoder().encode('ABC\t01/02\n'.repeat(50))],
    ['bad-release-file', (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.of(0)])],
    ['bad-release-file', (bytes: Uint8Array) => changed(bytes, 12)],
    ['unknown-format', (bytes: Uint8Array) => changed(bytes, 8)],
  ] as const)('refuses with %s', ([code, change]) => {
    const spoilt = join(folder, 'spoilt')
    writeFileSync(spoilt, change(encode(SMALL)))
    expect(() => openMacTable(spoilt)).toThrow(
      expect.objectContaining({ name: 'HlaError', code, offending: spoilt }),
    )
  })

  describe('a header whose numbers do not go together', () => {
    const bytes = encode(SMALL)
    const layout = readLayout(memorySource(bytes))
    const head = (changes: Partial<MacLayout>) =>
      readLayout(memorySource(Buffer.concat([encodeLayout({ ...layout, ...changes }), bytes.subarray(HEADER_BYTES)]))) // prettier-ignore

    test.for([
      ['no letters of a code', { codeWidth: 0 }],
      ['more letters than a code has', { codeWidth: 12 }],
      ['wider codes in pairs', { codeBytes: layout.codeBytes + 1 }],
      ['another number of codes', { size: layout.size + 1 }],
      ['another number of blocks', { blocks: layout.blocks + 1 }],
      ['an index of blocks within the header', { blockIndexAt: HEADER_BYTES - 1 }],
      ['an index of blocks elsewhere', { blockIndexAt: layout.blockIndexAt + 1 }],
      ['pairs elsewhere', { pairsAt: layout.pairsAt - 1 }],
      ['an index of pairs elsewhere', { pairIndexAt: layout.pairIndexAt + 1 }],
      ['an end elsewhere', { fileBytes: layout.fileBytes - 1 }],
      ['an end that is no number', { fileBytes: Number.NaN }],
    ] as const)('is refused: %s', ([, changes]) => {
      expect(() => head(changes)).toThrow('the list of codes is damaged')
    })

    test('is read where they do', () => {
      expect(head({})).toEqual(layout)
      expect(head({ codeWidth: 1, date: '2026-02-01', last: 'ZZ' })).toEqual({
        ...layout,
        codeWidth: 1,
        date: '2026-02-01',
        last: 'ZZ',
      })
      expect(head({ codeWidth: 11 }).codeWidth).toBe(11)
    })
  })

  test('says which format it found', () => {
    expect(() => readMacTable(changed(encode(SMALL), 8))).toThrow(
      expect.objectContaining({
        facts: { found: String(MAC_FORMAT_VERSION + 1), expected: String(MAC_FORMAT_VERSION) },
      }),
    )
  })

  test('says that a file is not there', () => {
    expect(() => openMacTable(join(folder, 'none'))).toThrow(expect.objectContaining({ code: 'io' }))
  })

  test('notices a file that is cut while it is open', () => {
    const cut = join(folder, 'cut')
    writeFileSync(cut, encode(SMALL))
    const open = openMacTable(cut)
    truncateSync(cut, 100)
    expect(() => open.expand('AB')).toThrow(expect.objectContaining({ code: 'truncated-file' }))
    open.close()
  })

  test('answers or throws an HlaError whatever bytes are damaged', () => {
    const sound = encode(SMALL)
    fc.assert(
      fc.property(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        expect(errorOf(() => walk(changed(sound, at, by)))).toSatisfy(isNothingOrHlaError)
      }),
      { numRuns: rounds(500) },
    )
  })
})

describe.skipIf(!hasShared)('the published list', () => {
  const text = hasShared ? readNumer() : ''

  test('comes back row by row, both ways', () => {
    const rows = [...parseNumer(text).codes]
    const bytes = encodeMacTable(parseNumer(text), SHA256)
    const table = readMacTable(bytes)
    expect(table.size).toBe(12_527)
    expect(bytes.length).toBeLessThan(text.length / 2)
    const wrong = rows.filter(([code, expansion]) => {
      const { generic, members } = table.expand(code) ?? { generic: false, members: [] }
      return members.join('/') !== expansion || !table.codesOf(members.toReversed(), generic).includes(code)
    })
    expect(wrong).toEqual([])
    expect(table.codesOf(['01', '02'], true)).toEqual(['AB', 'ABC'])
    expect(table.codesOf(['105', '27'], true)).toEqual(['NZZG'])
  })
})

describe('generateMacText', () => {
  test('is a list that the parser reads, with no code and no expansion twice', () => {
    const rows = [...parseNumer(generateMacText(20_000)).codes]
    expect(rows).toHaveLength(20_000)
    expect(new Set(rows.map(([code]) => code)).size).toBe(20_000)
    expect(new Set(rows.map(([, expansion]) => expansion)).size).toBe(20_000)
  })
})

/** The expected result of `codesOf`, by linear search. */
function codesOf(rows: readonly Row[], expansion: string): string[] {
  const wanted = canonical(expansion)
  const codes = rows.filter(([, text]) => canonical(text) === wanted).map(([code]) => code)
  return codes.sort().sort((one, other) => one.length - other.length)
}

function canonical(expansion: string): string {
  const members = expansion.split('/').map((member) => member.replace(/\b0+(?=\d)/g, ''))
  return [...new Set(members)].sort().join('/')
}

function changed(bytes: Uint8Array, at: number, by = 1): Uint8Array {
  return bytes.map((byte, index) => (index === at ? (byte + by) % 256 : byte))
}

function walk(bytes: Uint8Array): void {
  const table = readMacTable(bytes)
  for (const [code, text] of SMALL) {
    table.expand(code)
    table.codesOf(text.split('/'), !text.includes(':'))
  }
  Array.from(table.codesWithPrefix(''))
}

function errorOf(act: () => void): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

function isNothingOrHlaError(error: unknown): boolean {
  return error === undefined || isHlaError(error)
}
