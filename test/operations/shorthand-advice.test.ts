/** Malformed names: the likely meaning, and the leniencies that read it. */
import { adviceText } from '../../src/operations/faces.ts'
import { expect, test } from 'vitest'
import { isHlaError } from '../../src/errors.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const executor = localExecutor(makeKnowledge({ release: smallRelease(), mac: smallMacs() }))

function refusal(operation: string, gl_string: string): unknown {
  try {
    return executor.execute(operation, { gl_string })
  } catch (error) {
    if (isHlaError(error)) return [error.code, error.suggestions, adviceText(error.hint, 'command-line')]
    throw error
  }
}

const NEEDED = 'every allele needs its locus'

test.each([
  ['A*01:01+02:01', ['A*02:01'], `${NEEDED}; did you mean A*02:01? (--accept shorthand)`],
  ['HLA-A*01:01/02:01', ['HLA-A*02:01'], `${NEEDED}; did you mean HLA-A*02:01? (--accept shorthand)`],
  ['B*07:02^A*01:01|*02:01', ['A*02:01'], `${NEEDED}; did you mean A*02:01? (--accept shorthand)`],
  // no such name
  ['A*01:01/99:99', [], NEEDED],
  // no locus precedes it
  ['01:01+A*02:01', [], NEEDED],
])('%s', (text, suggestions, hint) => {
  expect(refusal('redux', text)).toEqual(['bad-syntax', suggestions, hint])
})

test.each([
  ['A*01:01 ', '--accept space reads it as A*01:01'],
  ['a*01:1', '--accept case,zero reads it as A*01:01'],
  ['Cw*0102', '--accept v2 reads it as C*01:02'],
  ['HLA A*01:01', '--accept space reads it as A*01:01'],
  ['A*02:01^A*01:01,', 'names are joined with "/" (or), "+" (the two copies) and "^" (loci)'],
])('%s: %s', (text, hint) => {
  expect(refusal('redux', text)).toEqual([
    expect.any(String),
    expect.any(Array),
    expect.stringContaining(hint),
  ])
})

// typed, the option would be followed by another refusal
test.each(['A*01:01 ?', 'A*99:99 ', 'A*01:01 G'])('%s: no leniency', (text) => {
  expect(refusal('redux', text)).toEqual(['bad-character', [], undefined])
})
