/** What the thread of a store makes of its tables. */
import { describe, expect, test } from 'vitest'
import { type StoredTable, storedTables } from '../../../../src/drive/commands/tables/convert-stored.ts'

const DONORS = 'id,A_1,A_2\n1,A*01:01:01:01,A*02:01:01\n2,A*99:99,A*03:01\n3,,\n'
const convert = storedTables({ release: 'starter', dataDir: undefined })

async function made(text: string | readonly string[], more: Partial<StoredTable> = {}) {
  const { contentType, dataId, body } = await convert({
    name: 'donors.csv',
    pieces: [text].flat().map((piece) => Buffer.from(piece)),
    most: 1000,
    time: 10_000,
    wanted: undefined,
    ...more,
  })
  const bytes: Uint8Array[] = []
  for await (const piece of body) bytes.push(Buffer.from(piece))
  return { contentType, dataId, bytes: Buffer.concat(bytes) }
}
const written = async (
  format: 'csv' | 'tsv' | 'jsonl',
  methods: readonly string[],
  text: string | readonly string[] = DONORS,
) => {
  const { dataId, bytes } = await made(text, { wanted: { format, methods } })
  return [dataId, bytes.toString()]
}

test('a table is checked, and nothing is made of it', async () => {
  expect(await made(DONORS)).toEqual({ contentType: '', dataId: undefined, bytes: Buffer.alloc(0) })
  await expect(made('')).rejects.toThrow('donors.csv is not one table: it is empty')
  await expect(made('"a')).rejects.toThrow('line 1: a quoted field that starts there is never closed')
})

test('a table is written as it is', async () => {
  expect(await written('csv', [])).toEqual([undefined, DONORS])
  expect(await written('csv', [], [DONORS.slice(0, 20), DONORS.slice(20)])).toEqual([undefined, DONORS])
  expect(await written('tsv', [])).toEqual([undefined, DONORS.replaceAll(',', '\t')])
  const objects = [
    ['1', 'A*01:01:01:01', 'A*02:01:01'],
    ['2', 'A*99:99', 'A*03:01'],
    ['3', '', ''],
  ].map(([id, first, second]) => `${JSON.stringify({ id, A_1: first, A_2: second })}\n`)
  expect(await written('jsonl', [])).toEqual([undefined, objects.join('')])
})

test('a workbook is its own where one is wanted, and a table becomes one', async () => {
  const wanted = { format: 'xlsx', methods: [] } as const
  const { bytes } = await made(DONORS, { wanted })
  expect(bytes.subarray(0, 2).toString()).toBe('PK')
  const more = { name: 'donors.xlsx', pieces: [bytes], most: 100_000 }
  expect((await made('', { ...more, wanted })).bytes).toEqual(bytes)
  expect((await made('', { ...more, wanted: { format: 'csv', methods: [] } })).bytes.toString()).toBe(DONORS)
})

const DATA = '3.58.0+starter'
test('a table is reduced, and each row says whether all of it was read', async () => {
  const reduced = `id,A_1,A_1_lgx,A_2,A_2_lgx,hla_status,hla_errors
1,A*01:01:01:01,A*01:01,A*02:01:01,A*02:01,ok,
2,A*99:99,,A*03:01,A*03:01,error,A_1 starter
3,,,,,ok,
`
  expect(await written('csv', ['lgx'])).toEqual([DATA, reduced])
  expect(await written('csv', ['lgx'], DONORS.replaceAll(',', ';'))).toEqual([DATA, reduced])
  expect(await written('tsv', ['lgx'])).toEqual([DATA, reduced.replaceAll(',', '\t')])
  expect(await written('csv', ['lgx', 'G'])).toEqual([
    DATA,
    `id,A_1,A_1_lgx,A_1_G,A_2,A_2_lgx,A_2_G,hla_status,hla_errors
1,A*01:01:01:01,A*01:01,A*01:01:01G,A*02:01:01,A*02:01,A*02:01:01G,ok,
2,A*99:99,,,A*03:01,A*03:01,A*03:01:01G/A*03:01:03G/A*03:01:92G,error,A_1 starter
3,,,,,,,ok,
`,
  ])
})

describe('verdicts', () => {
  const of = async (text: string) =>
    JSON.parse((await made(text, { wanted: 'verdicts' })).bytes.toString()) as object
  const release = 'the starter set of 3.58.0'

  test('name the cells that are not typings, and those that nobody knows', async () => {
    expect(await of(DONORS)).toEqual({
      release,
      typings: 4,
      found: 1,
      cells: [
        {
          line: 3,
          column: 'A_1',
          value: 'A*99:99',
          why: 'A*99:99 is not fully covered by the built-in starter set (ask the operator of the service to install the data)',
          isUndecided: true,
        },
      ],
    })
    const wrong = { line: 2, isUndecided: false }
    const joined = 'names are joined with "/" (or), "+" (the two copies) and "^" (loci)'
    expect(await of('id,A_1,A_2\n1,A*01::01,A*01;01\n')).toEqual({
      release,
      typings: 2,
      found: 2,
      cells: [
        { ...wrong, column: 'A_1', value: 'A*01::01', why: 'a field is empty in "A*01::01"' },
        { ...wrong, column: 'A_2', value: 'A*01;01', why: `a name cannot contain ";" (${joined})` },
      ],
    })
    expect(await of('id,A_1,A_2\n1,A*01:01,A*01:01\n')).toEqual({ release, typings: 2, found: 0, cells: [] })
  })
})

describe('a limit', () => {
  const SHORT = 'the table is longer than 0 MiB; the command line converts tables of any length'
  const csv = (methods: readonly string[]) => ({ format: 'csv', methods }) as const
  test.for<[string, Partial<StoredTable>, string]>([
    ['the length', { most: DONORS.length - 1 }, `a table of more than ${DONORS.length - 1} bytes is not converted here`],
    ['the length', { most: 10, wanted: csv([]) }, 'a table of more than 10 bytes is not converted here'],
    ['the length', { most: 10, wanted: 'verdicts' }, SHORT],
    ['the length', { most: 10, wanted: csv(['lgx']) }, SHORT],
    ['the time', { time: 0 }, 'the table takes more than 0 s to convert'],
    ['the time', { time: -500, wanted: csv([]) }, 'the table takes more than -0.5 s to convert'],
    ['the time', { time: 0, wanted: csv(['lgx']) }, 'the table takes more than 0 s to convert'],
  ])('of %s is told: %j', async ([, more, message]) => {
    await expect(made(DONORS, more)).rejects.toMatchObject({ code: 'bad-request', message })
  }) // prettier-ignore

  test('is not reached by a table of that length', async () => {
    expect((await made(DONORS, { most: DONORS.length, wanted: csv([]) })).bytes.toString()).toBe(DONORS)
  })
})

test.for(['verdicts', { format: 'csv', methods: ['lgx'] }] as const)(
  'a table without typings has none to convert: %j',
  async (wanted) => {
    await expect(made('x,y\n1,2\n', { wanted })).rejects.toMatchObject({
      code: 'usage',
      message: 'no typing columns found in donors.csv',
    })
  },
)
