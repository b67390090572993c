/** Single tables as the thread of rules converts them, and limits of conversions. */
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type ConvertedContent,
  openConversions,
  type TableConverter,
} from '../../src/drive/api/conversion/conversions.ts'
import { cellSource } from '../../src/drive/commands/tables/convert-stored.ts'
import type { Store } from '../../src/drive/persistence/store.ts'
import { type TableToConvert, tableConversions } from '../../src/drive/rules/convert-table.ts'
import { isHlaError } from '../../src/errors.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const GOOD = 'ID,A1,A2\nR1,A*01:01,02:01\n'
const CONVERTED = 'ID,A1,A1_lgx,A2,A2_lgx\nR1,A*01:01,A*01:01,02:01,A*02:01\n'
const STARTER = { release: 'starter', dataDir: undefined }

beforeAll(() => writeFileSync(temp('stored'), GOOD))
let folder: string
beforeEach(() => {
  folder = temp('staging')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
})

function table(more: Partial<TableToConvert> = {}): TableToConvert {
  return {
    words: ['redux', '-m', 'lgx', '-r', 'starter'],
    name: 'drive:registry/donors.csv',
    title: 'donors.csv',
    content: Buffer.from(GOOD),
    size: GOOD.length,
    document: undefined,
    isSure: true,
    output: 'drive:registry/donors.lgx.csv',
    path: `${folder}/x`,
    ...more,
  }
}

const made = () => readdirSync(folder).toSorted()
const NAMES = ['.hla.json', ''].map((suffix) => `x${suffix}`)

test.for<[string, Parameters<typeof tableConversions>[0], Partial<TableToConvert>]>([
  ['bytes', STARTER, {}],
  ['a file', STARTER, { content: temp('stored') }],
  ['with the release of the server', STARTER, { words: ['redux', '-m', 'lgx'] }],
  ['with the data folder of the server', { release: 'starter', dataDir: temp('.') }, {}],
  [
    'a document, as its export to CSV',
    STARTER,
    {
      content: Buffer.from(GOOD.replaceAll(',', '\t')),
      document: { name: 'donors.tsv', most: 1000, time: 1000 },
    },
  ],
])('%s', async ([, data, more]) => {
  const { kind, ...facts } = await tableConversions(data)(table(more))
  expect([kind, facts]).toMatchObject(['converted', { isWhole: true, lines: undefined }])
  expect(readFileSync(`${folder}/x`, 'utf8')).toBe(CONVERTED)
  expect(facts).toHaveProperty(
    'files',
    NAMES.map((name) => ({ suffix: name.slice(1), size: readFileSync(`${folder}/${name}`).length })),
  )
})

test('what a typing program wrote is known by its beginning', async () => {
  const text = 'Locus\tAllele1\tAllele2\tLLtot\tPval1\tPval2\nHLA_A\tA*01:01\tA*02:01\t-1\t1\t1\n'
  const written = { title: 'S2.txt', isSure: false, content: Buffer.from(text), size: text.length }
  expect(await tableConversions(STARTER)(table(written))).toMatchObject({ kind: 'converted', isWhole: true })
})

test('of a large file that may be a table only the beginning is looked at', async () => {
  writeFileSync(temp('large'), '')
  truncateSync(temp('large'), 5 * 1024 ** 3)
  const large = { title: 'scan.bin', isSure: false, content: temp('large'), size: 5 * 1024 ** 3 }
  expect(await tableConversions(STARTER)(table(large))).toEqual({ kind: 'no-typings' })
})

test('the provenance names the table, the command and the digests of what was read and written', async () => {
  await tableConversions(STARTER)(table())
  const digest = (bytes: string) => createHash('sha256').update(bytes).digest('hex')
  expect(JSON.parse(readFileSync(`${folder}/x.hla.json`, 'utf8'))).toMatchObject({
    argv: ['redux', '-m', 'lgx', '-r', 'starter', '-i', 'drive:registry/donors.csv', '-o', 'drive:registry/donors.lgx.csv'],
    input: { name: 'drive:registry/donors.csv', bytes: GOOD.length, sha256: digest(GOOD) },
    output: { name: 'drive:registry/donors.lgx.csv', bytes: CONVERTED.length, sha256: digest(CONVERTED) },
  })
}) // prettier-ignore

test.for<[string, string[]]>([
  ['R2,A*99:99,A*02:XYZW\n', ['hla could not convert 2 of 4 typings (2 starter):']],
  ['R2,A*99:99,A*02:01\n', ['hla could not convert 1 of 4 typings (1 starter):']],
  ['R2,A*99:99,A*02:\n', ['hla could not convert 2 of 4 typings (1 bad-syntax, 1 starter):']],
])('failed cells are counted by their code, and listed in a file: %j', async ([row, lines]) => {
  const content = Buffer.from(`${GOOD}${row}`)
  expect(await tableConversions(STARTER)(table({ content, size: content.length }))).toMatchObject({
    kind: 'converted',
    isWhole: false,
    lines: [...lines, 'drive:registry/donors.lgx.csv.errors.csv lists them'],
  })
  expect(made()).toEqual(['x', 'x.errors.csv', 'x.hla.json'])
})

test.skipIf(process.platform !== 'linux')(
  'no file stays open, of a table that was converted or refused',
  async () => {
    const isOpen = () => readdirSync('/proc/self/fd').filter((one) => linkOf(one).startsWith(folder))
    const long = Buffer.from(`${GOOD}${'R2,A*01:01,02:01\n'.repeat(20_000)}`)
    const limited = { name: 'donors.csv', most: long.length - 1, time: 60_000 }
    const convert = tableConversions(STARTER)
    expect(await convert(table())).toMatchObject({ kind: 'converted' })
    expect(isOpen()).toEqual([])
    const more = { content: long, size: long.length, document: limited }
    expect(await convert(table(more))).toMatchObject({ kind: 'refused' })
    expect(isOpen()).toEqual([])
  },
)

/** The file of a descriptor; one that has been closed meanwhile has none. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}

test.for<[string, Partial<TableToConvert>, object]>([
  [
    'no typings',
    { isSure: false, content: Buffer.from('to do\n'), title: 'notes.txt' },
    { kind: 'no-typings' },
  ],
  [
    'no typing columns',
    { content: Buffer.from('ID,NAME\n1,x\n') },
    {
      kind: 'refused',
      lines: [
        'hla could not convert this table: no typing columns found in drive:registry/donors.csv [usage]',
        'Columns: ID NAME',
      ],
    },
  ],
  [
    'a document larger than the limit',
    { document: { name: 'donors.csv', most: GOOD.length - 1, time: 1000 } },
    {
      kind: 'refused',
      lines: [
        `hla could not convert this table: a table of more than ${GOOD.length - 1} bytes is not converted here [bad-request]`,
      ],
    },
  ],
])('%s: nothing is written', async ([, more, answer]) => {
  expect(await tableConversions(STARTER)(table(more))).toEqual(answer)
  expect(made()).toEqual([])
})

test.for<[string, Partial<TableToConvert>, string, string]>([
  [
    'files that cannot be written',
    { path: `${temp('none')}/x` },
    'io',
    'cannot write drive:registry/donors.lgx.csv: no such file or directory',
  ],
  [
    'a release that is not there',
    { words: ['redux', '-m', 'lgx', '-r', '3.1.0'] },
    'no-data',
    'IPD-IMGT/HLA 3.1.0 is not installed',
  ],
  [
    'a data folder that is not there',
    { words: ['redux', '-m', 'lgx', '-r', 'active'] },
    'no-data',
    'there is no folder',
  ],
  [
    'a method that the release does not have',
    { words: ['redux', '-m', 'hats', '-r', 'starter'] },
    'no-hats',
    'has no HATS antigens',
  ],
])('no fault of the table: %s', async ([, more, code, message]) => {
  const error: unknown = await tableConversions({ release: 'starter', dataDir: temp('none') })(
    table(more),
  ).catch((thrown: unknown) => thrown)
  expect(isHlaError(error) && [error.code, error.message]).toEqual([code, expect.stringContaining(message)])
})

describe('a table is read', () => {
  // the pace only counts
  const paced = (most: number, time: number) =>
    cellSource({ name: 'a.csv', bytes: [] as never, most, time }).pace

  test('until it is too large', async () => {
    const pace = paced(10, 1e6)
    await pace(6)
    await pace(4)
    await expect(pace(1)).rejects.toThrow('a table of more than 10 bytes is not converted here')
  })

  test('until its own work took too long', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const pace = paced(1e6, 1000)
      for (const worked of [600, 400]) {
        vi.advanceTimersByTime(worked)
        const going = pace(1)
        // of other tables
        vi.advanceTimersByTime(5000)
        await going
      }
      vi.advanceTimersByTime(1)
      await expect(pace(1)).rejects.toThrow('the table takes more than 1 s to convert')
    } finally {
      vi.useRealTimers()
    }
  })
})

test('four tables are converted at once, 100 wait for them, and more are refused', async () => {
  const store = { read: { get: () => undefined } } as unknown as Store // no limit is set
  const conversions = openConversions(store, {} as TableConverter)
  const content: ConvertedContent = { sha256: 'a', size: 1, kind: 'file', bytes: Buffer.from('x') }
  const ends: (() => void)[] = []
  let begun = 0
  const convert = () =>
    conversions.withTable(content, { title: 'a.csv', type: 'text/csv', for: 'convert' }, () => {
      begun += 1
      return new Promise<void>((end) => ends.push(end))
    })
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  }
  for (let round = 0; round < 2; round += 1) {
    begun = 0
    const all = Array.from({ length: 104 }, convert)
    await turns()
    expect(begun).toBe(4)
    await expect(convert()).rejects.toMatchObject({ status: 503, details: { retryAfter: 2 } })
    while (ends.length > 0) {
      ends.shift()?.()
      await turns()
    }
    await Promise.all(all)
    expect(begun).toBe(104)
  }
})

test('a server without a release converts nothing, with what its operator can do', async () => {
  mkdirSync(temp('empty'))
  const convert = tableConversions({ release: 'active', dataDir: temp('empty') })
  await expect(convert(table({ words: ['redux', '-m', 'lgx'] }))).rejects.toMatchObject({
    code: 'no-data',
    message: 'this server has no release of HLA data',
    hint: 'its operator installs one with hla data install',
  })
  expect(made()).toEqual([])
})
