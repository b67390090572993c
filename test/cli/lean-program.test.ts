/** A program that declares only the options that its command line can mean reads it like one that declares all. */
import { CommanderError, type Command } from 'commander'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { buildProgram } from '../../src/cli/options/program.ts'
import { OPERATIONS } from '../../src/operations/registry.ts'
import { rounds } from '../support/rounds.ts'

afterEach(() => vi.unstubAllEnvs())

const NAMES = OPERATIONS.map(({ name }) => name)

function commandIn(program: Command, name: string | undefined): Command {
  const found = program.commands.find((command) => command.name() === name)
  if (found === undefined) throw new Error(`no command ${name}`)
  return found
}

/** Commander's result for a command line: values with their sources and arguments, or the error; and its output. */
function readBy(program: Command, words: readonly string[]): unknown {
  const command = NAMES.includes(words[0] ?? '') ? commandIn(program, words[0]) : program
  let printed = ''
  let read: unknown
  for (const one of [program, command])
    one.configureOutput({ writeOut: (text) => (printed += text), writeErr: (text) => (printed += text) })
  command.action((...given: unknown[]) => {
    const values = Object.entries(command.opts<Record<string, unknown>>())
    const told = values
      .map(([name, value]) => [name, value, command.getOptionValueSource(name)] as const)
      // `--no-x` alone makes x true, which means that it is not given
      .filter(([, value, source]) => source !== 'default' || value !== true)
    read = [
      told.toSorted(([one], [other]) => (one < other ? -1 : 1)),
      given.slice(0, command.registeredArguments.length),
    ]
  })
  try {
    program.parse([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    read = [error.code, error.message, error.exitCode]
  }
  return [read, printed]
}

function expectSame(words: readonly string[]): void {
  expect(readBy(buildProgram(words, [], true), words)).toEqual(readBy(buildProgram(words), words))
}

test('declares few of the options of redux', () => {
  const words = ['redux', '-q', '-m', 'G', 'A*01:01']
  const [few, all] = [buildProgram(words, [], true), buildProgram(words)].map(
    (program) => commandIn(program, 'redux').options.length,
  )
  expect(few).toBeLessThan((all ?? 0) / 4)
})

test.for([
  'redux -qm G A*01:01',
  'redux -vvqmG A*01:01',
  'redux -m G -m lgx --method=P A*01:01',
  'redux --config none A',
  'redux --config x.json --config none A',
  'redux --no-strict --no-header -H A',
  'redux --only mac --keep xx A',
  'redux --keep nothing A',
  'redux --format nothing A',
  'redux -f',
  'redux --relese 3.58.0 A',
  'redux -Z A',
  'redux -- -m G',
  'redux -r --config none A',
  'redux -r -m A',
  'redux --remote http://x A',
  'redux --help',
  'redux -h',
  'redux -qh',
  'diff 3.1.0 3.2.0 --help',
  'mac --expand A*01:AB',
  'mac --expand --encode A*01:AB',
  'mac --version',
  '--help',
  '-h',
  '-V',
  '--versio',
  '-q -V',
  'redux -V',
  'diff',
] as const)('hla %s', (line) => expectSame(line.split(' ')))

test.for([
  ['HLA_METHOD', 'G'],
  ['HLA_QUIET', '1'],
  ['HLA_CONFIG', 'x.json'],
  ['HLA_ACCEPT', 'suffix'],
  ['HLA_FORMAT', 'nothing'],
] as const)('with %s=%s', ([name, value]) => {
  vi.stubEnv(name, value)
  for (const line of ['redux A', 'redux -m P A', 'redux --format json A', 'cwd A*01:01'])
    expectSame(line.split(' '))
})

test('whatever words are given', () => {
  for (const name of NAMES) {
    const flags = commandIn(buildProgram([name]), name).options.flatMap(({ short, long }) => [
      short ?? '-q',
      long ?? '-q',
    ])
    const flag = fc.constantFrom(...flags)
    const word = fc.oneof(
      flag,
      fc.tuple(flag, fc.constantFrom('', '1', 'G', 'json')).map(([one, value]) => `${one}=${value}`),
      fc.tuple(flag, flag).map(([one, other]) => `-${one.slice(-1)}${other.slice(-1)}`),
      fc.constantFrom('A*01:01', 'G', 'plain', '1', '-', '--', '3.58.0', '--none'),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => expectSame([name, ...words])),
      { numRuns: rounds(25) },
    )
  }
})
