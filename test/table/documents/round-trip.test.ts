/** Documents written back: everything except the typings is unchanged, byte for byte. */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { HlaError } from '../../../src/errors.ts'
import { ADDED, randomDonors, randomHml, randomInventory } from '../../support/random-documents.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { convertRecords } from '../../support/record-tables.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'

const DATE = '2026-01-02'
process.env['SOURCE_DATE_EPOCH'] = String(Date.parse(DATE) / 1000)

const SAME = { outputFormat: 'same' } as const
const ROUNDS = process.env['HLA_LONG'] ? 3000 : 30

/** Encodings of a stored text. */
const STORED: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
]

function store(text: string, round: number): Buffer {
  return STORED[round % STORED.length]?.(text) ?? Buffer.from(text)
}

/** Output and expected output, where they differ. */
async function differences(
  file: string,
  expected: (round: number, random: () => number) => { before: Buffer; behind: Buffer; into?: 'replace' },
): Promise<unknown[]> {
  const random = randomNumbers(19)
  const found: unknown[] = []
  for (let round = 0; round < ROUNDS && found.length === 0; round += 1) {
    const { before, behind, into } = expected(round, random)
    const piece = [1 << 16, 1, 7, 64][Math.floor(random() * 4)] ?? 1
    // compression is recognized by content
    const stored = round % 9 === 8 ? gzipSync(before) : before
    const { bytes } = await convertRecords(
      { [file]: stored },
      { ...SAME, piece, ...(into === undefined ? {} : { into }) },
    )
    if (!bytes.equals(behind)) found.push({ round, piece, out: String(bytes), expected: String(behind) })
  }
  return found
}

describe('what is not to be changed', () => {
  test('donor JSON', async () => {
    const found = await differences('f.json', (round, random) => {
      const before = store(randomDonors(random, true).text, round)
      return { before, behind: before }
    })
    expect(found).toEqual([])
  })

  test('HML in place', async () => {
    const found = await differences('f.xml', (round, random) => {
      const before = store(randomHml(random, true, DATE).text, round)
      return { before, behind: before, into: 'replace' }
    })
    expect(found).toEqual([])
  })

  test('inventories', async () => {
    const found = await differences('f.xml', (round, random) => {
      const before = store(randomInventory(random, true).text, round)
      return { before, behind: before }
    })
    expect(found).toEqual([])
  })

  test('what is in Latin-1 stays so, every byte of it', async () => {
    const all = Buffer.from(Array.from({ length: 0x80 }, (_, at) => 0x80 + at))
    const hml = Buffer.concat([Buffer.from('<hml version="1.0.1"><!-- '), all, Buffer.from(' --><sample id="1"><typing><allele-assignment><glstring>A*01:01</glstring></allele-assignment></typing></sample></hml>')]) // prettier-ignore
    const { bytes } = await convertRecords({ 'f.xml': hml }, { ...SAME, into: 'replace', encoding: 'latin1' })
    expect(bytes.equals(hml)).toBe(true)
  })
})

describe('typings alone are changed', () => {
  test('donor JSON', async () => {
    const found = await differences('f.json', (round, random) => {
      const { text, expected } = randomDonors(random, false)
      return { before: store(text, round), behind: store(expected, round) }
    })
    expect(found).toEqual([])
  })

  test('HML in place', async () => {
    const found = await differences('f.xml', (round, random) => {
      const { text, expected } = randomHml(random, false, DATE)
      return { before: store(text, round), behind: store(expected, round), into: 'replace' }
    })
    expect(found).toEqual([])
  })

  test('inventories', async () => {
    const found = await differences('f.xml', (round, random) => {
      const { text, expected } = randomInventory(random, false)
      return { before: store(text, round), behind: store(expected, round) }
    })
    expect(found).toEqual([])
  })

  test('HML beside what is there', async () => {
    const random = randomNumbers(20)
    const found: unknown[] = []
    let added = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const { text } = randomHml(random, false, DATE)
      const { output } = await convertRecords({ 'f.xml': text }, { ...SAME, piece: 1 + round })
      // each typing has one allele assignment
      const typings = text.split('allele-assignment ').length + text.split('allele-assignment\t').length + text.split('allele-assignment\n').length - 3 // prettier-ignore
      added += output.match(ADDED)?.length ?? 0
      if (
        output.replaceAll(ADDED, '') !== text.replaceAll(ADDED, '') ||
        (output.match(ADDED)?.length ?? 0) !== typings
      )
        // prettier-ignore
        found.push({ round, text, output })
    }
    expect(found).toEqual([])
    expect(added).toBeGreaterThan(ROUNDS / 2)
  })
})

/** The text with a character changed, deleted or repeated, or truncated. */
function mutated(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length)
  const changes = [
    () => text.slice(0, at) + '<>&;"/=\n*:{}[],\\'.charAt(Math.floor(random() * 16)) + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(Math.max(0, at - 9)),
    () => text.slice(0, at),
  ]
  return changes[Math.floor(random() * changes.length)]?.() ?? text
}

const MAKERS = [
  (random: () => number) => ['hml', randomHml(random, true, DATE).text] as const,
  (random: () => number) => ['donor-json', randomDonors(random, true).text] as const,
  (random: () => number) => ['wmda', randomInventory(random, true).text] as const,
]

test('a damaged document is refused, or comes out whole but for its typings', async () => {
  const random = randomNumbers(21)
  const faults: unknown[] = []
  for (let round = 0; round < 3 * ROUNDS; round += 1) {
    const [inputFormat, whole] = MAKERS[round % MAKERS.length]?.(random) ?? ['hml', '']
    // half a surrogate pair is not a character
    const text = Buffer.from(mutated(whole, random)).toString()
    const asked = { ...SAME, into: 'replace', inputFormat } as const
    const result = await convertRecords({ f: text }, asked).catch((error: unknown) => error)
    if (result instanceof HlaError) continue
    const isSame = !(result instanceof Error) && (result as { output: string }).output === text
    // the typing may have become another one, which is reduced
    const hasChanged = !(result instanceof Error) && (result as { record?: { status: Record<string, number> } }).record?.status['ok'] !== 0 // prettier-ignore
    if (!isSame && !hasChanged) faults.push([text, result])
  }
  expect(faults).toEqual([])
})

describe.skipIf(!hasShared)('published documents', () => {
  const list = (folder: string) =>
    hasShared ? readdirSync(sharedPath(folder)).map((name) => `${folder}/${name}`) : []
  test.each([...list('formats/hml'), ...list('formats/donors')])('%s', async (path) => {
    if (/invalid|Malformed/.test(path)) return
    const stored = readFileSync(sharedPath(path))
    const plain = path.endsWith('.gz') ? gunzipSync(stored) : stored
    // the small release lacks most of the names, and unknown names stay unchanged
    const options = { ...SAME, into: 'replace', methods: ['W'] } as const
    const { bytes, record } = await convertRecords({ [path]: stored }, options)
    expect(record?.typings).toBeGreaterThan(0)
    if (record?.status['ok'] === 0) expect(bytes.equals(plain)).toBe(true)
    const typings = /(?<="Field[12]": ")[^"]*|(?<=<glstring>)[^<]*|(?<=<allele-assignment )[^>]*/g
    const without = (all: Buffer) => all.toString().replaceAll(typings, '')
    expect(without(bytes)).toBe(without(plain))
  })
})
