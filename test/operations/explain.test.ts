/** The explain operation: session 26, its records, and its answers on unknown names. */
import { adviceText } from '../../src/operations/faces.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Executor, localExecutor } from '../../src/operations/executor.ts'
import { explainOperation } from '../../src/operations/questions/explain.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { errorOf } from '../support/errors.ts'
import { publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { realSources } from '../support/sources.ts'

type Output = ReturnType<typeof explainOperation.run>

describe.skipIf(!hasShared)('explain of 3.58.0', () => {
  let executor: Executor
  // inside beforeAll, because the body of a skipped suite still runs
  beforeAll(() => {
    executor = localExecutor(
      makeKnowledge({
        release: realRelease('3580'),
        mac: realMacs(),
        sources: realSources('3580'),
        history: publishedHistory,
      }),
    )
  })

  function explained(gl_string: string, more: object = {}): Output {
    // the output type of this operation
    return executor.execute('explain', { gl_string, ...more }) as Output
  }

  test('session 26', () => {
    expect(explainOperation.toText(explained('DRB4*01:03:19', { options: { consistentLg: true } })))
      .toBe(`DRB4*01:03:19 -> DRB4*01:01   (lgx, IPD-IMGT/HLA 3.58.0)
  1 parse    allele: locus DRB4, fields 01 03 19
  2 known    hla_nom.txt:39508, assigned 2020-08-31
  3 G group  none: alone on hla_nom_g.txt:21624
  4 P group  DRB4*01:01P, hla_nom_p.txt:15246
  5 rule     lgx uses the G group; without one, the P group (ping) -> DRB4*01:01P
  6 result   first two fields: DRB4*01:01
  7 verdict  valid
  8 number   HLA28544
  9 common   CWD 2.0.0: CWD as DRB4*01:03
  other levels: G DRB4*01:03:19  P DRB4*01:01P  lg DRB4*01:01g  W DRB4*01:03:19  S DR53`)
  })

  // in the terms of validate, lift and cwd
  test.for([
    ['A*01:01:01:01', ['valid', 'HLA00001', 'CWD 2.0.0: CWD as A*01:01']],
    [
      'A*01:01:999',
      [expect.stringMatching(/^unlisted: .*not listed in 3\.58\.0/), 'CWD 2.0.0: CWD as A*01:01'],
    ],
    [
      'A*30:100',
      [expect.stringMatching(/^reused: .*was another allele's name/), 'HLA18590', 'CWD 2.0.0: none'],
    ],
    ['A*01:AB', []],
    ['A*01:01:01G', []],
    ['A2', []],
  ] as const)('what %s is today', ([name, expected]) => {
    const { steps } = explained(name)
    const facts = steps.filter(({ title }) => ['verdict', 'number', 'common'].includes(title))
    expect(facts.map(({ text }) => text)).toEqual(expected)
    expect(steps.slice(steps.length - facts.length)).toEqual(facts)
  })

  test('its examples are what it prints', () => {
    // test/docs/examples.test.ts runs the examples with a pipe
    const whole = explainOperation.examples.filter(
      ({ command, output }) => output !== undefined && !command.includes(' | '),
    )
    expect(whole.length).toBeGreaterThan(0)
    for (const { command, output } of whole) {
      const [, typing = ''] = /'(.*)'$/.exec(command) ?? []
      expect(explainOperation.toText(explained(typing))).toBe(output)
    }
  })

  test('records hold file and line, and every method of the contract', () => {
    const { steps, other, ard, ipd_version } = explained('DRB4*01:03:19')
    expect({ ard, ipd_version }).toEqual({ ard: 'DRB4*01:01', ipd_version: 3580 })
    expect(steps[1]).toEqual({
      leaf: 'DRB4*01:03:19',
      step: 2,
      title: 'known',
      text: 'hla_nom.txt:39508, assigned 2020-08-31',
      file: 'hla_nom.txt',
      line: 39508,
    })
    expect(Object.keys(other)).toEqual(['G', 'P', 'lg', 'W', 'exon', 'U2', 'S'])
  })

  test('several names stand one after another, then how they are put together', () => {
    const text = explainOperation.toText(explained('A*01:01:01:01+A*01:335'))
    const titles = text.split('\n').filter((line) => /^ {2}\S/.test(line))
    expect(titles).toEqual(['  A*01:01:01:01', '  A*01:335', '  put together'])
    expect(text.split('\n').at(-1)).toBe('    1 +        both copies are kept, sorted')
  })

  test('an answer of thousands of names is a few lines', () => {
    const text = explainOperation.toText(explained('A2', { reduction_method: 'W' }))
    expect(text.length).toBeLessThan(2000)
  })

  test('a name of another release is told as translated', () => {
    const { steps, ard } = explained('A*24:329', { lift: true })
    expect(steps[0]).toMatchObject({ leaf: 'A*24:329', step: 1, title: 'lift' })
    expect(steps[1]).toMatchObject({ leaf: 'A*24:329Q', step: 1, title: 'parse' })
    expect(ard).toBe('A*24:329Q')
  })

  test('a name that was given up is an error with the line that says so', () => {
    const error = errorOf(() => explained('A*01:01+A*24:329'))
    expect(error).toMatchObject({ code: 'renamed-allele', position: [8, 16], suggestions: ['A*24:329Q'] })
    expect(adviceText(error?.hint, 'command-line')?.split('\n').at(-1)).toBe('Deleted_alleles.txt:213')
  })
})

test('the starter set says so instead of a line', () => {
  const knowledge = makeKnowledge(openStarter())
  // the output type of this operation
  const output = localExecutor(knowledge).execute('explain', { gl_string: 'A*01:01' }) as Output
  expect(output.steps.some(({ file }) => file !== undefined)).toBe(false)
  expect(explainOperation.toText(output)).toContain('(lgx, built-in starter set of 3.58.0)')
  expect(explainOperation.toText(output)).toContain('3 G group  A*01:01:01G, built-in starter set')
})
