/**
 * HML names in the release that the message states: translated where the accession history decides, otherwise
 * unchanged.
 */
import { describe, expect, test } from 'vitest'
import { encodeHistory, readHistory } from '../../../src/reference/history/history.ts'
import { planNotes } from '../../../src/table/plan/recognition/table-notes.ts'
import { listOf } from '../../support/history.ts'
import { convertRecords } from '../../support/record-tables.ts'

const HISTORY = readHistory(
  encodeHistory(
    [
      listOf('3.25.0', { HLA00100: 'A*02:99', HLA00101: 'B*08:01:01:01', HLA00103: 'A*01:01:01:01', HLA00105: 'A*02:01:01', HLA00106: 'A*02:98', HLA00107: 'C*01:02:01:01' }),
      listOf('3.58.0', { HLA00100: 'A*24:02:01:01', HLA00101: 'B*07:02:01:01', HLA00102: 'B*08:01:01:01', HLA00104: 'A*01:01:01:01', HLA00105: 'A*02:01:01:01', HLA00107: 'C*01:02:01:01' }),
    ],
    [{ accession: 'HLA00106', name: 'A*02:98', description: 'Sequence shown to be identical to A*02:01:01:01 (May 2020)' }],
  ),
) // prettier-ignore

const hml = (content: string, version: string, db = 'IMGT/HLA') =>
  `<hml version="1.0.1"><sample id="S1"><typing><allele-assignment allele-db="${db}" allele-version="${version}">${content}</allele-assignment></typing></sample></hml>`
const gl = (text: string) => `<glstring>${text}</glstring>`
const haploid = (type: string) => `<haploid locus="HLA-A" method="DNA" type="${type}"/>`

async function cells(text: string, more = {}) {
  const { output, failures, plan } = await convertRecords(
    { 'f.xml': text },
    { into: 'replace', outDelimiter: ',', history: HISTORY, ...more },
  )
  const [, ...rows] = output.trimEnd().split('\n')
  return { row: rows[0], failures, notes: plan === undefined ? [] : planNotes(plan) }
}

describe('a table of HML', () => {
  test.for([
    ['a renamed allele', gl('HLA-A*02:99+HLA-A*01:01'), 'S1,A*24:02,A*01:01'],
    ['a name that another allele has now', gl('HLA-B*08:01:01:01+HLA-B*07:02'), 'S1,B*07:02,B*07:02'],
    ['haploids', haploid('02:99') + haploid('24:02'), 'S1,A*24:02,A*24:02'],
    ['a name that has more fields now', gl('HLA-A*02:01:01+HLA-A*24:02'), 'S1,A*02:01,A*24:02'],
    ['a name that is the same', gl('HLA-C*01:02:01:01+HLA-C*01:02:01:01'), 'S1,C*01:02,C*01:02'],
  ] as const)('%s', async ([, content, expected]) => {
    const { row, failures, notes } = await cells(hml(content, '3.25.0'))
    expect([row, failures]).toEqual([expected, []])
    expect(notes.map(({ message }) => message)).toEqual([
      'typings state that they were made with IMGT/HLA 3.25.0 (1); names that have changed since are translated',
    ])
  })

  test('the name of its database may be empty', async () => {
    const { row } = await cells(hml(gl('HLA-B*08:01:01:01+HLA-B*07:02'), '3.25.0', ''))
    expect(row).toBe('S1,B*07:02,B*07:02')
  })

  test('a name of another allele whose own has none now fails', async () => {
    const { failures } = await cells(hml(gl('HLA-A*01:01:01:01+HLA-A*24:02'), '3.25.0'))
    expect(failures).toEqual([expect.stringContaining('A*01:01:01:01 (HLA00103) is not in 3.58.0')])
  })

  test('a list of which one name cannot be translated stands as it is', async () => {
    const { failures } = await cells(hml(gl('HLA-A*02:99/HLA-A*02:98+HLA-A*24:02'), '3.25.0'))
    expect(failures).toEqual([expect.stringMatching(/^f\.xml:1:[^ ]*: (?!.*hla#).*A\*02:99/)])
  })

  test.for([
    ['3.25.5', 'IMGT/HLA'],
    ['3.99.0', 'IMGT/HLA'],
    ['3.25.0.0', 'IMGT/HLA'],
    ['3.25.0', 'KIR'],
  ] as const)(
    '%s of %s is not a release of the history: names are read as they stand, with a note',
    async ([version, db]) => {
      const { row, failures, notes } = await cells(hml(gl('HLA-B*08:01:01:01+HLA-B*07:02'), version, db))
      expect([row, failures]).toEqual(['S1,B*08:01,B*07:02', []])
      expect(notes).toMatchObject([
        {
          code: 'source-releases',
          message: `typings state that they were made with ${db} ${version} (1), which is unknown or later than 3.58.0: these names are read unchanged`,
        },
      ])
    },
  )

  test('--from says more than the message', async () => {
    const text = hml(gl('HLA-B*08:01:01:01+HLA-B*07:02'), '3.25.0')
    expect(await cells(text, { more: { from: '3.58.0' } })).toMatchObject({ row: 'S1,B*08:01,B*07:02' })
  })
})
