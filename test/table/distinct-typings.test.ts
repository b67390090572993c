/** The distinct typings of a table, each at its first place; and the messages of comparing them. */
import { describe, expect, test } from 'vitest'
import {
  comparisonText,
  countFailure,
  countReasons,
  newComparison,
  typingFinder,
} from '../../src/table/run/compare-typings.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { openTable } from '../../src/table/plan/open-table.ts'
import { readRequest } from '../../src/table/plan/raw-table-options.ts'
import type { Failure } from '../../src/table/output/failure-report.ts'
import { readTypedRows } from '../../src/table/run/read-rows.ts'
import { HlaError } from '../../src/errors.ts'
import { openFiles } from '../../src/table/run/open-input.ts'
import { smallRelease } from '../support/small-release.ts'

const facts = makeNameFacts(smallRelease())

async function found(text: string, name = 't.csv') {
  async function* chunks() {
    yield Buffer.from(text)
  }
  const reading = readRequest({}, undefined, [])
  const source = { name, title: name, size: text.length, bytes: chunks }
  const asked = { source, reading, layout: undefined, facts, isHashed: false, delimiter: ',' }
  const table = await openTable(
    await openFiles({ ...asked, opened: (one) => one }),
    reading,
    undefined,
    facts,
  )
  const finder = typingFinder('3.58.0')
  const all: string[][] = []
  const file = { name, table, ragged: 'error' } as const
  const places: string[] = []
  const failed = ({ line, column, id }: Failure) => places.push(`${line}:${column}:${id}`)
  for await (const rows of readTypedRows(file, facts, failed)) {
    for (const one of finder.take(rows)) {
      one.fail(new HlaError('io', 'shows its place'))
      all.push([places.pop() ?? '', 'glString' in one ? one.glString : one.error.code])
    }
  }
  return all
}

describe('typingFinder', () => {
  test('finds each typing once, and each wrong cell', async () => {
    const text = [
      'id,A_1,A_2,B_1,B_2',
      'a,01:01,A*01:01,07:02,',
      'b,01:01,02:01,07:02,NNNN',
      'c,"02:01",x y,x y,8:1',
      'd,x y,01:01',
      'e,02:01+03:01,hla#3.58.0#A*01:01,hla#3.29.0#B*07:02,',
    ]
    expect(await found(`${text.join('\n')}\n`)).toEqual([
      ['2:A_1:a', 'A*01:01'],
      ['2:B_1:a', 'B*07:02'],
      ['3:A_2:b', 'A*02:01'],
      ['4:A_2:c', 'bad-character'],
      ['4:B_1:c', 'bad-character'],
      ['4:B_2:c', 'B*8:1'],
      ['5::d', 'ragged-row'],
      ['6:A_1:e', 'A*02:01+A*03:01'],
      ['6:B_1:e', 'unknown-allele'],
    ])
  })

  test('a typing of a document has its own line', async () => {
    const typing = (text: string) =>
      `<typing date="2020-01-01"><allele-assignment date="2020-01-01">\n<glstring>${text}</glstring>\n</allele-assignment></typing>\n`
    const texts = ['HLA-A*01:01+HLA-A*02:01', 'HLA-B*07:02+HLA-B*08:01'].map(typing).join('')
    const text = `<hml xmlns="http://schemas.nmdp.org/spec/hml/1.0.1" version="1.0.1">\n<sample id="a">\n${texts}</sample>\n</hml>\n`
    expect(await found(text, 't.hml')).toEqual([
      ['4:A_1:a', 'A*01:01'],
      ['4:A_2:a', 'A*02:01'],
      ['7:B_1:a', 'B*07:02'],
      ['7:B_2:a', 'B*08:01'],
    ])
  })
})

describe('comparisonText', () => {
  test.for([
    [
      [[], ['gained'], []],
      [],
      '3 distinct typings: 2 same members, 1 differ (1 gained alleles, 0 lost, 0 renamed)',
    ],
    [
      [['renamed', 'gained'], ['serology']],
      ['bad-syntax', 'unknown-allele', 'bad-syntax'],
      '5 distinct typings: 0 same members, 2 differ (1 gained alleles, 0 lost, 1 renamed, 1 serology), 3 failed (2 bad-syntax, 1 unknown-allele)',
    ],
  ] as const)('%j and %j', ([reasons, codes, expected]) => {
    const comparison = newComparison()
    for (const one of reasons) countReasons(comparison, one)
    for (const code of codes) countFailure(comparison, code)
    expect(comparisonText(comparison, true)).toBe(expected)
    expect(comparisonText(comparison, false)).toBe(expected.replace('distinct ', ''))
  })
})
