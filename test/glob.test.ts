import { describe, expect, test } from 'vitest'
import { globTest, isGlob } from '../src/glob.ts'

const TITLES = { choices: true }
const COLUMNS = { choices: false }

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
    ['[^a]', '^', true],
    ['[a-]', '-', true],
    ['[😀-😎]', '😁', true],
    ['a*', 'a\nb', true],
    ['*a*b*', 'xbaxbx', true],
    ['*ab*ba*', 'aba', false],
    ['a*a', 'a', false],
    ['**', '', true],
    ['*?', '', false],
  ] as const)('%j and %j: %j', ([pattern, title, expected]) => {
    expect(globTest(pattern, TITLES)(title)).toBe(expected)
  })

  test.for([
    ['donors.csv', false],
    ['*.csv', true],
    ['a?', true],
    ['[ab]', true],
  ] as const)('%j is one: %j', ([text, expected]) => expect(isGlob(text, TITLES)).toBe(expected))

  test('a bracket is a sign where names have them', () => {
    expect(globTest('A[1]*', COLUMNS)('A[1]_G')).toBe(true)
    expect(isGlob('A[1]', COLUMNS)).toBe(false)
  })

  test.for([TITLES, COLUMNS])('no pattern takes long: %j', (options) => {
    const started = performance.now()
    expect(globTest(`${'*a'.repeat(500)}*b`, options)('a'.repeat(5000))).toBe(false)
    expect(globTest(`${'?*'.repeat(500)}b`, options)('a'.repeat(5000))).toBe(false)
    expect(globTest(`*${'a'.repeat(500)}b`, options)('a'.repeat(5000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(500)
  })
})
