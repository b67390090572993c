/** The command line before commander parses it, and the options that commander gets. */
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { rowOf } from '../../src/cli/options/option-of.ts'
import { commandFirst } from '../../src/cli/options/options.ts'
import { commaList, wholeNumber } from '../../src/cli/options/parsers.ts'
import { readRemote } from '../../src/cli/options/remote-options.ts'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { buildProgram } from '../../src/cli/options/program.ts'

describe('commandFirst', () => {
  test.for([
    ['', ''],
    ['redux A1', 'redux A1'],
    ['-q redux A1', 'redux -q A1'],
    ['-r 3.58.0 redux A1', 'redux -r 3.58.0 A1'],
    ['-r3.58.0 redux', 'redux -r3.58.0'],
    ['-qr 3.58.0 redux', 'redux -qr 3.58.0'],
    ['-rq redux', 'redux -rq'],
    ['--release 3.58.0 redux', 'redux --release 3.58.0'],
    ['--release=3.58.0 redux', 'redux --release=3.58.0'],
    ['-m G redux A1', 'redux -m G A1'],
    ['-i - redux', 'redux -i -'],
    ['--data-dir redux data list', 'data --data-dir redux list'],
    ['-c A_1,A_2 redux -i x', 'redux -c A_1,A_2 -i x'],
    ['--into after -q redux', 'redux --into after -q'],
    ['reduce redux', 'reduce redux'],
    ['-q reduce', 'reduce -q'],
    ['-V', '-V'],
    ['-r 3.58.0', '-r 3.58.0'],
  ] as const)('of "%s" is "%s"', ([given, expected]) => {
    const words = given.split(' ').filter((word) => word !== '')
    const isCommand = (word: string) => ['redux', 'data'].includes(word)
    expect(commandFirst(words, isCommand).join(' ')).toBe(expected)
  })
})

test.for([
  ['mac,xx', ['mac', 'xx']],
  ['mac xx', ['mac', 'xx']],
  [' mac , ', ['mac']],
  ['', []],
] as const)('commaList of "%s" is %o', ([text, expected]) => expect(commaList(text)).toEqual(expected))

test.for(['', 'x', '-1', '1.5', '1e3', ' 1'])('wholeNumber refuses "%s"', (text) => {
  expect(() => wholeNumber(text)).toThrow('whole number')
})

const PROGRAMS = await loadPrograms()

/** Every command and subcommand, each with the options of its own command line. */
function allCommands(): Command[] {
  const names = buildProgram([], PROGRAMS).commands.map((command) => command.name())
  const asked = names.flatMap((name) =>
    buildProgram([name], PROGRAMS).commands.filter((one) => one.name() === name),
  )
  return [buildProgram([], PROGRAMS), ...asked, ...asked.flatMap((command) => command.commands)]
}

describe.each(allCommands().map((command) => [`hla ${command.name()}`, command] as const))(
  '%s',
  (_, command) => {
    test('says what it and each of its options and arguments is for', () => {
      expect(command.description()).toMatch(/^[A-Z].*\.$/)
      for (const { flags, description } of command.options)
        expect([flags, description]).toEqual([flags, expect.stringMatching(/\w\w/)])
    })

    test('says it in few words in a help of many options', () => {
      for (const option of command.options) {
        const { brief = 'as the help' } = rowOf(option)
        expect([option.flags, brief]).toEqual([option.flags, expect.stringMatching(/^\S.{3,60}\S$/)])
      }
    })

    test('uses no flag twice', () => {
      const flags = command.options
        .flatMap(({ short, long }) => [short, long])
        .filter((flag) => flag !== undefined)
      expect(new Set(flags).size).toBe(flags.length)
    })
  },
)

describe('options that take lists', () => {
  const withBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withBelow)]
  const commands = [...new Set(allCommands().flatMap(withBelow))]
  const options = commands.flatMap((command) => command.options.map((option) => [command, option] as const))
  const lists = options.filter(([, { flags }]) => /<(?:list|columns|kinds|leniencies|origins)>/.test(flags))

  test('are those that this table has', () => {
    const names = new Set(lists.map(([, { long }]) => long?.slice(2)))
    expect([...names].map(String).toSorted()).toEqual([
      'accept', 'add', 'columns', 'cors', 'exclude', 'gl', 'ignore-suffix', 'keep',
      'loci', 'missing', 'only', 'person-columns', 'remove', 'scopes', 'set',
    ]) // prettier-ignore
  })

  test('add up when they are given again, and replace what holds without them', () => {
    const wrong = lists.flatMap(([command, option]) => {
      const isOfKinds = option.flags.includes('<kinds>')
      const [one, other] = isOfKinds ? ['xx', 'mac'] : ['A', 'B']
      const parse = (text: string, before: unknown): unknown => option.parseArg?.(text, before as string)
      const both = parse(other, parse(one, option.defaultValue))
      const expected = typeof both === 'string' ? `${one},${other}` : [one, other]
      const isSum = JSON.stringify(both) === JSON.stringify(expected)
      return isSum ? [] : [`hla ${command.name()} ${option.flags}: ${JSON.stringify(both)}`]
    })
    expect(wrong).toEqual([])
  })
})

test('a list of kinds has no other words', () => {
  const redux = buildProgram(['redux'], PROGRAMS).commands.find((one) => one.name() === 'redux')
  const keep = redux?.options.find(({ long }) => long === '--keep')
  for (const text of ['foo', 'mac,foo', 'foo,mac'])
    expect(() => keep?.parseArg?.(text, undefined as never)).toThrow('Kinds are ')
})

describe('readRemote', () => {
  test.for([
    [{}, { url: 'http://h:1', release: '3.58.0', headers: {} }],
    [{ concurrency: 0 }, { concurrency: 1 }],
    [{ concurrency: 1 }, { concurrency: 1 }],
    [
      { concurrency: 7, retries: 0, timeout: 5, connectTimeout: 6, deadline: 7 },
      { concurrency: 7, retries: 0, timeout: 5, connectTimeout: 6, deadline: 7 },
    ],
  ] as const)('of %j asks with %j', ([network, expected]) => {
    const read = readRemote({ remote: 'http://h:1', network }, '3.58.0')
    expect(read).toEqual({ url: 'http://h:1', release: '3.58.0', headers: {}, ...expected })
  })

  test.for(['http://user:password@h', 'http://user@h', 'http://:password@h'])('refuses %s', (remote) => {
    expect(() => readRemote({ remote }, 'latest')).toThrow('the address contains a user name or password')
  })

  test('is nothing where the data here are asked', () => {
    expect([readRemote({}, 'latest'), readRemote({ remote: false }, 'latest')]).toEqual([
      undefined,
      undefined,
    ])
  })
})
