/** Command lines split as in bash. */
import { describe, expect, test } from 'vitest'
import { forBash, splitLine } from '../../../src/manual/completion/shell-words.ts'

describe('splitLine', () => {
  test.for([
    ['', [], '', ''],
    ['hla', [], 'hla', ''],
    ['hla ', ['hla'], '', ''],
    ['  hla  r', ['hla'], 'r', ''],
    ["hla redux 'A*01:01' --", ['hla', 'redux', 'A*01:01'], '--', ''],
    ['hla -c "Sample ID,A', ['hla', '-c'], 'Sample ID,A', '"'],
    ["hla -c 'Sample ID' -l", ['hla', '-c', 'Sample ID'], '-l', ''],
    ['hla -c Sample\\ ID', ['hla', '-c'], 'Sample ID', ''],
    ['hla -m "" ', ['hla', '-m', ''], '', ''],
    ['hla a\'b\'"c"d', ['hla'], 'abcd', ''],
    ["hla 'a\\", ['hla'], 'a\\', "'"],
    ['hla \\  x', ['hla', ' '], 'x', ''],
  ] as const)('of %s', ([line, before, current, quote]) =>
    expect(splitLine(line)).toEqual({ before, current, quote }),
  )
})

describe('forBash', () => {
  const BREAKS = ' \t\n"\'><=;|&(:'
  test.for([
    ['hla redux --format=j', '--format=json', 'json'],
    ['hla redux -l A=A_1,', 'A=A_1,A_2', 'A_1,A_2'],
    ['hla redux -c HLA', 'HLA-A 1', 'HLA-A\\ 1'],
    ['hla redux -c "HLA', 'HLA-A 1', 'HLA-A 1'],
    ['hla redux -r 3.5', '3.58.0', '3.58.0'],
    ['hla redux --ex', '--exclude', '--exclude'],
    ['hla mac A*01:A', 'A*01:AB', 'AB'],
    ['hla redux -c Sample\\ I', 'Sample ID', 'Sample\\ ID'],
    ['hla redux -c a\\\tb', 'a\tb c', 'a\\\tb\\ c'],
    ['hla redux -c A', 'A (1)', 'A\\ \\(1\\)'],
  ] as const)('at the end of %s, %s is %s', ([line, word, expected]) =>
    expect(forBash(word, splitLine(line), BREAKS)).toBe(expected),
  )

  test('without word breaks it is the whole word', () =>
    expect(forBash('--format=json', splitLine('hla redux --format=j'), '')).toBe('--format=json'))
})
