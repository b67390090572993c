/** Which messages a run shows, how many, and in which colours. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openReporter } from '../../src/cli/run/reporter.ts'
import { formatKinds, reportBug } from '../../src/cli/messages.ts'
import { HlaError } from '../../src/errors.ts'
import { packageVersion } from '../../src/package-root.ts'

const state = vi.hoisted(() => ({ isTerminal: false, told: '' }))

vi.mock('../../src/io/stdout.ts', async (original) => ({
  ...(await original<object>()),
  isTerminal: () => state.isTerminal,
  tell: (text: string, paint = (visible: string) => visible) => void (state.told += paint(text)),
}))

beforeEach(() => {
  Object.assign(state, { isTerminal: false, told: '' })
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'TERM', 'CI']) vi.stubEnv(name, undefined)
})
afterEach(() => void vi.unstubAllEnvs())

const note = (message: string, level: 'note' | 'warning' | 'detail' = 'note') => ({
  level,
  code: 'x',
  message,
})

describe('colours', () => {
  test.for([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [true, { TERM: 'dumb' }, false],
    [true, { TERM: 'xterm' }, true],
    [true, { CI: 'true' }, false],
  ] as const)('on a terminal: %s, with %j: %s', async ([isTerminal, env, isColored]) => {
    state.isTerminal = isTerminal
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const reporter = await openReporter({ verbose: 0, color: 'auto' })
    reporter.note(note('m'))
    expect(state.told).toBe(isColored ? 'hla: \u001b[36mnote\u001b[39m: m [x]\n' : 'hla: note: m [x]\n')
  })

  test('of warnings, errors and carets', async () => {
    const reporter = await openReporter({ verbose: 0, color: 'always' })
    reporter.note(note('m', 'warning'))
    reporter.error(new HlaError('bad-syntax', 'wrong', { position: [1, 3] }), 'A*1')
    expect(state.told).toBe(
      'hla: \u001b[33mwarning\u001b[39m: m [x]\n' +
        'hla: \u001b[31m\u001b[1merror\u001b[22m\u001b[39m: wrong [bad-syntax]\n  A*1\n   \u001b[31m^^\u001b[39m\n',
    )
  })
})

describe('messages', () => {
  test.for([
    [{ quiet: true, verbose: 0 }, ''],
    [{ quiet: false, verbose: 0 }, 'hla: note: one [x]\n'],
    [{ quiet: false, verbose: 1 }, 'hla: note: one [x]\nhla: note: more [x]\n'],
    [{ quiet: true, verbose: 1 }, 'hla: note: more [x]\n'],
  ] as const)('with %j', async ([options, told]) => {
    const reporter = await openReporter({ ...options, color: 'never' })
    // the same note once
    for (const one of [note('one'), note('one'), note('more', 'detail')]) reporter.note(one)
    expect(state.told).toBe(told)
    expect(reporter.isVerbose).toBe(options.verbose === 1)
  })

  test('beyond the first twenty are counted, but for one that was asked for', async () => {
    const reporter = await openReporter({ verbose: 0, color: 'never' })
    for (let at = 0; at < 23; at += 1) reporter.note(note(`n${at}`))
    for (let at = 0; at < 22; at += 1) reporter.error(new HlaError('bad-syntax', 'wrong'), '')
    reporter.note(note('asked'), true)
    const lines = state.told.trimEnd().split('\n')
    expect(lines).toHaveLength(41)
    expect(lines.at(-1)).toBe('hla: note: asked [x]')
    state.told = ''
    reporter.more()
    expect(state.told).toBe('hla: … 2 more errors\nhla: … 3 more notes\n')
  })

  test('nothing is counted where all were shown', async () => {
    const reporter = await openReporter({ verbose: 0, color: 'never' })
    reporter.note(note('one'))
    state.told = ''
    reporter.more()
    expect(state.told).toBe('')
  })
})

test('formatKinds counts answers of each kind', () => {
  const kinds = new Map([['same', 1062], ['gained', 1]]) // prettier-ignore
  expect(formatKinds(1, kinds)).toBe('hla: 1 typing: 1,062 same, 1 gained\n')
})

test.for([
  [undefined, new Error('no\nmore'), /: no; HLA_DEBUG=1 shows where\n$/],
  ['1', new Error('no'), /: no\nError: no\n {4}at .*\n/],
  ['1', 'text', /: text; HLA_DEBUG=1 shows where\n$/],
] as const)('an internal error with HLA_DEBUG=%s', ([debug, error, end]) => {
  vi.stubEnv('HLA_DEBUG', debug)
  expect(reportBug(error)).toBe(70)
  expect(state.told).toMatch(new RegExp(`^hla: internal error in hla ${packageVersion()}: `))
  expect(state.told).toMatch(end)
})
