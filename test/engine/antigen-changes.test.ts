/** Reasons for antigens that come and go between releases, and notes where HATS assigns another one. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import {
  antigenReasons,
  antigenSpelledIn,
  hatsNotes,
  listHats,
} from '../../src/engine/explain/antigen-changes.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { type Release, readRelease } from '../../src/reference/release.ts'
import { compileTexts, smallRelease, smallTexts } from '../support/small-release.ts'

const related = smallRelease()
const unrelated = releaseOf({ serology: 'A;10;25/26;' })
const hats = releaseOf({
  dnaSerology: [
    'A*;01:01:01:01;1;;;;A1',
    'A*;01:01:02;1;;;;',
    'A*;02:01:01:01;2;;;;203',
    'A*;03:01:01:01;3;;;;A9',
    'A*;11:441;;;11;;32',
    'A*;23:01:01:01;23;;;;9',
    'A*;24:02:01:01;24;;;;A9',
    'A*;30:01:01:01;30;;;;A31',
  ].join('\n'),
})

function releaseOf(texts: Partial<ReturnType<typeof smallTexts>>): Release {
  return readRelease(encodeRelease(compileTexts({ ...smallTexts(), ...texts })))
}

describe.each([
  ['both releases', related, related],
  ['the earlier release', related, unrelated],
  ['the later release', unrelated, related],
])('antigens that are related in %s', (_, from, to) => {
  test.for([
    [['A1'], ['A1'], [], []],
    [['A9'], ['A24'], [], ['broad-antigen']],
    [['A24'], ['A9'], [], ['broad-antigen']],
    [['A24'], ['A2403'], [], ['associated-antigen']],
    [['A2403'], ['A24'], [], ['associated-antigen']],
    [['A1', 'A9'], ['A1', 'A24'], [], ['broad-antigen']],
    [['A1', 'A24'], ['A1', 'A2403'], [], ['associated-antigen']],
    // one of two related antigens is associated
    [['A9', 'A2403'], ['A24', 'A2403'], [], ['associated-antigen']],
    [['A1'], ['A2'], [], []],
    [['A1'], ['A2'], ['A2'], ['hats']],
    [['A2'], ['A1'], ['A2'], ['hats']],
    [['A1'], ['A2'], ['A3'], []],
    [['A1'], ['A2'], ['A3', 'A2'], ['hats']],
    [['A1', 'A9'], ['A2', 'A24'], ['A1'], ['broad-antigen', 'hats']],
  ] as const)('%s, %s and HATS %s: %s', ([before, after, assigned, reasons]) => {
    expect([...antigenReasons({ before, after, hats: assigned, releases: { from, to } })].toSorted()).toEqual(
      reasons,
    )
  })
})

test.for([
  [unrelated, related, ['hats']],
  [related, unrelated, []],
] as const)('an antigen of HATS is related in the later release only', ([from, to, reasons]) => {
  const changed = { before: ['A1'], after: ['A2'], hats: ['A203'], releases: { from, to } }
  expect([...antigenReasons(changed)]).toEqual(reasons)
})

test.for([
  ['A*01:01:01:01', ['A1']],
  ['A*01:01:01:01+A*02:01:01:01', ['A1', 'A203']],
  ['A*01:01:01:01/A*23:01:01:01', ['A1', 'A9']],
  ['A*01:01:01:01|A*23:01:01:01', ['A1', 'A9']],
  ['HLA-A*01:01:01:01^HLA-B*08:01:01:01', ['A1']],
  ['A*24:02:01:01+A*23:01:01:01', ['A9']],
  ['B*08:01:01:01', []],
  ['B*99:99', []],
] as const)('HATS assigns to %s: %s', ([typing, antigens]) => {
  expect(listHats(makeEngine(hats), typing).toSorted()).toEqual(antigens)
  expect(listHats(makeEngine(related), typing)).toEqual([])
})

test('a note says where HATS assigns an antigen that is related to none of the answer', () => {
  const noteOf = (typing: string, answer: readonly string[], says: string) => ({
    level: 'note',
    code: 'hats-differs',
    message: `HATS assigns ${says} in 3.58.0, where S is ${answer.map((one) => one.replace('HLA-', '')).join('/')}`,
    offending: typing,
  })
  const notes = (typing: string, answer: readonly string[]) => hatsNotes(typing, answer, makeEngine(hats))
  expect(notes('A*01:01:01:01', ['A1'])).toEqual([])
  expect(notes('A*02:01:01:01', ['A2'])).toEqual([])
  expect(notes('A*23:01:01:01', ['A3', 'A23'])).toEqual([])
  expect(notes('A*11:441', ['A11'])).toEqual([noteOf('A*11:441', ['A11'], 'A32')])
  expect(notes('A*11:441+A*30:01:01:01', ['HLA-A11', 'A30'])).toEqual([
    noteOf('A*11:441+A*30:01:01:01', ['HLA-A11', 'A30'], 'A31'),
    noteOf('A*11:441+A*30:01:01:01', ['HLA-A11', 'A30'], 'A32'),
  ])
})

test.for([
  ['A203', 'A203'],
  ['A24', 'A24'],
  ['A0203', 'A203'],
  ['HLA-A0203', 'HLA-A203'],
  ['A*02:03', 'A*02:03'],
  ['A99', 'A99'],
] as const)('%s is spelled %s', ([name, spelled]) => {
  expect(antigenSpelledIn(name, related)).toBe(spelled)
})
