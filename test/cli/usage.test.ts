/** Messages about wrong command lines. */
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { explainUsage, unknownCommand } from '../../src/cli/options/usage.ts'

const PROGRAMS = await loadPrograms()

describe('explainUsage', () => {
  test.for([
    [
      'redux --lfit',
      'commander.unknownOption',
      "error: unknown option '--lfit'",
      'unknown option "--lfit"',
      'Did you mean "--lift"?   Run hla redux --help for all options.',
    ],
    [
      'redux --zzz',
      'commander.unknownOption',
      "error: unknown option '--zzz'",
      'unknown option "--zzz"',
      'Run hla redux --help for all options.',
    ],
    [
      'redux --ouput=x',
      'commander.unknownOption',
      "error: unknown option '--ouput=x'",
      'unknown option "--ouput=x"',
      'Did you mean "--output"?   Run hla redux --help for all options.',
    ],
    [
      'data lsit',
      'commander.unknownCommand',
      "error: unknown command 'lsit'",
      'unknown command "lsit"',
      'Did you mean "list"?   Run hla data --help for all commands.',
    ],
    [
      'data verfy',
      'commander.unknownCommand',
      "error: unknown command 'verfy'",
      'unknown command "verfy"',
      'Did you mean "verify"?   Run hla data --help for all commands.',
    ],
    [
      'data list --form x',
      'commander.unknownOption',
      "error: unknown option '--form'",
      'unknown option "--form"',
      'Did you mean "--from"?   Run hla data list --help for all options.',
    ],
    [
      'redux -f',
      'commander.optionMissingArgument',
      "error: option '-f, --format <fmt>' argument missing",
      "option '-f, --format <fmt>' argument missing",
      'Run hla redux --help for all options.',
    ],
    [
      '--relese x',
      'commander.unknownOption',
      "error: unknown option '--relese'",
      'unknown option "--relese"',
      'Did you mean "--release"?   Run hla --help for all options.',
    ],
  ] as const)('of hla %s', ([line, code, said, message, hint]) => {
    const words = line.split(' ')
    const error = explainUsage({ code, message: said }, words, PROGRAMS)
    expect(error).toMatchObject({ code: 'usage', message, hint })
  })
})

test('unknownCommand suggests one command, or none', () => {
  const unknown = { within: 'hla', names: ['redux', 'data'], rest: [], programs: PROGRAMS }
  expect(unknownCommand({ ...unknown, word: 'reduce' }).hint).toMatch(/^Did you mean "redux"\?/)
  expect(unknownCommand({ ...unknown, word: 'zzzzz' }).hint).toMatch(/^Run hla --help/)
})
