/** The release in which the names of an allele assignment are read. */
import { expect, test } from 'vitest'
import type { HmlAssignment } from '../../../src/table/input/records/exchange/hml-reader.ts'
import { hmlPassage } from '../../../src/table/documents/formats/hml-document.ts'

const request = { place: 'after', release: '3.58.0', isLifted: true, date: '2026-01-02' } as const
const nowhere = { start: 0, end: 0 }
const unheld = { slice: () => '', indent: () => '' }

function cellOf(said: Partial<HmlAssignment>, cell = 'B*27:07:01', isLifted = true): string | undefined {
  const assignment: HmlAssignment = {
    line: 1, tag: nowhere, before: 0, release: 'IMGT/HLA 3.25.0', haploids: [], hasGenotypes: false, end: 0,
    glStrings: [{ content: nowhere, cell, line: 1, isPrefixed: false, typings: [] }],
    ...said,
  } // prettier-ignore
  const typing = { row: 1, person: 'S1', path: '/hml/sample[1]/typing[1]', assignments: [assignment] }
  return hmlPassage(typing, { ...request, isLifted }, unheld).sites[0]?.cell
}

test.each([
  ['as it says', {}, 'hla#3.25.0#B*27:07:01'],
  ['of no database that it names', { release: '3.25.0' }, 'hla#3.25.0#B*27:07:01'],
  ['of another database', { release: 'IPD-KIR 3.25.0' }, 'B*27:07:01'],
  ['it does not say', { release: 'IMGT/HLA' }, 'B*27:07:01'],
  ['it says something else', { release: 'IMGT/HLA latest' }, 'B*27:07:01'],
])('with --lift, in the release %s', (_, said, expected) => {
  expect(cellOf(said)).toBe(expected)
})

test('a GL String Code says it itself, and without --lift nobody asks', () => {
  expect(cellOf({}, 'hla#3.14.0#B*27:07:01')).toBe('hla#3.14.0#B*27:07:01')
  expect(cellOf({}, 'B*27:07:01', false)).toBe('B*27:07:01')
})
