/** The verdict of every published name, and of similar names, against one computed from the published lists alone. */
import { describe, expect, test } from 'vitest'
import { VERDICTS } from '../../src/engine/validate/verdict.ts'
import { type Knowledge, makeKnowledge, spentBudget, withBudget } from '../../src/operations/knowledge.ts'
import { validateOperation } from '../../src/operations/questions/validate.ts'
import { historyOfToday } from '../support/history.ts'
import { publishedVerdicts } from '../support/independent/verdicts.ts'
import { realRelease, releasesAtHand } from '../support/releases.ts'
import { isInSample } from '../support/rounds.ts'
import { hasShared } from '../support/shared.ts'

/** No suggestions are searched. */
function validator(code: string): (gl_string: string) => ReturnType<typeof validateOperation.run> {
  const parts = { release: realRelease(code), history: historyOfToday }
  const knowledge = withBudget(makeKnowledge(parts), spentBudget())
  return (gl_string) => validateOperation.run({ gl_string }, knowledge)
}

describe.skipIf(!hasShared)('the verdict of a name', () => {
  test.for(releasesAtHand())('of every name of all lists and of Deleted_alleles.txt in %s', (code) => {
    const validate = validator(code)
    const others: string[] = []
    for (const [name, expected] of publishedVerdicts(code)) {
      if (!isInSample(name)) continue
      const { verdict = '' } = validate(name)
      if (verdict !== expected) others.push(`${name}: ${verdict}, not ${expected}`)
    }
    expect(others).toEqual([])
  })

  let made: Knowledge | undefined
  const known = () => (made ??= makeKnowledge({ release: realRelease('3580'), history: historyOfToday }))

  test.for([
    ['A*01:01', 'valid', undefined, {}],
    ['A*0101', 'valid', undefined, {}],
    ['A*01:01:01G', 'valid', undefined, {}],
    ['DRB3*NNNN', 'absent', 'absent-gene', {}],
    ['A*01:01:999', 'unlisted', 'unlisted-fields', {}],
    ['A*30:100', 'reused', 'reissued', { accession: 'HLA09547', successor: 'A*30:02:12' }],
    [
      'A*24:329',
      'renamed',
      'renamed-allele',
      { successor: 'A*24:329Q', since: '3.39.0', reason: 'Sequence renamed A*24:329Q (October 2019)' },
    ],
    // still read by its first two fields
    [
      'A*0105N',
      'deleted',
      'deleted-allele',
      { successor: 'A*01:04:01:01N', reason: 'Sequence shown to be identical to A*01:04:01:01N (July 2001)' },
    ],
    ['A*99:99', 'unknown', 'unknown-allele', {}],
    ['DQB2*01:02:03', 'deleted', 'deleted-allele', {}],
    // differs from the retired name, which is only a suggestion
    ['A*024:329', 'unknown', 'renamed-allele', {}],
    [
      'HLA00001',
      'unknown',
      'unknown-allele',
      {
        message: 'HLA00001 is an accession number, not a name: the number of A*01:01:01:01',
        suggestions: ['A*01:01:01:01'],
      },
    ],
    ['HLA99999', 'unknown', 'unknown-allele', { message: 'HLA99999 is an accession number, not a name' }],
    ['HLA00965', 'deleted', 'deleted-allele', { successor: 'A*01:04:01:01N' }],
    ['Cw*0101', 'malformed', 'bad-syntax', {}],
  ] as const)('%s is %s', ([name, verdict, code, facts]) => {
    const answer = validateOperation.run({ gl_string: name }, known())
    expect(answer.verdict).toBe(verdict)
    expect(answer.code).toBe(code)
    expect(answer.names?.[0]?.verdict).toBe(verdict === 'valid' ? undefined : verdict)
    expect(answer.names?.[0] ?? {}).toMatchObject(facts)
  })

  test('of several names the first that makes the text invalid, else the one that needs most attention', () => {
    const validate = validator('3580')
    const shown = ({ verdict, names }: ReturnType<typeof validate>) => [verdict, names?.map((name) => [name.name, name.verdict, name.position])] // prettier-ignore
    expect(shown(validate('A*01:01:999+A*99:99|A*24:329+A*01:01'))).toEqual([
      'unknown',
      [
        ['A*99:99', 'unknown', [12, 19]],
        ['A*24:329', 'renamed', [20, 28]],
      ],
    ])
    expect(shown(validate('A*01:01:999+A*30:100'))).toEqual([
      'reused',
      [
        ['A*01:01:999', 'unlisted', [0, 11]],
        ['A*30:100', 'reused', [12, 20]],
      ],
    ])
  })

  test('is a word of the list, and of every list of the answer', () => {
    const { properties } = validateOperation.output
    expect(properties.verdict.enum).toEqual(VERDICTS)
    expect(validateOperation.cells?.kinds).toEqual(VERDICTS)
  })
})
