/** In which release the names of an allele assignment are read. */
import { expect, test } from 'vitest'
import type { Assignment } from '../../../src/table/documents/formats/hml-assignment.ts'
import { hmlPassage } from '../../../src/table/documents/formats/hml-document.ts'

const request = { place: 'after', release: '3.58.0', isLifted: true, date: '2026-01-02' } as const
const nowhere = { start: 0, end: 0, text: '' }

function cellOf(said: Partial<Assignment>, cell = 'B*27:07:01', isLifted = true): string | undefined {
  const assignment: Assignment = {
    line: 1, tag: nowhere, indent: '', db: 'IMGT/HLA', version: '3.25.0', haploids: [], hasGenotypes: false, end: 0,
    glStrings: [{ content: nowhere, cell, line: 1, isPrefixed: false }],
    ...said,
  } // prettier-ignore
  const typing = { row: 1, person: 'S1', path: '/hml/sample[1]/typing[1]', assignments: [assignment] }
  return hmlPassage(typing, { ...request, isLifted }).sites[0]?.cell
}

test.each([
  ['as it says', {}, 'hla#3.25.0#B*27:07:01'],
  ['of no database that it names', { db: '' }, 'hla#3.25.0#B*27:07:01'],
  ['of another database', { db: 'IPD-KIR' }, 'B*27:07:01'],
  ['it does not say', { version: '' }, 'B*27:07:01'],
  ['it says something else', { version: 'latest' }, 'B*27:07:01'],
])('with --lift, in the release %s', (_, said, expected) => {
  expect(cellOf(said)).toBe(expected)
})

test('a GL String Code says it itself, and without --lift nobody asks', () => {
  expect(cellOf({}, 'hla#3.14.0#B*27:07:01')).toBe('hla#3.14.0#B*27:07:01')
  expect(cellOf({}, 'B*27:07:01', false)).toBe('B*27:07:01')
})
