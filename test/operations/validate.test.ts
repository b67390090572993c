/** The records and lines of validate. */
import { describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { validateOperation } from '../../src/operations/questions/validate.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('validateOperation', () => {
  const run = (gl_string: string) =>
    validateOperation.run({ gl_string }, makeKnowledge({ release: realRelease('3580'), mac: realMacs() }))

  test('answers as the service does', () => {
    expect(run('A*01:01+A*99:99')).toEqual({
      gl_string: 'A*01:01+A*99:99',
      valid: false,
      malformed: false,
      message: 'Provided GL String is invalid: A*01:01+A*99:99',
      cause: 'A*99:99 is not a valid Allele',
      code: 'unknown-allele',
      position: [8, 15],
      suggestions: [],
      problems: [
        expect.objectContaining({ code: 'unknown-allele', offending: 'A*99:99', position: [8, 15] }),
      ],
    })
    expect(run('A*01:01')).toEqual({ gl_string: 'A*01:01', valid: true, malformed: false })
  })

  test('malformed wins, and gives the code and place', () => {
    const answer = run('A*99:99+A**01:01')
    expect(answer).toMatchObject({
      malformed: true,
      code: 'bad-syntax',
      position: [10, 11],
      cause: 'a name has only one "*"',
    })
    expect(answer.problems).toHaveLength(2)
  })

  test.for([
    ['A*01:01', 'valid', false],
    ['A*01:01+A*99:99', 'invalid\tA*99:99 is not a valid Allele', true],
    [
      'A*01:01+A*02:01^B*07:02/07:06+B*08:01^',
      'malformed\tlocus missing in "07:06"; nothing after the last "^"',
      true,
    ],
  ] as const)('%s is %s', ([text, line, negative]) => {
    const answer = run(text)
    expect(validateOperation.toText(answer)).toBe(line)
    expect(validateOperation.isNegative?.(answer)).toBe(negative)
  })
})
