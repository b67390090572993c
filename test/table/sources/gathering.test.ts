/** The memory of the gatherer, and its refusals after the records that it samples. */
import { describe, expect, test } from 'vitest'
import { HlaError } from '../../../src/errors.ts'
import { gather } from '../../../src/table/sources/gathering/gather.ts'
import { PersonIndex } from '../../../src/table/person-index.ts'
import { cellPlace } from '../../../src/table/input/places.ts'
import type { TableRow } from '../../../src/table/input/read-table.ts'
import type { RecordFile } from '../../../src/table/sources/gathering/record-files.ts'
import type { TypingRecord } from '../../../src/table/sources/typing-record.ts'

const dialect = {
  encoding: 'utf8', bom: 0, delimiter: ',', quote: '"', lazyQuotes: false, preamble: 0, comment: undefined, eol: '\n',
} as const // prettier-ignore

/** Files of records such as `S1 A A*01:01 0.9`, one record a text and a block; the fourth word belongs to its typing or its person. */
async function* filesOf(texts: readonly string[], isOfTyping: boolean): AsyncGenerator<RecordFile> {
  async function* blocks() {
    for (const [at, text] of texts.entries()) {
      const [person, locus = '', typing = '', score = ''] = text.split(' ')
      const error = locus === '?' ? new HlaError('bad-record', 'it is not as it should be') : undefined
      const record: TypingRecord = { person, locus, typing, slot: undefined, line: at + 1, values: [score], error } // prettier-ignore
      yield await Promise.resolve([record])
    }
  }
  const extras = [{ name: isOfTyping ? 'score' : 'site', isOfTyping }]
  const of = { format: 'test', reading: '', personName: 'ID', extras, ignored: [], dialect }
  yield await Promise.resolve({ name: undefined, person: 'nobody', source: { ...of, blocks } })
}

async function gathered(texts: readonly string[], most: number, loci?: readonly string[], isOfTyping = true) {
  const { rows: blocks } = await gather(filesOf(texts, isOfTyping), { loci }, most)
  const rows: TableRow[] = []
  for await (const block of blocks()) rows.push(...block)
  return { text: rows.map(({ raws }) => `${raws.join(',')}\n`).join(''), rows }
}

const APART = ['S1 A A*01:01 1', 'S2 A A*24:02 2', 'S1 A A*02:01 3', 'S2 A A*03:01 4']
const TABLE = 'ID,A_1,A_2,A_1_score,A_2_score\nS1,A*01:01,A*02:01,1,3\nS2,A*24:02,A*03:01,2,4\n'

describe('the gatherer', () => {
  test('records of a person may stand apart among the first', async () => {
    expect((await gathered(APART, 4)).text).toBe(TABLE)
  })

  test.each([0, 1, 2])(
    'behind the first %i a person that comes back is refused with its line',
    async (most) => {
      await expect(gathered(APART, most)).rejects.toThrow(
        'line 3: "S1" appears again after rows of other persons',
      )
    },
  )

  test.each([0, 1, 2, 3, 4, 5])(
    'what stands together is the same table, whatever is looked at first: %i',
    async (most) => {
      const sorted = ['S1', 'S2'].flatMap((name) => APART.filter((text) => text.startsWith(name)))
      const text = (await gathered(sorted, most)).text
      expect(text).toBe(TABLE)
    },
  )

  test('a locus that has no column is refused with its line, and with all loci to name', async () => {
    const late = ['S1 A A*01:01', 'S2 A A*01:01', 'S3 B B*07:02']
    await expect(gathered(late, 1)).rejects.toMatchObject({
      message: 'line 3: locus B appears first in this row, but the columns are already written',
      hint: ['name all loci: ', { option: 'long', value: 'loci=A,B' }],
    })
    const { text } = await gathered(late, 1, ['A', 'B'])
    expect(text.split('\n')[3]).toBe('S3,,,,,B*07:02,,,')
  })

  test.each([0, 1, 2, 3, 4, 5, 6])(
    'a person that cannot be read is one short row with its place, whatever is looked at first: %i',
    async (most) => {
      const { text, rows: made } = await gathered(['S0 ?', 'S1 A A*01:01', 'S1 A A*02:01', 'S1 ?', 'S2 A A*24:02', 'S2 ?'], most, ['A']) // prettier-ignore
      const rows = text.split('\n')
      expect([...rows].sort()).toEqual(['', 'ID,A_1,A_2,A_1_score,A_2_score', 'S0,', 'S1,', 'S1,A*01:01,A*02:01,,', 'S2,', 'S2,A*24:02,,,']) // prettier-ignore
      for (const [name, line] of [['S0', 1], ['S1', 4], ['S2', 6]] as const)
        expect(made[rows.indexOf(`${name},`)]).toMatchObject({ line, place: { fault: { error: { code: 'bad-record' } } } }) // prettier-ignore
    },
  )

  test('a row knows the lines of its typings', async () => {
    const { rows } = await gathered(APART, 4)
    const lines = rows.map(({ place }) => place && [1, 2].map((column) => cellPlace(place, column).line))
    expect(lines).toEqual([undefined, [1, 3], [2, 4]])
  })

  test('a person with two values of a fact has both in one cell, and an equal one once', async () => {
    const sites = ['S1 A A*01:01 Ulm', 'S1 B B*07:02 Ulm', 'S2 A A*24:02 Ulm', 'S2 B B*08:01 Bern']
    const { text } = await gathered(sites, 2, ['A', 'B'], false)
    expect(text).toBe('ID,site,A_1,A_2,B_1,B_2\nS1,Ulm,A*01:01,,B*07:02,\nS2,Ulm;Bern,A*24:02,,B*08:01,\n')
  })

  test('no record at all is no table', async () => {
    await expect(gathered([], 4)).rejects.toThrow('contains no typings')
  })

  test('a set of 300,000 persons knows each once', () => {
    const set = new PersonIndex()
    const names = Array.from({ length: 300_000 }, (_, at) => `D${at.toString(36)}`)
    expect(names.every((name, at) => set.add(name) === at)).toBe(true)
    expect(names.every((name) => set.add(name) === undefined)).toBe(true)
    expect(set.size).toBe(300_000)
  })
})
