/** The output of validate as records and as lines. */
import { describe, expect, test } from 'vitest'
import { cellVerdict } from '../../src/operations/answers/verdict.ts'
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
      verdict: 'unknown',
      names: [
        {
          name: 'A*99:99',
          position: [8, 15],
          verdict: 'unknown',
          code: 'unknown-allele',
          message: 'A*99:99 is not a valid Allele',
          suggestions: [],
        },
      ],
      message: 'Provided GL String is invalid: A*01:01+A*99:99',
      cause: 'A*99:99 is not a valid Allele',
      code: 'unknown-allele',
      position: [8, 15],
      suggestions: [],
      problems: [
        expect.objectContaining({ code: 'unknown-allele', offending: 'A*99:99', position: [8, 15] }),
      ],
    })
    expect(run('A*01:01')).toEqual({ gl_string: 'A*01:01', valid: true, malformed: false, verdict: 'valid' })
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

  test('unlisted fields have a verdict of their own, in every form', () => {
    const answer = run('A*01:01:999')
    expect(answer).toMatchObject({ valid: true, unlisted: true, notes: [{ code: 'unlisted-fields' }] })
    expect(validateOperation.http.statusOf?.(answer)).toBe(200)
    expect(cellVerdict(answer)).toEqual({
      results: [
        'unlisted',
        'unlisted-fields',
        'A*01:01:999 is not listed in 3.58.0; it is read by its first two fields, A*01:01',
        '',
      ],
      kind: 'unlisted',
    })
  })

  test.for([
    [{ options: { exact: true } }, 'unknown\tA*01:01:999 is not a valid Allele'],
    [{ level: 'grammar' }, 'valid'],
  ] as const)('%j: %s', ([asked, line]) => {
    const knowledge = makeKnowledge({ release: realRelease('3580'), mac: realMacs() })
    const answer = validateOperation.run({ gl_string: 'A*01:01:999', ...asked }, knowledge)
    expect(validateOperation.toText(answer)).toBe(line)
  })

  test.for([
    ['A*01:01', 'valid', false],
    [
      'A*01:01:999',
      'unlisted\tA*01:01:999 is not listed in 3.58.0; it is read by its first two fields, A*01:01',
      false,
    ],
    ['DRB3*NNNN', 'absent\tDRB3*NNNN: the gene is absent', false],
    ['A*01:01+A*99:99', 'unknown\tA*99:99 is not a valid Allele', true],
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
