/** Lines of typing programs are recognised as a whole: not within other text, nor cut short. */
import { describe, expect, test } from 'vitest'
import { LINE_PROGRAMS } from '../../../src/table/sources/programs/line-programs.ts'
import { assured } from '../../../src/errors.ts'

const isWrittenBy = (name: string, lines: readonly string[]) =>
  assured(
    LINE_PROGRAMS.find((program) => program.name === name),
    name,
  ).isWrittenBy(lines)

const T1K_LIST = ['A*02:01\t60', 'HLA-B*07:02 -1', 'C*07:02\t0', 'DRB1*15:01\t35\t', 'DQA1*01:02\t9', 'DQB1*06:02\t1', 'DPA1*01:03\t1', 'DPB1*04:01\t1'] // prettier-ignore

/** Lines, and whether text behind each makes them others'. */
describe.each([
  ['hla-hd', ['A\tHLA-A*24:02:01\tHLA-A*02:01:01', 'DRB4\tNot typed\t-'], false],
  ['t1k', ['HLA-A\t2\tHLA-A*02:01:01\t40.5\t20\tHLA-A*24:02:01\t38.1\t-1'], true],
  ['t1k', ['A\t0\t.\t0\t-1\t.\t0\t-1'], true],
  ['t1k', T1K_LIST, true],
  ['kourami', ['A*02:01:01G\t546\t1.0\t546\t546\t43.0\t22.0\t11.0'], true],
  ['kourami', ['HLA-A*02:01:01G\t546\t9.9E-1\t546\t546\t43.0\t22.0\t11.0 '], true],
  ['pharmcat', ['HLA-A\t*02:01/*24:02', 'HLA-B\t*07:02'], false],
  ['polysolver', ['HLA-A\thla_a_02_01_01_01\thla_a_24_02_01_02l'], true],
  ['spechla', ['# version: IPD-IMGT/HLA 3.51.0', 'Sample\tHLA_A_1\tHLA_A_2'], true],
  ['hlaminer', ['Prediction #1 - A*24'], false],
  ['hlaminer', ['\tPrediction #2 - DRB1*15'], false],
  ['hisat-genotype', ['1 ranked A*02:01:01:01 (abundance: 51.00%)'], false],
  ['hisat-genotype', ['\t12 ranked DRB1*15:01 (abundance: 0.5%)'], false],
  ['hlaforest', ['ROOT:A', 'ROOT:A\tROOT:A:02\tROOT:A:02:01'], true],
] as const)('%s: %j', (name, lines, isWhole) => {
  test('are its own', () => expect(isWrittenBy(name, lines)).toBe(true))
  test('are not behind other text', () =>
    expect(
      isWrittenBy(
        name,
        lines.map((line) => `!${line}`),
      ),
    ).toBe(false))
  test('before other text', () =>
    expect(
      isWrittenBy(
        name,
        lines.map((line) => `${line}!`),
      ),
    ).toBe(!isWhole))
})

test.for([
  ['hla-hd', '\tHLA-A*24:02:01\tHLA-A*02:01:01'],
  ['kourami', '*02:01:01G\t546\t1.0\t546\t546\t43.0\t22.0\t11.0'],
  ['kourami', 'A*\t546\t1.0\t546\t546\t43.0\t22.0\t11.0'],
  ['pharmcat', 'HLA-A\t*'],
  ['pharmcat', 'HLA-\t*02:01'],
  ['pharmcat', 'A\t*02:01/*24:02'],
  ['polysolver', 'HLA-\thla_a_02_01_01_01\thla_a_24_02_01_01'],
  ['hlaminer', 'Prediction # - A*24'],
  ['hisat-genotype', ' ranked A*02:01:01:01 (abundance: 51.00%)'],
  ['hlaforest', 'ROOT:\tROOT:A:02'],
] as const)('%s writes no %j', ([name, line]) => expect(isWrittenBy(name, [line])).toBe(false))

test.for([
  ['pharmcat', ['!HLA-A\t*02:01', 'HLA-B\t*07:02']],
  ['spechla', ['version # 3.51.0', 'Sample\tHLA_A_1\tHLA_A_2']],
  ['spechla', ['# version: 3.51.0', '!Sample\tHLA_A_1\tHLA_A_2']],
  ['spechla', ['# version: 3.51.0', 'Sample\tHLA__1\tHLA__2']],
] as const)('%s writes no such lines together: %j', ([name, lines]) => {
  expect(isWrittenBy(name, lines)).toBe(false)
})

test('a list of few genes, of three alleles of one, or of other qualities is of no program', () => {
  expect(isWrittenBy('t1k', T1K_LIST.slice(0, 2))).toBe(false)
  expect(isWrittenBy('t1k', [...T1K_LIST, 'A*03:01\t1', 'A*24:02\t1'])).toBe(false)
  for (const line of ['A*02:01\t61', '*02:01\t60', 'A*\t60', '']) {
    const lines = T1K_LIST.map((one, at) => (at === 0 ? line : one))
    expect([line, isWrittenBy('t1k', lines)]).toEqual([line, line === ''])
  }
})
