/** What a table, its options or its rows are refused with: whole messages, and the advice below them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
const TWO = 'id,A_1,A_2\n1,01:01,02:01\n'
const POPULATIONS = 'id,POP1,POP2,A_1,A_2\n1,x,y,01:01,02:01\n'

const LISTS = 'id,A_1,A_2,gl\n1,01:01,02:01,A*01:01+A*02:01\n'

type Refused = readonly [what: string, table: string, options: readonly string[], said: string]

async function refusal(command: string, table: string, options: readonly string[]) {
  writeFileSync(join(cwd, 't.csv'), table)
  return await callHla([command, '-r', 'starter', '-q', '-i', 't.csv', ...options], { cwd })
}

describe('result columns', () => {
  const OTHER_NAMES =
    "  --name '{col}_{method}_2' gives result columns other names\n  --into replace adds no columns\n"
  const NO_DRBX =
    'hla: error: --drbx needs columns of DRB3, DRB4, DRB5 or GL Strings, and the table has none\n'

  test.for<Refused>([
    [
      'two results in place of one',
      TWO,
      ['--into', 'replace', '-m', 'G,lgx'],
      'hla: error: --into replace allows only one result\n  --into after adds a column for each\n',
    ],
    [
      'sources that are overwritten anyway',
      TWO,
      ['--into', 'replace', '--drop-source'],
      'hla: error: --drop-source is not needed with --into replace, which overwrites the source columns\n',
    ],
    [
      'nothing to write',
      TWO,
      ['--into', 'none'],
      'hla: error: --into none leaves nothing to write\n  --gl-out gl adds a column of GL Strings\n',
    ],
    ['no column of the further genes', TWO, ['--drbx', 'x'], NO_DRBX],
    [
      'a column that may be one of theirs',
      'id,x,A_1\n1,07:02,01:01\n',
      ['--drbx', 'y'],
      `${NO_DRBX}  -l names the locus of x\n`,
    ],
    ...[24, 25].map((count): Refused => {
      const names = Array.from({ length: count }, (_, at) => `z${String.fromCharCode(97 + at)}`)
      const shown = count === 24 ? names.join(' ') : `${names.slice(0, 23).join(' ')} … zy (25 columns)`
      return [
        `${count} columns that may be`,
        `id,A_1,${names.join(',')}\n1,01:01,${names.map(() => '07:02').join(',')}\n`,
        ['--drbx', 'y'],
        `${NO_DRBX}  -l names the locus of ${shown}\n`,
      ]
    }),
    [
      'one name of two results',
      TWO,
      ['-m', 'G,lgx', '--name', '{col}_x'],
      'hla: error: --name "{col}_x" gives several columns the same name\n  use {col} and {method} in it\n',
    ],
    [
      'one name of two columns',
      TWO,
      ['--name', 'new'],
      `hla: error: cannot add a column "new": two new columns would have this name\n${OTHER_NAMES}`,
    ],
    [
      'a name of the table',
      'id,A_1,A_1_lgx,A_2\n1,01:01,x,02:01\n',
      [],
      `hla: error: cannot add a column "A_1_lgx": the table already has one\n${OTHER_NAMES}`,
    ],
    [
      'its name for GL Strings',
      TWO,
      ['--gl-out', 'id'],
      'hla: error: cannot add a column "id": the table already has one\n  --gl-out id_2 names it otherwise\n',
    ],
    [
      'its name for the further genes',
      'id,A_1,A_2,x_2,DRB3\n1,01:01,02:01,y,01:01\n',
      ['--drbx', 'x'],
      'hla: error: cannot add a column "x_2": the table already has one\n  --drbx x_2 names it otherwise\n',
    ],
    [
      'its name for the report',
      'id,A_1,A_2,hla_errors\n1,01:01,02:01,x\n',
      ['--on-error', 'report'],
      'hla: error: cannot add a column "hla_errors": the table already has one\n  --on-error keep adds no columns\n',
    ],
  ])('%s', async ([, table, options, said]) => {
    expect(await refusal('redux', table, options)).toEqual({ status: 2, stdout: '', stderr: said })
  })
})

test.for([
  [['--into', 'replace'], '--into replace'],
  [['--into', 'none', '--gl-out', 'gl'], '--into none'],
  [['--gl-out', 'gl'], '--gl-out'],
  [['--drbx', 'x'], '--drbx'],
  [['--output-format', 'pypop'], '--output-format'],
  [['--locus-prefix', 'bare'], '--locus-prefix'],
  [['--into', 'after'], undefined],
  [['--locus-prefix', 'full'], undefined],
] as const)('categories are not typings: %j', async ([options, first]) => {
  const { stderr } = await refusal('cwd', TWO, ['--category', ...options])
  expect(stderr).toBe(
    first === undefined
      ? ''
      : `hla: error: ${first} writes results in the place of typings, but these results are not typings\n  without this option, the results go into separate columns\n`,
  )
})

describe('how a file is read', () => {
  test.for<Refused>([
    [
      'a sheet of a text file',
      TWO,
      ['--sheet', 'X'],
      'hla: error: --sheet requires a workbook, and t.csv is not one\n',
    ],
    [
      'a word as quote',
      TWO,
      ['--quote', 'ab'],
      'hla: error: --quote is one character, none or lazy, not "ab"\n',
    ],
    [
      'no column of alleles',
      'id,locus,what,n\n1,A,5x,1\n1,B,6y,2\n',
      ['--input-format', 'long'],
      'hla: error: t.csv: which column names alleles?\n  Columns: id locus what n\n',
    ],
    [
      'several columns of alleles',
      'id,gene,a,b,c\n1,A,A*01:01,A*02:01,A*03:01\n1,B,B*07:02,B*08:01,B*07:02\n',
      ['--input-format', 'long'],
      'hla: error: t.csv: which column names alleles?\n  --long allele=a\n  --long allele=b\n  --long allele=c\n  Columns: id gene a b c\n',
    ],
    [
      'a column of loci with other words',
      'id,gene,a\n1,what,01:01\n1,B,07:02\n',
      ['--input-format', 'long'],
      'hla: error: t.csv: which column names the locus?\n  --long locus=gene\n  Columns: id gene a\n',
    ],
    [
      'two columns where one is asked',
      'id,locus,allele\n1,A,01:01\n',
      ['--input-format', 'long', '--long', 'sample=id,locus'],
      'hla: error: --long sample=id,locus is more than one column\n',
    ],
    [
      'persons in columns, without persons',
      'locus\nA\n',
      ['--input-format', 'transposed'],
      'hla: error: t.csv: a transposed table has one column per person\n',
    ],
    [
      'persons in columns, one without a name',
      'locus,p1, \nA_1,01:01,02:01\n',
      ['--input-format', 'transposed'],
      'hla: error: line 1: a column has no name: each column of a transposed table is a person\n',
    ],
    [
      'persons in columns, one twice',
      'locus,p1,p1\nA_1,01:01,02:01\n',
      ['--input-format', 'transposed'],
      'hla: error: line 1: two columns are named "p1": each column of a transposed table is a person\n',
    ],
    [
      'no GL Strings',
      'id,x\n1,foo\n',
      ['--input-format', 'gl'],
      'hla: error: t.csv: --input-format gl needs one column of GL Strings, after a column that names the sample\n  Columns: id x\n',
    ],
    [
      'two columns of GL Strings',
      'id,x,y\n1,A*01:01+A*02:01,B*07:02\n',
      ['--input-format', 'gl'],
      'hla: error: t.csv: --input-format gl needs one column of GL Strings, after a column that names the sample\n  Columns: id x y\n',
    ],
  ])('%s', async ([, table, options, said]) => {
    expect(await refusal('redux', table, options)).toEqual({ status: 2, stdout: '', stderr: said })
  })

  test.for<Refused>([
    [
      'a row of a person too few',
      'locus,p1,p2\nA_1,01:01,02:01\nA_2,01:01\n',
      ['--input-format', 'transposed'],
      'hla: error: line 3: 2 fields instead of 3 [ragged-row]\n',
    ],
    [
      'typings without a locus',
      'locus,p1,p2\nA_1,01:01,02:01\n ,, \n,01:01,\n',
      ['--input-format', 'transposed'],
      'hla: error: line 4: a row of typings has no locus\n',
    ],
    [
      'a GL String with a field too many',
      'id,x\n1,A*01:01+A*02:01\n2,A*01:01,z\n3,A*01:01\n',
      ['--input-format', 'gl'],
      'hla: error: line 3: 3 fields instead of 2 [ragged-row]\n',
    ],
    [
      'text behind a quote',
      'id,locus,allele\n1,A,"01:01"x\n1,A,02:01\n',
      ['--input-format', 'long'],
      'hla: error: line 2: misplaced quote character [bad-quote]\n  --quote lazy treats it as text, --quote none treats all quotes as text\n',
    ],
  ])('%s ends the run', async ([, table, options, said]) => {
    expect(await refusal('redux', table, options)).toMatchObject({ status: 4, stderr: said })
  })

  test.for<Refused>([
    [
      'GL Strings without a header',
      '1,A*01:01+A*02:01,Bonn\n2,A*01:01,Ulm\n',
      ['--input-format', 'gl', '--no-header'],
      'sample,column_3,A_1,A_2\n1,Bonn,A*01:01,A*02:01\n2,Ulm,A*01:01,\n',
    ],
    [
      'persons in columns, with a row of another subject and an empty one',
      'locus,p1,p2\nA_1,01:01,02:01\n ,, \n foo ,x,\n',
      ['--input-format', 'transposed'],
      'sample,A_1,A_2,foo_1,foo_2\np1,A*01:01,,x,\np2,A*02:01,,,\n',
    ],
  ])('%s are read', async ([, table, options, written]) => {
    expect(await refusal('redux', table, ['--into', 'replace', ...options])).toEqual({ status: 0, stdout: written, stderr: '' }) // prettier-ignore
  })
})

describe('the fields of a format', () => {
  test.for<Refused>([
    [
      'several columns of one field',
      POPULATIONS,
      ['--output-format', 'pypop', '--person-columns', 'population=POP*'],
      'hla: error: --person-columns "population=POP*" names more than one column\n',
    ],
    [
      'a column of another field',
      POPULATIONS,
      ['--output-format', 'pypop', '--person-columns', 'foo=POP1'],
      'hla: error: --person-columns "foo=POP1": PyPop has population, each once\n  name=column, with commas between: population=POP\n',
    ],
    [
      'a value of another field',
      POPULATIONS,
      ['--output-format', 'pypop', '--set', 'population=x,population=y'],
      'hla: error: --set "population=y": PyPop has population, each once\n  name=value, with commas between\n',
    ],
    [
      'a value of a format without fields',
      POPULATIONS,
      ['--output-format', 'haplomat', '--set', 'foo=x'],
      'hla: error: --set "foo=x": Hapl-o-Mat has none\n  name=value, with commas between\n',
    ],
  ])('%s', async ([, table, options, said]) => {
    expect(await refusal('redux', table, options)).toEqual({ status: 2, stdout: '', stderr: said })
  })

  test('a locus in a column of its own and in a GL String', async () => {
    expect((await refusal('redux', LISTS, ['-g', 'gl', '--output-format', 'fhir'])).stderr).toBe(
      'hla: t.csv:2: FHIR cannot hold several typings of A of one person [not-in-format]\n',
    )
  })
})

describe('notes name the first of many', () => {
  const row = (cells: readonly string[]) => `${cells.join(',')}\n`
  const table = (second: readonly string[]) =>
    `id,A_1,A_2\n${second.map((cell, at) => row([String(at), '01:01', cell])).join('')}`
  const WORDS = ['foo', 'bar', 'baz', 'qux', 'quux', 'corge', 'grault', 'garply']
  const counted = WORDS.map((one) => `"${one}" 1x`).join(', ')
  const missing = `--missing ${WORDS.join(',')}`
  const notesOf = async (text: string, ...options: readonly string[]) => {
    writeFileSync(join(cwd, 't.csv'), text)
    const { stderr } = await callHla(['redux', '-r', 'starter', '-i', 't.csv', '--into', 'replace', ...options], { cwd }) // prettier-ignore
    return stderr.split('\n').filter((line) => /^hla: (?:note|warning): /.test(line))
  }

  test('of words', async () => {
    const note = (more: string) => [
      `hla: note: unrecognised values: ${counted}${more}; ${missing} treats them as untyped [unknown-words]`,
    ]
    expect(await notesOf(table(WORDS))).toEqual(note(''))
    expect(await notesOf(table([...WORDS, 'waldo', 'fred']))).toEqual(note(' and 2 more'))
  })

  test('of words in a plan', async () => {
    const shown = WORDS.map((one) => `${one} 1x`).join(', ')
    for (const [words, more] of [[WORDS, ''], [[...WORDS, 'waldo'], ' and 1 more']] as const)
      expect((await refusal('redux', table(words), ['--plan'])).stdout).toContain(
        `\nwords      ${shown}${more} (A) -> ${missing}\n`,
      )
  }) // prettier-ignore

  test('of repeated headers', async () => {
    const pages = (count: number) => `id,A_1,A_2\n${'1,01:01,02:01\nid,A_1,A_2\n'.repeat(count)}`
    const note = (lines: string) => [
      `hla: note: lines ${lines} repeat the header: they are kept, and not counted as persons [repeated-header]`,
    ]
    expect(await notesOf(pages(5))).toEqual(note('3, 5, 7, 9, 11'))
    expect(await notesOf(pages(7))).toEqual(note('3, 5, 7, 9, 11 and 2 more'))
  })

  test('of columns that are not read', async () => {
    const beside = (count: number) => {
      const columns = Array.from({ length: count }, (_, at) => `z${String.fromCharCode(97 + at)}`)
      return row(['id', 'A_1', 'A_2', ...columns]) + row(['1', '01:01', '02:01', ...columns.map(() => '07:02')]) // prettier-ignore
    }
    const note = (names: readonly string[], more: string) => [
      `hla: warning: not read: ${names.map((one) => `${one} (typings, but the name has no locus; -l names it)`).join('; ')}${more} [unread-columns]`,
    ]
    const four = ['za', 'zb', 'zc', 'zd']
    expect(await notesOf(beside(4))).toEqual(note(four, ''))
    expect(await notesOf(beside(6))).toEqual(note(four, '; 2 more: --plan'))
  })

  test('results of an earlier conversion', async () => {
    const text = 'id,gl,gl_lgx\n1,A*01:01+A*02:01,A*01:01+A*02:01\n'
    expect(await notesOf(text)).toEqual([
      'hla: note: gl_lgx: results of an earlier conversion are not read as typings; -c reads them [result-columns]',
    ])
    expect(await notesOf(text, '-c', 'gl_lgx')).toEqual([])
    expect((await refusal('redux', text, ['-x', 'gl'])).stderr).toBe(
      'hla: error: no typing columns found in t.csv: gl_lgx hold results of an earlier conversion\n  say which: -c gl_lgx   (all options: hla redux --help)\n  Columns: id gl gl_lgx\n',
    )
  })
})
