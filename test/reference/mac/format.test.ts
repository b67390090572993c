/** A compiled list of codes as a file: its bytes, its faults, and look-ups over several of its blocks. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  encodeMacTable,
  lateMacTable,
  MAC_FORMAT_VERSION,
  openMacTable,
  readMacTable,
  verifyMacTable,
} from '../../../src/reference/mac-table.ts'
import { PAGE_BYTES, memorySource } from '../../../src/reference/mac/byte-source.ts'
import { readLayout } from '../../../src/reference/mac/layout.ts'
import { errorOf } from '../../support/errors.ts'
import { tempFolder } from '../../support/temp.ts'

type Row = readonly [code: string, expansion: string]

const temp = tempFolder()
const SHA256 = 'b'.repeat(64)
const encode = (codes: readonly Row[]) => encodeMacTable({ date: '2026-01-31', codes }, SHA256)
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

const FEW: readonly Row[] = [
  ['ABC', '01/02'],
  ['AB', '01/02'],
  ['CFFGM', '32:15/69:01N'],
  ['ODD', '001/X9'],
  ['AB', '03'],
]

/** Code of three letters. */
const codeAt = (at: number) =>
  [at / 676, at / 26, at].map((part) => String.fromCharCode(65 + (Math.floor(part) % 26))).join('')
const field = (number: number) => String(number).padStart(2, '0')
/** Each twentieth code has the same expansion: its pairs take more than one block. */
const MANY: readonly Row[] = Array.from({ length: 15_000 }, (_, at) => [
  codeAt(at),
  at % 20 === 0 ? '01/02' : `${field(at % 97)}:01/${field((at % 97) + 1)}:${field((at % 89) + 1)}/${100 + (at % 300)}:${field(at % 99)}N`,
]) // prettier-ignore

test('the bytes of a list are those of its format', () => {
  const few = encode(FEW)
  expect([MAC_FORMAT_VERSION, few.length, digest(few)]).toEqual([3, 237, '5e0c7d6429846c38'])
  const many = encode(MANY)
  expect([many.length, digest(many)]).toEqual([249_749, 'fcfb7d144d455fb1'])
  expect(readLayout(memorySource(few))).toEqual({
    date: '2026-01-31',
    sha256: SHA256,
    last: 'CFFGM',
    size: 4,
    codeWidth: 5,
    codeBytes: 3,
    blocks: 1,
    blockIndexAt: 189,
    pairsAt: 201,
    pairIndexAt: 229,
    fileBytes: 233,
  })
  expect([0, 1, 2].map((count) => encode(FEW.slice(0, count)).length)).toEqual([164, 190, 200])
})

test('every code of many blocks is found, and no other', () => {
  const rows = new Map(MANY)
  const table = readMacTable(encode(MANY))
  expect(readLayout(memorySource(encode(MANY))).blocks).toBeGreaterThan(20)
  const wrong = [...rows].filter(([code, text]) => table.expand(code)?.members.join('/') !== text)
  expect(wrong).toEqual([])
  expect(['A', 'AA', 'ZZZ', 'WEY', 'AAAA'].map((code) => [code, table.expand(code)])).toEqual(
    ['A', 'AA', 'ZZZ', 'WEY', 'AAAA'].map((code) => [code, undefined]),
  )
  expect(table.codesOf(['02', '01'], true)).toEqual([...rows].filter(([, text]) => text === '01/02').map(([code]) => code))
  for (const prefix of ['', 'A', 'B', 'BC', 'WE', 'X', 'MM'])
    expect([...table.codesWithPrefix(prefix)]).toEqual([...rows.keys()].filter((code) => code.startsWith(prefix)))
}) // prettier-ignore

test('an expansion is the same object when it is asked for again', () => {
  const table = readMacTable(encode(FEW))
  expect(table.expand('AB')).toBe(table.expand('AB'))
  expect(table.expand('CFFGM')).toEqual({ generic: false, members: ['32:15', '69:01N'] })
  expect(table.codesOf(['001', 'X9'], true)).toEqual(['ODD'])
})

const AGAIN = 'install the list of codes again'

test.for([
  ['of another kind', 'bad-release-file', 'is not a compiled list of codes', () => new TextEncoder().encode('hla-max\n'.repeat(40))],
  ['empty', 'bad-release-file', 'is not a compiled list of codes', () => new Uint8Array()],
  ['cut in its header', 'truncated-file', 'is shorter than its header says', (bytes: Uint8Array) => bytes.subarray(0, 159)],
  ['cut in its first word', 'truncated-file', 'is shorter than its header says', (bytes: Uint8Array) => bytes.subarray(0, 4)],
  ['cut at its end', 'truncated-file', 'is shorter than its header says', (bytes: Uint8Array) => bytes.subarray(0, -1)],
  ['of another format', 'unknown-format', `has format 4, this program reads ${MAC_FORMAT_VERSION}`, (bytes: Uint8Array) => bytes.map((byte, at) => (at === 8 ? 4 : byte))],
  ['longer', 'bad-release-file', 'is damaged', (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.of(0)])],
  ['damaged in its header', 'bad-release-file', 'is damaged', (bytes: Uint8Array) => bytes.map((byte, at) => (at === 60 ? byte + 1 : byte))],
] as const)('a list that is %s is refused', ([, code, message, change]) => {
  const bytes = change(encode(FEW))
  writeFileSync(temp('spoilt'), bytes)
  const facts = code === 'unknown-format' ? { found: '4', expected: '3' } : undefined
  expect(errorOf(() => openMacTable(temp('spoilt')))).toMatchObject({ code, message: `${temp('spoilt')} ${message}`, offending: temp('spoilt'), hint: AGAIN, facts })
  expect(errorOf(() => readMacTable(bytes))).toMatchObject({ code, message: `the list of codes ${message}` })
  expect(errorOf(() => verifyMacTable(bytes))).toMatchObject({ code, message: `the list of codes ${message}` })
}) // prettier-ignore

test('a list is verified as a whole', () => {
  const bytes = encode(MANY)
  expect(verifyMacTable(bytes)).toBe(SHA256)
  for (const at of [PAGE_BYTES * 2, bytes.length - 1])
    expect(errorOf(() => verifyMacTable(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))))).toMatchObject({
      code: 'bad-release-file',
      message: 'the list of codes is damaged',
      hint: AGAIN,
    })
}) // prettier-ignore

test('a code that is no code is named', () => {
  expect(errorOf(() => encode([['A1', '01']]))).toMatchObject({
    code: 'bad-release-file',
    message: 'a code is 1 to 11 letters A to Z, not "A1"',
    offending: 'A1',
  })
})

test('a late table is opened at its first use, once', () => {
  const done: string[] = []
  const late = lateMacTable(() => {
    done.push('opened')
    const table = readMacTable(encode(FEW))
    return { ...table, close: () => void done.push('closed') }
  })
  late.close()
  expect(done).toEqual([])
  const { date, size, sha256, last } = late
  expect({ date, size, sha256, last }).toEqual({ date: '2026-01-31', size: 4, sha256: SHA256, last: 'CFFGM' })
  expect(late.expand('AB')?.members).toEqual(['01', '02'])
  expect(late.codesOf(['01', '02'], true)).toEqual(['AB', 'ABC'])
  expect(late.codesOf(['01', '02'], false)).toEqual([])
  expect([...late.codesWithPrefix('AB')]).toEqual(['AB', 'ABC'])
  late.close()
  expect(done).toEqual(['opened', 'closed'])
})
