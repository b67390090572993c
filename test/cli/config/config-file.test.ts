/** Settings of a file: which one applies, and what the file contains after a change. */
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../../src/cli/commands/programs.ts'
import { changed } from '../../../src/cli/commands/config.ts'
import {
  findSetting,
  problemsIn,
  settingsIn,
  unknownSetting,
} from '../../../src/cli/run/config/config-file.ts'
import { settables } from '../../../src/cli/run/config/settables.ts'
import { errorOf } from '../../support/errors.ts'

const ALL = settables(await loadPrograms())
const FILE = settingsIn('/h/config.json', { release: '3.30.0', limit: 5, mac: { release: '3.31.0' } })

describe('the setting that counts', () => {
  test.for([
    ['redux', 'release', '3.30.0', 'release'],
    ['redux', 'limit', 5, 'limit'],
    ['mac', 'release', '3.31.0', 'mac.release'],
    ['mac', 'limit', 5, 'limit'],
    ['redux', 'method', undefined, undefined],
    // property names that every object inherits are unset
    ['redux', 'constructor', undefined, undefined],
  ] as const)('%s %s: %s of %s', ([command, name, value, key]) => {
    const found = findSetting(FILE, command, name)
    expect([found?.value, found?.key]).toEqual([value, key])
  })

  test('is none without a file', () => expect(findSetting(undefined, 'redux', 'release')).toBeUndefined())
})

test.for([
  [FILE, []],
  [settingsIn('/h/config.json', { 'data-dir': '/x' }), []],
  [settingsIn('/h/config.json', { redux: { lmit: 1 } }), ['redux.lmit']],
  [
    settingsIn('/h/config.json', { redux: { 'ignore-suffix': ['UUUU', {}], limit: {} } }),
    ['"ignore-suffix"', '"limit"'],
  ],
  // settings have no profiles
  [settingsIn('/h/config.json', { profiles: { a: { limit: 1 } } }), ['profiles.a']],
] as const)('what is wrong with %j: %j', ([file, wrong]) => {
  const problems = problemsIn(file, ALL)
  expect(problems).toHaveLength(wrong.length)
  for (const [at, key] of wrong.entries()) expect(problems[at]?.message).toContain(key)
})

test.for([
  // `columns` begins with it too
  ['col', ['color'], 'unknown setting "col". Did you mean "color"?'],
  ['redux.metod', ['redux.method'], 'unknown setting "redux.metod". Did you mean "redux.method"?'],
  ['zzzzzz', [], 'unknown setting "zzzzzz"'],
] as const)('the one setting that is nearest to %s: %j', ([key, suggestions, message]) => {
  const error = unknownSetting(key, ALL)
  expect([error.code, error.message, error.offending, error.suggestions, error.hint]).toEqual([
    'usage',
    message,
    key,
    suggestions,
    'hla config list --all shows the settings there are',
  ])
})

describe('a file with a setting changed', () => {
  const change = (key: string, words: readonly string[] | undefined) =>
    changed({ release: '3.40.0', redux: { limit: '5' }, note: 'kept' }, key, words, ALL)
  const REST = { redux: { limit: '5' }, note: 'kept' }
  test.for([
    ['release', ['3.50.0'], { release: '3.50.0', ...REST }],
    ['release', undefined, REST],
    ['redux.limit', ['7'], { release: '3.40.0', redux: { limit: '7' }, note: 'kept' }],
    // objects that become empty are removed
    ['redux.limit', undefined, { release: '3.40.0', note: 'kept' }],
    [
      'redux.method',
      ['G', 'S'],
      { release: '3.40.0', redux: { limit: '5', method: ['G', 'S'] }, note: 'kept' },
    ],
    ['mac.release', ['3.1.0'], { release: '3.40.0', ...REST, mac: { release: '3.1.0' } }],
    ['quiet', ['true'], { release: '3.40.0', ...REST, quiet: true }],
    ['quiet', ['false'], { release: '3.40.0', ...REST, quiet: false }],
  ] as const)('%s to %j', ([key, words, expected]) => {
    expect(change(key, words)).toEqual(expected)
    // keys keep their order
    expect(Object.keys(change(key, words))).toEqual(Object.keys(expected))
  })

  test('has one value where one belongs', () => {
    expect(errorOf(() => change('release', ['3.1.0', '3.2.0']))?.message).toBe(
      'this setting takes one value, not 2',
    )
  })
})
