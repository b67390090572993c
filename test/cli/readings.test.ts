/** Typings that cannot be read, and the command line that is advised: only a valid reading, and never one name from two. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adviceSteps, type CommandAdvice } from '../../src/advice.ts'
import { guessTyping } from '../../src/cli/guess/command.ts'
import { listReadings } from '../../src/cli/guess/readings.ts'
import { isMethodName, mayBeGuess, parsesAsTyping } from '../../src/cli/guess/typing-words.ts'
import { withReading } from '../../src/cli/guess/respell.ts'
import { assured, HlaError, isHlaError } from '../../src/errors.ts'
import { starHint } from '../../src/nomenclature/grammar.ts'
import { adviceText } from '../../src/operations/faces.ts'
import type { Executor } from '../../src/operations/executor.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { operationNamed } from '../../src/operations/registry.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { rounds } from '../support/rounds.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('an unreadable typing', () => {
  const redux = assured(operationNamed('redux'), 'an operation')
  let made: ReturnType<typeof localExecutor> | undefined
  const executor = () =>
    (made ??= localExecutor(makeKnowledge({ release: realRelease('3580'), mac: realMacs() })))

  /** The advised typing; undefined without advice; the text itself when it is answered. */
  async function advised(text: string): Promise<string | undefined> {
    const input = { reduction_method: 'lgx' }
    try {
      executor().execute('redux', { ...input, gl_string: text })
      return text
    } catch (error) {
      if (!isHlaError(error)) throw error
      const asked = { operation: redux, executor: executor(), input, words: ['redux', text] }
      const { hint } = await withReading(error, text, asked)
      const line = adviceSteps(hint).find(
        (one): one is CommandAdvice => 'command' in one && one.command === 'redux',
      )
      return line?.args?.[0]
    }
  }

  test.for([
    ['A*02:01 24:02', 'A*02:01+A*24:02'],
    ['A*02:01,24:02', 'A*02:01+A*24:02'],
    ['A*02:01-24:02', 'A*02:01+A*24:02'],
    ['A*02:01_24:02', 'A*02:01+A*24:02'],
    ['A*02:01;24:02', 'A*02:01+A*24:02'],
    ['A*0201 2402', 'A*02:01+A*24:02'],
    ['A2,24', 'A2+A24'],
    ['B8,35', 'B8+B35'],
    ['A3,11', 'A3+A11'],
    ['Cw7,8', 'Cw7+Cw8'],
    ['A2,A24', 'A2+A24'],
    ['A2-A24', 'A2+A24'],
    ['HLA-A2,24', 'A2+A24'],
    ['A1,24;B8,44', 'A1+A24^B8+B44'],
    ['A*02:01 or A*02:02', 'A*02:01/A*02:02'],
    ['Cw*07:02', 'C*07:02'],
    ['Cw*0702,0801', 'C*07:02+C*08:01'],
    ['A0201', 'A*02:01'],
    ['DRB1 15:01', 'DRB1*15:01'],
    ['HLA-DRB1 1501', 'HLA-DRB1*1501'],
    ['A*0201/0205', 'A*02:01/A*02:05'],
    ['DRB1*1501/1502+DRB1*0301', 'DRB1*15:01/DRB1*15:02+DRB1*03:01'],
    ['A*02:01-A*02:05', undefined],
    ['A*02.01', 'A*02:01'],
    // possible alleles of one typing, or two typings: nothing is suggested
    ['A*02:01,A*02:02', undefined],
    // a typing that no release has
    ['A2,77', undefined],
    ['A2.24', undefined],
    ['A*02:01,24:9999', undefined],
    ['A*02:01_01', undefined],
  ] as const)('%s: %s', async ([text, reading]) => expect(await advised(text)).toBe(reading))

  test('is advised only as a valid typing, with as many names as it has', async () => {
    const names = ['A*02:01', '24:02', 'A*24:02', '*03:01', 'A2', '24', 'A24', 'B8', 'B*07:02', 'Cw7', '8', 'Cw*07:02', 'A*0201', '2402', 'DR4', '11'] // prettier-ignore
    const between = [',', ';', ' ', '-', '_', ', ', '; ', ' and ', '&', '.']
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.constantFrom(...between),
        fc.constantFrom(...names),
        async (first, separator, second) => {
          const reading = await advised(first + separator + second)
          if (reading === undefined) return
          expect(executor().execute('validate', { gl_string: reading })).toMatchObject({ valid: true })
          expect({ first, separator, second, reading, count: reading.split(/[+^/]/).length }).toMatchObject({
            count: 2,
          })
        },
      ),
      { numRuns: rounds(1600) },
    )
  })
})

describe('the advice', () => {
  /** Advice on a text where a release answers the texts of `answers`, and has the names of `valid`. */
  async function adviceOn(text: string, answers: readonly string[], valid = answers, input: object = {}) {
    const executor = {
      execute: (name: string, asked: { readonly gl_string?: string }) => {
        const { gl_string: given = '' } = asked
        if (name === 'validate') return { valid: valid.includes(given) }
        if (!answers.includes(given)) throw new HlaError('bad-syntax', 'not read')
        return {}
      },
    } as unknown as Executor
    const operation = assured(operationNamed('redux'), 'an operation')
    const error = new HlaError('bad-syntax', 'not read', { hint: starHint('A*02:01') })
    const { hint } = await withReading(error, text, {
      operation,
      executor,
      input: { ...input },
      words: ['redux', text],
    })
    return adviceText(hint, 'command-line')
  }

  test('does not repeat what is in its line', async () => {
    const [meant, two] = ['A*02:01', 'A*02:01+B*07:02']
    expect(await adviceOn('A02:01', [meant])).toBe(`did you mean hla redux '${meant}'?`)
    expect(await adviceOn('A02:01+B*07:02', [two])).toBe(`did you mean hla redux '${two}'?`)
    expect(await adviceOn('A 03:01', ['A*03:01'])).toBe(
      "did you mean A*02:01?\ndid you mean hla redux 'A*03:01'?",
    )
  })

  test('names the leniency that reads the text as it is', async () => {
    expect(await adviceOn('a*02:01', ['A*02:01', 'a*02:01'])).toBe(
      "did you mean hla redux 'A*02:01'? --accept case reads it that way",
    )
  })

  test.for([
    [{}, 'did you mean A*02:01?'],
    [{ lift: false }, 'did you mean A*02:01?'],
    [{ lift: true }, "did you mean hla redux 'A*02:01'?"],
    [{ from: '3.29.0' }, "did you mean hla redux 'A*02:01'?"],
  ] as const)('on a name that the release lacks, with %j', async ([input, text]) => {
    expect(await adviceOn('A02:01', ['A*02:01'], [], input)).toBe(text)
  })
})

test('an unknown command that reads as a typing is advised as one, and no other word is', async () => {
  expect(adviceSteps(await guessTyping('A0201'))).toEqual([{ command: 'redux', args: ['A*02:01'] }])
  for (const word of ['foo', 'B', 'nofile.csv', 'A99999', 'upgrade2'])
    expect(await guessTyping(word)).toBeUndefined()
})

describe('words of a line', () => {
  test.for([
    ['A*01:01', true],
    ['A*01:01+A*02:AB^B7/B*08:01G', true],
    ['hla#3.58.0#A*01:01', true],
    ['A*01:01+hello', false],
    ['hello+A*01:01', false],
    ['A*01:01+', false],
    ['none.csv', false],
  ] as const)('%s is a typing: %s', ([text, isTyping]) => expect(parsesAsTyping(text)).toBe(isTyping))

  test.for([
    ['lgx', true],
    ['LGX', true],
    ['g', true],
    ['S', true],
    ['lgx2', false],
    ['', false],
    [undefined, false],
  ] as const)('%s is a method: %s', ([word, isMethod]) => expect(isMethodName(word)).toBe(isMethod))

  test.for([
    ['redux', ['A*01:01', 'B*07:02'], '3.58.0', false],
    ['redux', ['A*01:01'], 'lgx', true],
    ['validate', ['A*01:01'], 'lgx', false],
    ['redux', ['A*01:01', 'a.csv'], '3.58.0', true],
    ['redux', ['a.csv', 'A*01:01'], '3.58.0', true],
    ['redux', [], '3.58.0', false],
    ['blend', ['DRB1*03:01+DRB1*04:01'], '3.58.0', false],
    ['blend', ['DRB1*03:01', 'DRB1*04:01'], '3.58.0', true],
  ] as const)('hla %s %j with release %s may be a guess: %s', ([name, operands, release, mayBe]) => {
    expect(mayBeGuess(assured(operationNamed(name), name), operands, release)).toBe(mayBe)
  })
})

describe('readings', () => {
  test.for([
    ['"A*0201"', 'A*0201'],
    ['\u201cA2\u201d', 'A2'],
    ['+A*0201+', 'A*0201'],
    ['A*02:O1+A*o3:01', 'A*02:01+A*03:01'],
    ['A*02', 'A*02:XX'],
    ['A*02:', 'A*02:XX'],
    ['A:02:', 'A*02:'],
    ['drb1 1501', 'drb1*1501'],
    ['HLA-DRB1 15:01', 'HLA-DRB1*15:01'],
    ['A*01:01/02', 'A*01:01/A*01:02'],
    ['A*01:01/02:01', 'A*01:01/A*02:01'],
    ['A*01:01/02N', 'A*01:01/A*01:02N'],
    ['A02_01_01', 'A*02:01:01'],
    ['A-02:01', 'A*02:01'],
    ['a-0201', 'A*02:01'],
    ['dqa1*05:01-dqb1*02:01', 'DQA1*05:01~DQB1*02:01'],
    ['DQA1*05:01-DQB1*02:01+DQA1*01:01-DQB1*05:01', 'DQA1*05:01~DQB1*02:01+DQA1*01:01~DQB1*05:01'],
    ['A*02:01 OR A*02:02', 'A*02:01/A*02:02'],
    ['A*02:01 and A*24:02 AND B*07:02', 'A*02:01+A*24:02^B*07:02'],
    ['A*02:01&A*24:02', 'A*02:01+A*24:02'],
    ['A*02:01, 24:02', 'A*02:01+A*24:02'],
    ['Cw*07:02, *08:01', 'C*07:02+C*08:01'],
    ['A1-2', 'A1+A2'],
    ['Ａ*0201', 'A*0201'],
    [' A*0201 ', 'A*0201'],
    ['A24:02', 'A*24:02'],
    ['A*0201, A*2402', 'A*02:01+A*24:02'],
    ['A*01:01/102', 'A*01:01/A*01:102'],
    ['DRB1*15:01-DQB1*06:02+DRB1*01:01-DQB1*05:01', 'DRB1*15:01~DQB1*06:02+DRB1*01:01~DQB1*05:01'],
  ] as const)('the likeliest of %s is %s', ([text, reading]) =>
    expect(listReadings(text, false)[0]).toBe(reading),
  )

  test.for([
    ['a2', 'A2'],
    ['HLA-a2', 'A2'],
    ['CW7', 'Cw7'],
    ['dpw4', 'DPw4'],
    ['A*0101/0201', 'A*01:01/A*02:01'],
    ['a*02.01.01', 'A*02:01:01'],
    ['A24.112', 'A*24:112'],
    ['a-0201', 'a*0201'],
    ['HLA-A-02:01', 'HLA-A*02:01'],
    ['A*02:01:', 'A*02:01:XX'],
  ] as const)('one of %s is %s', ([text, reading]) => expect(listReadings(text, false)).toContain(reading))

  test.for([
    ['A*02"01', 'A*0201'],
    ['A*02:01orA*02:02', 'A*02:01/A*02:02'],
    ['A*02:01or A*02:02', 'A*02:01/A*02:02'],
    ['A*02:01and A*24:02', 'A*02:01+A*24:02'],
    ['A*02:01', 'A*0201:XX'],
    ['DRB1501', 'DRB1*501'],
    ['A*02:01N-1', 'A*02:01N*1'],
    ['1A*02.01', '1A*02:01'],
    ['B*7.02', 'B*7:02'],
    ['A*01:01/N', 'A*01:N'],
    ['xa2', 'A2'],
    ['a2x', 'A2'],
    // an allele in doubt, or both?
    ['A*01:01, A*01:02, B*07:02', 'A*01:01+A*01:02^B*07:02'],
  ] as const)('none of %s is %s', ([text, reading]) =>
    expect(listReadings(text, false)).not.toContain(reading),
  )

  test('numbers without any locus get none', () => {
    for (const reading of listReadings('01:01/02', false)) expect(reading).not.toMatch(/[a-z]/i)
  })

  test.for(['A*01:01 or hello', 'A*01:01, hello'])('%s is not two typings', (text) =>
    expect(listReadings(text, false).filter((one) => /[+^|~/]/.test(one))).toEqual([]),
  )

  test.for(['A2', 'A24', 'MICA*002', 'xDRB1 15:01', 'A*02:01.02', 'a1_2'])('%s has none', (text) =>
    expect(listReadings(text, false)).toEqual([]),
  )

  test.for([
    ['ab', ['A*01:AB', 'A*02:AB', 'B*07:AB', 'C*07:AB', 'DRB1*04:AB', 'DQB1*03:AB', 'DPB1*04:AB']],
    ['xAB1', []],
    ['1AB', []],
    ['ABCDEF', []],
  ] as const)('codes read from %s', ([text, codes]) => {
    expect(listReadings(text, true).filter((one) => one.includes('*'))).toEqual(codes)
  })
})
