import { describe, expect, test } from 'vitest'
import { globTest, isGlob } from '../../../src/client/drive/glob.ts'

describe('globTest', () => {
  test.for([
    ['*.csv', 'donors.csv', true],
    ['*.csv', 'donors.csv.gz', false],
    ['*', '', true],
    ['?.csv', 'a.csv', true],
    ['?.csv', '𝒜.csv', true],
    ['?.csv', 'ab.csv', false],
    ['[ab].csv', 'b.csv', true],
    ['[!ab].csv', 'b.csv', false],
    ['[a-c]*', 'c1', true],
    ['a.c*', 'abc', false],
    ['(1) + ^$|{}*', '(1) + ^$|{}', true],
    ['[x', '[x', true],
    ['a*', 'a\nb', true],
  ] as const)('%j and %j: %j', ([pattern, title, expected]) => {
    expect(globTest(pattern)(title)).toBe(expected)
  })

  test.for([
    ['donors.csv', false],
    ['*.csv', true],
    ['a?', true],
    ['[ab]', true],
  ] as const)('%j is one: %j', ([text, expected]) => expect(isGlob(text)).toBe(expected))
})
