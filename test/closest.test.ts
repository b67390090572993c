/** Suggestions for misspelled words. */
import { describe, expect, test } from 'vitest'
import { closest } from '../src/cli/closest.ts'

const COMMANDS = ['redux', 'ard', 'cwd', 'validate', 'mac', 'splits', 'similar', 'data', 'pipe', 'help']

describe('closest', () => {
  test.for([
    ['reduce', ['redux']],
    ['Redux', ['redux']],
    ['rdeux', ['redux']],
    ['val', ['validate']],
    ['s', []],
    ['si', ['similar']],
    ['nope', []],
    ['xyzzy', []],
    ['', []],
    ['dta', ['data']],
    ['mac', ['mac']],
    ['mca', ['mac']],
  ] as const)('of %s is %o', ([word, expected]) => expect(closest(word, COMMANDS)).toEqual(expected))

  test('of a beginning is the word with the least left to type', () => {
    expect(closest('out', ['out-delimiter', 'outer-columns', 'output'])).toEqual([
      'output',
      'out-delimiter',
      'outer-columns',
    ])
  })

  test('of a switch is the one that turns it off', () => {
    expect(closest('ping', ['pin', 'no-ping'])).toEqual(['no-ping', 'pin'])
    expect(closest('query.ping', ['query.no-ping'])).toEqual(['query.no-ping'])
    expect(closest('--ping', ['--no-ping'])).toEqual(['--no-ping'])
  })

  test('of a switch is nearer than a word of which less than half is typed', () => {
    expect(closest('ab', ['no-ab', 'abcd'])).toEqual(['abcd', 'no-ab'])
    expect(closest('ab', ['abcde', 'no-ab'])).toEqual(['abcde', 'no-ab'])
    expect(closest('ab', ['abcdefg', 'no-ab'])).toEqual(['no-ab', 'abcdefg'])
  })

  test('are at most three', () => {
    expect(closest('ab', ['abd', 'abc', 'abcd', 'abf'])).toEqual(['abd', 'abc', 'abf'])
    expect(closest('ab', ['abd', 'abc', 'abcd', 'abf'], 4)).toEqual(['abd', 'abc', 'abf', 'abcd'])
  })

  test('are the nearest, nearest first, in the order given', () => {
    const columns = ['A1', 'A2', 'DRB12', 'DRB11', 'drb1-1', 'DRB1_1x']
    expect(closest('DRB1_1', columns)).toEqual(['DRB1_1x', 'DRB11', 'DRB12'])
    expect(closest('DRB1_1', columns, 1)).toEqual(['DRB1_1x'])
  })
})
