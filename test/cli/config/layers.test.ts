/** Settings from several files and profiles: which one applies, and what a file contains after a change. */
import { describe, expect, test } from 'vitest'
import { changed } from '../../../src/cli/run/config/config-command.ts'
import { findSetting, layersIn, orderLayers, problemsIn } from '../../../src/cli/run/config/config-file.ts'
import { errorOf } from '../../support/errors.ts'

const NEAR = layersIn('/p/hla.json', { release: '3.40.0', redux: { method: 'G' } })
const HOME = layersIn('/h/config.json', {
  release: '3.30.0',
  limit: 5,
  mac: { release: '3.31.0' },
  profiles: { registry: { release: '3.20.0', redux: { limit: 9 } }, other: { limit: 1 } },
})

describe('the setting that counts', () => {
  test.for([
    // the first file has precedence
    [undefined, 'redux', 'release', '3.40.0', '/p/hla.json'],
    [undefined, 'redux', 'method', 'G', '/p/hla.json'],
    [undefined, 'mac', 'method', undefined, undefined],
    [undefined, 'redux', 'limit', 5, '/h/config.json'],
    // a weaker file's setting for the command does not override a stronger file's setting for all
    [undefined, 'mac', 'release', '3.40.0', '/p/hla.json'],
    // a profile overrides all files
    ['registry', 'mac', 'release', '3.20.0', 'profile registry of /h/config.json'],
    ['registry', 'redux', 'limit', 9, 'profile registry of /h/config.json'],
    ['registry', 'mac', 'limit', 5, '/h/config.json'],
    ['other', 'redux', 'release', '3.40.0', '/p/hla.json'],
    // property names that every object inherits are unset
    [undefined, 'redux', 'constructor', undefined, undefined],
  ] as const)('profile %s, %s %s: %s of %s', ([profile, command, key, value, source]) => {
    const found = findSetting(orderLayers([...NEAR, ...HOME], profile), command, key)
    expect([found?.value, found?.layer.source]).toEqual([value, source])
  })

  test('within one file, what is said of the command goes before what is said of all', () => {
    expect(findSetting(orderLayers(HOME, undefined), 'mac', 'release')?.value).toBe('3.31.0')
  })

  test.for([
    [HOME, 'regstry', ['registry'], 'profiles: registry other'],
    [NEAR, 'constructor', [], 'profiles: none'],
    [[], 'registry', [], 'there is no settings file'],
  ] as const)('of %j there is no profile %s', ([files, profile, suggestions, hint]) => {
    const error = errorOf(() => orderLayers(files, profile))
    expect([error?.code, error?.offending, error?.suggestions, error?.hint]).toEqual([
      'usage',
      profile,
      suggestions,
      hint,
    ])
  })
})

test.for([
  [NEAR, []],
  [HOME, []],
  [layersIn('/h/config.json', { 'data-dir': '/x' }), []],
  [layersIn('/h/config.json', { profiles: { a: { lmit: 1 } } }), ['lmit']],
] as const)('what is wrong with %j: %j', ([file, wrong]) => {
  const problems = problemsIn(file)
  expect(problems).toHaveLength(wrong.length)
  for (const [at, key] of wrong.entries()) expect(problems[at]?.message).toContain(key)
})

describe('a file with a setting changed', () => {
  const change = (key: string, words: readonly string[] | undefined, profile?: string) =>
    changed({ release: '3.40.0', redux: { limit: '5' }, note: 'kept' }, { key, words, profile })
  const REST = { redux: { limit: '5' }, note: 'kept' }
  test.for([
    ['release', ['3.50.0'], undefined, { release: '3.50.0', ...REST }],
    ['release', undefined, undefined, REST],
    ['redux.limit', ['7'], undefined, { release: '3.40.0', redux: { limit: '7' }, note: 'kept' }],
    // objects that become empty are removed
    ['redux.limit', undefined, undefined, { release: '3.40.0', note: 'kept' }],
    [
      'redux.method',
      ['G', 'S'],
      undefined,
      { release: '3.40.0', redux: { limit: '5', method: ['G', 'S'] }, note: 'kept' },
    ],
    ['mac.release', ['3.1.0'], undefined, { release: '3.40.0', ...REST, mac: { release: '3.1.0' } }],
    ['release', ['3.1.0'], 'a', { release: '3.40.0', ...REST, profiles: { a: { release: '3.1.0' } } }],
    ['release', undefined, 'a', { release: '3.40.0', ...REST }],
    ['quiet', ['true'], undefined, { release: '3.40.0', ...REST, quiet: true }],
    ['quiet', ['false'], undefined, { release: '3.40.0', ...REST, quiet: false }],
  ] as const)('%s to %j, profile %s', ([key, words, profile, expected]) => {
    expect(change(key, words, profile)).toEqual(expected)
    // keys keep their order
    expect(Object.keys(change(key, words, profile))).toEqual(Object.keys(expected))
  })

  test('has one value where one belongs', () => {
    expect(errorOf(() => change('release', ['3.1.0', '3.2.0']))?.message).toBe(
      'this setting takes one value, not 2',
    )
  })
})
