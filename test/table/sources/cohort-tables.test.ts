/** A table among other files is read as when alone: the same persons with the same typings. */
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { conventionText } from '../../support/convention-tables.ts'
import { convertRecords } from '../../support/record-tables.ts'
import { CONVENTIONS } from '../conventions.ts'

const OTHER = 'sample,A_1,A_2\nother,A*01:01,A*02:01\n'

type Options = Parameters<typeof convertRecords>[1]

/** The sorted alleles of each person, in order. */
function genotypes(output: string, delimiter: string): string[] {
  const rows = parse(output, { delimiter, relax_column_count: true })
  const head = rows.findIndex((row) => row.includes(GL))
  // without a header the new column is the last
  const at = rows[head]?.indexOf(GL) ?? (rows[0]?.length ?? 0) - 1
  return rows.slice(head + 1).map((row) => (row[at] ?? '').split(/[\^+]/).toSorted().join(' '))
}

const GL = 'a GL String'

async function inBoth(text: string, options: Options = {}) {
  const asked = { into: 'none', glOut: GL, ...options } as const
  const alone = await convertRecords({ 't.csv': text }, asked)
  const { delimiter = ',' } = options
  const among = await convertRecords({ 'o.csv': OTHER.replaceAll(',', delimiter), 't.csv': text }, asked)
  return {
    alone: genotypes(alone.output, delimiter),
    among: genotypes(among.output, ',').slice(1),
    failures: [alone, among].map(({ failures }) =>
      failures.map((one) => one.replace(/^.*?:\d+:[^:]*: /, '')),
    ),
  }
}

describe('a table with a row a person among other files', () => {
  const read = CONVENTIONS.filter(
    ({ refused, groups, values = {} }) =>
      // other tests cover several persons a row, and quotation marks from the generator
      refused === undefined &&
      groups.every((group) => !/^\S+ \S+=/.test(group)) &&
      // among other files, loci outside the starter set are not read
      groups.every((group) => !/^(?:DOB|E)=/.test(group)) &&
      !JSON.stringify(values).includes('|'),
  )
  test('of most conventions', () => expect(read.length).toBeGreaterThan(150))

  test.for(read)('$header', async ({ header, values }) => {
    const { alone, among } = await inBoth(conventionText(header, values), { delimiter: '|' })
    expect(among).toEqual(alone)
  })

  test.for([
    ['a column before that of the sample', 'site,patient,A_1,A_2,B_1,B_2\nLeiden,P1,01:01,02:01,,\nLeiden,P2,,,07:02,08:01\n', ['P1', 'P2']],
    ['numbers of samples', 'id,A_1,A_2\n1,01:01,\n2,,02:01\n', ['1', '2']],
    ['a group alone', 'population,A_1,A_2\nEUR,01:01,02:01\nEUR,01:01,01:01\n', ['t:2', 't:3']],
    ['a comment alone', 'A_1,A_2,comment\n01:01,02:01,good\n', ['t']],
    ['numbers of rows', ',A_1,A_2\n0,01:01,02:01\n1,24:02,02:01\n', ['t:2', 't:3']],
    ['numbers of rows before samples', ',sample,A_1,A_2\n0,P1,01:01,02:01\n1,P2,24:02,02:01\n', ['P1', 'P2']],
    ['one sample in two rows', 'id,A_1,A_2,B_1,B_2\nP,01:01,02:01,,\nP,,,07:02,08:01\n', ['P', 'P']],
    ['rows without a sample', 'id,A_1,A_2\nP,01:01,02:01\n,24:02,02:01\n,01:01,01:01\n', ['P', '', '']],
    ['two typings per cell', 'id,A,B\nP,"01:01,02:01","07:02,08:01"\nQ,"02:01,24:02","07:02,07:02"\n', ['P', 'Q']],
    ['names of peptide tools', 'id,A_1,A_2\nP,A0101,A0201\nQ,A2402,A0201\n', ['P', 'Q']],
    ['GL Strings', 'center,donor,gl\nX,D1,A*01:01+A*02:01^B*07:02+B*08:01\nX,D2,A*02:01+A*24:02\n', ['D1', 'D2']],
    ['no header', 'P,A*01:01+A*02:01\nQ,A*24:02+A*02:01\n', ['P', 'Q']],
    ['loci before alleles, which are no persons', 'query,x,type\nHLA-A_0,1,A*01:01\nHLA-A_1,2,A*02:01\n', ['t:2', 't:3']],
    ['a word of several rows before the typings', 'kit,gl,n\nx,A*01:01+A*02:01,1\nx,A*02:01+A*24:02,2\n', ['t:2', 't:3']],
    ['no header, and numbers', 'A*01:01,546,1.0\nA*02:01,546,1.0\nB*07:02,270,1.0\n', ['t:1', 't:2', 't:3']],
    ['the header again', 'id,A_1,A_2\nP,01:01,02:01\nid,A_1,A_2\nQ,24:02,02:01\n', ['P', 'Q']],
  ] as const)('%s', async ([, text, samples]) => {
    const { alone, among, failures } = await inBoth(text)
    expect(among).toEqual(alone.filter((one) => one !== GL))
    expect(failures).toEqual([[], []])
    const { output } = await convertRecords({ 'o.csv': OTHER, 't.csv': text }, { into: 'replace' })
    expect(output.trimEnd().split('\n').slice(2).map((row) => row.split(',')[0])).toEqual(samples)
  }) // prettier-ignore

  test('what its own columns leave open is not decided by those of other files', async () => {
    const lists = 'sample,A_1,A_2\nP,A*01:01/A*02:01,A*02:01\nQ,A*01:01/A*02:01,A*24:02\n'
    const open = 'id,A\nR,01:01/02:01\nS,01:01\n'
    const { failures, output } = await convertRecords({ 'l.csv': lists, 'o.csv': open }, { into: 'replace' })
    expect(failures).toEqual([expect.stringMatching(/^o\.csv:2:A_1: 01:01\/02:01: two typings, or possible/)])
    expect(output).toContain('\nR,o.csv (table),,\n')
    // as it was, without the mark of an open cell
    const after = await convertRecords({ 'l.csv': lists, 'o.csv': open })
    expect(after.output).toContain('\nR,o.csv (table),01:01/02:01,,,\n')
  })

  test('a row that cannot be read leaves the others', async () => {
    const text = 'id,A_1,A_2\nP,01:01\nQ,24:02,02:01\n'
    const { failures, output } = await convertRecords({ 'o.csv': OTHER, 't.csv': text }, { into: 'replace' })
    expect(failures).toEqual([expect.stringMatching(/^t\.csv:2: 2 fields instead of 3/)])
    expect(output).toContain('\nQ,t.csv (table),A*24:02,A*02:01\n')
    const padded = await convertRecords({ 'o.csv': OTHER, 't.csv': text }, { into: 'replace', ragged: 'pad' })
    expect([padded.failures, padded.output]).toEqual([
      [],
      expect.stringContaining('\nP,t.csv (table),A*01:01,\n'),
    ])
  })

  test.for([
    [{ idColumn: 'patient' }, ['other', 'P1', 'P2'], 1],
    [{ long: ['sample=patient'] }, ['other', 'P1', 'P2'], 0],
    [{ exclude: 'note' }, ['other', 'a', 'b'], 0],
  ] as const)('options about columns are about each table: %j', async ([options, samples, failed]) => {
    const text = 'sample,patient,A_1,A_2,note\na,P1,01:01,02:01,02:01\nb,P2,24:02,02:01,02:01\n'
    const { output, failures } = await convertRecords({ 'o.csv': OTHER, 't.csv': text }, { into: 'replace', ...options }) // prettier-ignore
    const found = output.trimEnd().split('\n').slice(1).map((row) => row.split(',')[0]) // prettier-ignore
    expect(found).toEqual(failed === 0 ? samples : samples.slice(1))
    expect(failures).toHaveLength(failed)
  })

  test('notes about it name the file', async () => {
    const text = 'id,A_1,A_2\nP,01:01,02:01\nQ,24:02,02:01\nTotal,2,2\n'
    const { plan } = await convertRecords({ 'o.csv': OTHER, 't.csv': text })
    expect(plan?.source?.notes).toContainEqual(
      expect.objectContaining({ file: 't.csv', code: 'sum-rows', message: expect.stringContaining('line 4 (Total)') as string }),
    ) // prettier-ignore
  })
})
