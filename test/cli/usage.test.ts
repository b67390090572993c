/** Messages about wrong command lines. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { explainUsage, unknownCommand } from '../../src/cli/options/usage.ts'
import { adviceText } from '../../src/operations/faces.ts'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

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

  test('an option that other programs have is told with the line that hla has for it', () => {
    const hintOf = (line: string, option: string) => {
      const said = { code: 'commander.unknownOption', message: `error: unknown option '${option}'` }
      return adviceText(explainUsage(said, line.split(' '), PROGRAMS).hint, 'command-line')
    }
    expect(hintOf('redux A1 --imgt-version=3.58.0 --lift', '--imgt-version=3.58.0')).toBe(
      'did you mean hla redux A1 --release=3.58.0 --lift?',
    )
    expect(hintOf('redux --imgt-version 3.58.0 A1 --zzz', '--imgt-version')).toBe(
      'Run hla redux --help for all options.',
    )
  })
})

test.for([
  ['method=G', 'redux-type', 'reduction-method', 'level'],
  ['from=3.1.0', 'from-release'],
  ['release=3.1.0', 'imgt-version', 'db-version'],
  ['output=x.csv', 'out', 'outfile', 'output-file'],
  ['delimiter=tab', 'sep', 'separator', 'delim', 'field-separator'],
  ['no-header', 'noheader', 'without-header'],
  ['skip=3', 'skiprows', 'skip-rows', 'skip-lines'],
  ['quote=none', 'quotechar'],
  ['encoding=utf8', 'charset'],
  ['sheet=x', 'sheet-name', 'worksheet'],
  ['columns=x', 'cols', 'fields', 'usecols'],
  ['exclude=x', 'skip-columns', 'drop-columns'],
  ['id-column=x', 'sample-id', 'id-col'],
  ['missing=x', 'na', 'na-values', 'na-value'],
  ['plan', 'dry-run', 'preview'],
  ['out-delimiter=tab', 'output-delimiter', 'out-sep'],
  ['errors=x.csv', 'error-file', 'report'],
  ['no-strict', 'non-strict'],
  ['input=x.csv', 'file', 'infile', 'in', 'input-file'],
  ['quiet', 'silent'],
  ['verbose', 'debug'],
] as const)('--%s has the names of other programs', ([own, ...others]) => {
  const value = own.includes('=') ? own.slice(own.indexOf('=')) : ''
  const lines = others.map((other) => {
    const option = `--${other}${value}`
    const said = { code: 'commander.unknownOption', message: `error: unknown option '${option}'` }
    return adviceText(explainUsage(said, ['redux', option], PROGRAMS).hint, 'command-line')
  })
  expect(lines).toEqual(others.map(() => `did you mean hla redux --${own}?`))
})

test('unknownCommand suggests one command, or none', () => {
  const unknown = { within: 'hla', names: ['redux', 'data'], rest: [], programs: PROGRAMS }
  expect(unknownCommand({ ...unknown, word: 'reduce' }).hint).toMatch(/^Did you mean "redux"\?/)
  expect(unknownCommand({ ...unknown, word: 'zzzzz' }).hint).toMatch(/^Run hla --help/)
})

describe('a line that means nothing is refused before anything is read', () => {
  const temp = tempFolder()
  const cwd = temp('.')

  beforeAll(() => {
    for (const name of ['t.csv', 'u.csv']) writeFileSync(join(cwd, name), 'id,A_1\n1,A*01:01\n')
    writeFileSync(join(cwd, 'tokens'), '# no token\n')
    mkdirSync(join(cwd, 'folder'))
  })

  const LONG = 'x'.repeat(300)
  const tables = ['--patients', 't.csv', '--donors', 'u.csv']
  test.for([
    [
      ['config', 'set', '--config', 'none', 'release', 'starter'],
      2,
      '--config none cannot be combined with a command about settings files',
    ],
    [
      ['config', 'get', 'zzz'],
      2,
      'unknown setting "zzz"',
      'hla config list --all shows the settings there are',
    ],
    [
      ['config', 'get', 'relase'],
      2,
      'unknown setting "relase". Did you mean "release"?',
      'hla config list --all shows the settings there are',
    ],
    [
      ['redux', 'A1', '-i', 't.csv'],
      2,
      'options for tables cannot be combined with typings as arguments',
      'give the table with -i',
    ],
    [['redux', 'A1', '-i', 'typings'], 2, 'typings are given as arguments or with -i, not both'],
    [
      ['redux', '-i', 't.csv', '-f', 'json'],
      2,
      'a table is always written as a table, not as JSON or another format',
      'choose its delimiter: -D tab',
    ],
    [
      ['redux', '-i', 't.csv', '-D', ';', '-f', 'csv'],
      2,
      'a table is always written as a table, not as JSON or another format',
      'choose its delimiter: -D tab',
    ],
    [
      ['lift', '--from', '3.57.0', '--as', 'glsc', '--to', '3.58.0', '-i', 't.csv'],
      2,
      '--as glsc of a table names the release in use, not that of --to',
    ],
    [
      ['redux', '--as', 'iedb', '--gl-out', 'gl', '-i', 't.csv'],
      2,
      '--as iedb writes molecule names, which cannot form GL Strings',
      'leave out --gl-out, --shape and --output-format',
    ],
    [
      ['redux', '-i', 't.csv', '-g', 'A*01:01'],
      2,
      "-g names GL-string columns of a table. Typings are arguments: hla redux 'A*01:01'",
    ],
    [['redux', '-i', 't.csv', '-i', '-'], 2, 'standard input cannot be one of several files'],
    [['redux', '-i', 't.csv', '-i', 't.csv'], 2, 't.csv is given twice'],
    [['redux', '-i', 'no*.csv'], 4, 'no file matches no*.csv'],
    [['redux', '-i', 'no*/x.csv', '-m', 'G'], 4, 'no file matches no*/x.csv'],
    [['redux', '-i', 't*.csv/*', '-m', 'G'], 4, 'no file matches t*.csv/*'],
    [['redux', '-i', 'f*/none/*', '-m', 'G'], 4, 'no file matches f*/none/*'],
    [['redux', '-i', `f*/${LONG}/*`, '-m', 'G'], 4, `cannot read folder/${LONG}: name too long`],
    [['redux', '-i', 't.csv/x', '-m', 'G'], 4, 't.csv/x: not a directory'],
    [
      ['match', '-i', 't.csv', '-i', 'u.csv'],
      2,
      'one table of pairs is read at a time',
      'hla match --patients FILE --donors FILE reads two tables',
    ],
    [['match', '-i', 't.csv', ...tables], 2, '--input cannot be combined with --patients'],
    [['match', '--patients', '-', '--donors', '-'], 2, 'standard input cannot be both patients and donors'],
    [
      ['match', ...tables, '--min', '5/6', '--min-sure', '7/8'],
      2,
      '--min 5/6 and --min-sure 7/8 count other loci',
    ],
    [['match', ...tables, '--top', '0'], 2, '--top is 1 or more'],
    [['provenance', 'verify', 'none.json'], 4, 'there is no file none.json'],
    [['provenance', 'verify', 'folder'], 4, 'cannot read folder: it is a folder'],
    [['serve', '--token-file', 'tokens'], 2, 'there is no token in tokens'],
    [
      ['redux', '--data-dir', 'none', 'A1'],
      3,
      'there is no folder none',
      'hla data path prints where data are; without --data-dir the built-in starter set answers',
    ],
    [
      ['redux', '--data-dir', 't.csv', 'A1'],
      3,
      'there is no folder t.csv',
      'hla data path prints where data are; without --data-dir the built-in starter set answers',
    ],
    [
      ['redux', '-r', 'lgx', '-m', 'G', 'A*01:01'],
      2,
      'lgx is a reduction method, not a release',
      "the method is given with -m: hla redux -m lgx 'A*01:01'",
    ],
    [
      ['redux', '--release=lgx', 'A*01:01'],
      2,
      'lgx is a reduction method, not a release',
      "the method is given with -m: hla redux -m lgx 'A*01:01'",
    ],
    [['--config', 'x', 'config', 'list'], 2, '--config goes after "hla config list"'],
    [
      ['help', 'redx'],
      2,
      'unknown command "redx"',
      'Did you mean "redux"?   Run hla --help for all commands.',
    ],
    [
      ['help', 'tabels'],
      2,
      'unknown command "tabels"',
      'Did you mean "tables"?   Run hla --help for all commands.',
    ],
  ] as const)('hla %j', async ([args, status, message, hint]) => {
    // prettier-ignore
    const lines = [`hla: error: ${message}`, ...(hint === undefined ? [] : [`  ${hint}`]), '']
    const ran = await callHla(args, { cwd })
    expect(ran).toEqual({ status, stdout: '', stderr: lines.join('\n') })
  })
})
