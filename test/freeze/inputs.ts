/**
 * The corpus of the freeze: tables, typings and commands, from the repository's own text and its generators with fixed
 * seeds.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { composeLong, composeTable, joinedTable } from '../support/joined-tables.ts'
import { mutatedTables } from '../support/mutations.ts'
import { PROGRAM_FILES } from '../support/program-files.ts'
import { randomDonors, randomHml, randomInventory } from '../support/random-documents.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { makeWorkbook, textRows } from '../support/workbook.ts'
import { CONVENTIONS } from '../table/conventions.ts'

/** A file and its conversion options. */
export interface FrozenTable {
  readonly name: string
  readonly file: string
  readonly bytes: Buffer
  /** Arguments after `hla redux -r starter -i FILE`. */
  readonly args: readonly string[]
}

const SEED = 20_261_127

function table(
  name: string,
  text: string | Buffer,
  args: readonly string[] = [],
  file = 't.csv',
): FrozenTable {
  return { name, file, bytes: typeof text === 'string' ? Buffer.from(text) : text, args }
}

/** Rows of a table of donors, with one text column. */
const ROWS: readonly (readonly string[])[] = [
  ['id', 'A_1', 'A_2', 'B_1', 'B_2', 'DRB1_1', 'DRB1_2', 'note'],
  ['1', '01:01', '02:01', '07:02', '08:01', '15:01', '03:01', 'first'],
  ['2', 'A*01:01:01:01', 'A*24:02', '44:02', '99:99', '15:01', '', 'é'],
  ['3', '02:AB', '03:XX', '07:02', '07:02', '04:01/04:07', '13:01', ''],
  ['4', '', '', 'NNNN', '', '1501', '0301', 'x'],
]

function textOf(delimiter: string, { eol = '\n', quote = 'none', rows = ROWS } = {}): string {
  const cell = (text: string, row: number, column: number) =>
    quote === 'all' || (quote === 'some' && (row + column) % 7 === 0) || text.includes(delimiter)
      ? `"${text}"`
      : text
  return rows.map((cells, row) => cells.map((text, at) => cell(text, row, at)).join(delimiter) + eol).join('')
}

/** Delimiters, quotes, line ends and encodings of one table. */
function dialects(): FrozenTable[] {
  const plain = textOf(',')
  const delimiters = [',', ';', '\t', '|'].flatMap((delimiter) =>
    ['none', 'some', 'all'].map((quote) =>
      table(
        `delimiter ${JSON.stringify(delimiter)}, quotes ${quote}`,
        textOf(delimiter, { quote }),
        [],
        delimiter === '\t' ? 't.tsv' : 't.csv',
      ),
    ),
  )
  const ends = ['\n', '\r\n', '\r'].flatMap((eol) =>
    ['none', 'all'].map((quote) =>
      table(`line end ${JSON.stringify(eol)}, quotes ${quote}`, textOf(',', { eol, quote })),
    ),
  )
  const encodings: readonly (readonly [string, Buffer])[] = [
    ['UTF-8 with a mark', Buffer.from(`\ufeff${plain}`)],
    ['UTF-16LE', Buffer.from(`\ufeff${plain}`, 'utf16le')],
    ['UTF-16LE without a mark', Buffer.from(plain, 'utf16le')],
    ['UTF-16BE', Buffer.from(`\ufeff${plain}`, 'utf16le').swap16()],
    ['Latin-1', Buffer.from(plain, 'latin1')],
    ['gzip', gzipSync(plain)],
    ['two gzip members', Buffer.concat([gzipSync(plain.slice(0, 60)), gzipSync(plain.slice(60))])],
    ['a byte that is not UTF-8', Buffer.concat([Buffer.from(plain), Buffer.from([0xff, 0x0a])])],
    ['a NUL byte', Buffer.from(plain.replace('first', 'fi\u0000rst'))],
  ]
  return [
    ...delimiters,
    ...ends,
    ...encodings.map(([name, bytes]) => table(name, bytes, [], name.includes('gzip') ? 't.csv.gz' : 't.csv')),
    table('no line feed at the end', plain.trimEnd()),
    table('no line feed at the end, quoted', textOf(',', { quote: 'all' }).trimEnd()),
    table('formulas of Excel', textOf(';', { rows: ROWS.map((row) => row.map((cell) => (cell.includes(':') ? `="${cell}"` : cell))) })), // prettier-ignore
    table('quoted GL Strings', 'id,gl\n1,"A*01:01+A*02:01^B*07:02+B*08:01"\n2,"A*01:01/A*01:02+A*24:02"\n3,"A*01:01+"\n'),
    table('a line feed in a quoted cell', 'id,A_1,A_2,note\n1,01:01,02:01,"two\nlines"\n2,24:02,03:01,x\n'),
    table('a stray quote', 'id,A_1,A_2,note\n1,01:01,02:01,a"b\n2,01:01,02:01,x\n3,01:01,02:01,y\n'),
    table('a stray quote, long', 'id,A_1,A_2,note\n1,01:01,02:01,a"b\n2,01:01,02:01,x\n3,01:01,02:01,y\n', ['--shape', 'long']),
    table('an open quote', 'id,A_1,A_2\n1,"01:01,02:01\n2,24:02,03:01\n'),
    table('a row too short', 'id,A_1,A_2\n1,01:01\n2,24:02,03:01\n'),
    table('a row too long, padded', 'id,A_1,A_2\n1,01:01,02:01,x\n2,24:02,03:01\n', ['--ragged', 'pad']),
    table('a row too short, padded', 'id,A_1,A_2\n1,01:01\n2,24:02,03:01\n', ['--ragged', 'pad']),
    table('a title and a footer', 'Typings of 2020\n\nid,A_1,A_2\n1,01:01,02:01\nTotal: 1\n', [], 't.txt'),
    table('a comment', '# typed by us\nid,A_1,A_2\n1,01:01,02:01\n', ['--skip', '#']),
    table('lines skipped', 'x\ny\nid,A_1,A_2\n1,01:01,02:01\n', ['--skip', '2']),
    table('no header', '1,01:01,02:01\n2,24:02,03:01\n', ['-H', '-c', '2,3', '-l', 'A=2,3']),
    table('row names of R', '"A_1" "A_2"\n"1" "01:01" "02:01"\n"2" "24:02" "03:01"\n', [], 't.txt'),
    table('aligned by blanks', 'id   A_1    A_2\n1    01:01  02:01\n2    24:02  03:01\n', [], 't.txt'),
    table('trailing tabs', 'id\tA_1\tA_2\t\n1\t01:01\t02:01\t\n', [], 't.txt'),
    table('the header again', 'id,A_1,A_2\n1,01:01,02:01\nid,A_1,A_2\n2,24:02,03:01\n'),
    table('duplicate columns', 'id,A_1,A_1\n1,01:01,02:01\n'),
    table('a header alone', 'id,A_1,A_2\n'),
    table('nothing', ''),
    table('blank lines', '\n\n\n'),
    table('no typings', 'id,name\n1,x\n2,y\n'),
    table('one column', 'A*01:01\nA*02:01+A*03:01\nA*99:99\n', [], 't.txt'),
    table('PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), [], 't.csv'),
    table('bzip2', Buffer.from('425a683931415926535900000000', 'hex'), [], 't.csv.bz2'),
    table('control characters in names', 'id,A_1\u001b[31m,A_2\n1,01:01,02:01\n'),
  ] // prettier-ignore
}

/** A table for every option that changes reading or writing. */
function options(): FrozenTable[] {
  const donors = textOf(',')
  const sets: readonly (readonly string[])[] = [
    ['-m', 'G'], ['-m', 'P'], ['-m', 'lg'], ['-m', 'W'], ['-m', 'exon'], ['-m', 'U2'], ['-m', 'S'], ['-m', '1F'], ['-m', 'G', '-m', 'lgx'],
    ['--into', 'replace'], ['--into', 'append'], ['--into', 'none', '--gl-out', 'gl'], ['--gl-out', 'gl'], ['--gl-out', 'gl', '--glsc'],
    ['--gl-out', 'gl', '--second-blank', 'homozygous'], ['--drop-source'], ['--locus-prefix', 'bare'], ['--shape', 'long'], ['--shape', 'gl'],
    ['--on-error', 'keep'], ['--on-error', 'report'], ['--on-error', 'fail'], ['--max-errors', '1'], ['--exit-zero'], ['--name', '{col}.{method}'],
    ['-D', ';'], ['-D', 'tab'], ['--eol', 'crlf'], ['--bom', 'add'], ['--plan'], ['--strict-columns'], ['-c', 'A_1,A_2'],
    ['-c', 'A_1,A_2', '-c', 'B_1,B_2'], ['-x', 'B_*'], ['-x', 'A_1', '-x', 'A_2'], ['-l', 'A=A_1,A_2', '--only-named'], ['--missing', 'NNNN'], ['--token', 'NNNN=absent'],
    ['--token', 'NNNN=unknown'], ['--token', '99:99=new'], ['--id-column', 'id', '--on-error', 'report'], ['--bare-digits', 'v2'], ['--bare-digits', 'error'],
    ['--input-format', 'lines'], ['--summary', 'json'], ['-q'], ['-v'], ['--accept', 'lenient'], ['--accept', 'zero', '--accept', 'case'], ['--keep', '2field'], ['--only', 'mac'],
    ['--output-format', 'pypop'], ['--output-format', 'arlequin'], ['--output-format', 'uniformat'], ['--output-format', 'haplomat'],
    ['--output-format', 'grimm'], ['--output-format', 'hped'], ['--output-format', 'fhir'],
    ['--output-format', 'hml', '--set', 'date=2026-01-02'], ['--output-format', 'hml'],
    ['--output-format', 'donors', '--set', 'updateMode=diff,changeType=N,donorType=D'], ['--consensus', 'majority'],
    ['--person-columns', 'population=note'], ['--long', 'scores=note'], ['--long', 'loci=A'], ['-c', 'Z_1'], ['-l', 'A=Z'], ['-g', 'note'],
    ['--input-format', 'wmda-lines'], ['--input-format', 'phlat'], ['--sheet', 'S'], ['-m', 'hats'], ['-m', 'none'], ['--nonsense'],
  ] // prettier-ignore
  const drb =
    'id,DRB1_1,DRB1_2,DRB3_1,DRB3_2,DRB4_1,DRB4_2,DRB5_1,DRB5_2\n1,03:01,15:01,01:01,,,,01:01,\n2,04:01,07:01,,,01:03,01:03,,\n3,03:01,13:01,01:01,02:02,,,01:01,\n'
  const families =
    'id,donor_A_1,donor_A_2,patient_A_1,patient_A_2\n1,01:01,02:01,24:02,03:01\n2,01:01,,24:02,24:02\n'
  const long =
    'who,gene,call,reads\nS1,A,01:01,9\nS1,A,02:01,8\nS1,B,07:02,7\nS2,A,24:02,6\nS2,DRB4,01:03,5\n'
  const told = ['--input-format', 'long', '--long', 'sample=who,locus=gene,allele=call']
  return [
    ...sets.map((args) => table(`donors ${args.join(' ')}`, donors, args)),
    table('donors with --drbx', drb, ['--drbx', 'DRBX']),
    table('donors with --drbx and --gl-out', drb, ['--drbx', 'DRBX', '--gl-out', 'gl', '--into', 'replace']),
    table('two persons a row', families),
    table('two persons a row, GL Strings', families, ['--gl-out', 'gl']),
    table('two persons a row, as subjects', families, ['--subject', 'donor=donor_', '--subject', 'patient=patient_', '--shape', 'long']),
    table('long', long, told),
    table('long, as read', long, [...told, '--shape', 'long', '--long', 'scores=reads']),
    table('long, found', long),
    table('transposed', 'locus,D1,D2\nA,01:01,24:02\nA,02:01,03:01\nB,07:02,08:01\nB,44:02,07:02\n', ['--input-format', 'transposed']),
    table('pipes of a layout', 'P1%A*01:01+A*02:01^B*07:02\nP2%A*24:02+A*99:99\n', ['--input-format', 'wmda-lines'], 'pat.txt'),
    table('a workbook', makeWorkbook({ sheets: [{ name: 'S', rows: textRows(ROWS) }] }), [], 't.xlsx'),
    table('a workbook, another sheet', makeWorkbook({ sheets: [{ name: 'S', rows: textRows(ROWS) }] }), ['--sheet', 'T'], 't.xlsx'),
    table('results of a conversion', 'id,A_1,A_1_lgx,A_2,A_2_lgx\n1,01:01:01,A*01:01,24:02,A*24:02\n'),
    table('results without their source', 'id,A_P,A_M,C_1_lgx,C_2_lgx\n1,01:01,02:01,04:01,07:01\n', ['--strict-columns']),
    table('antigens', 'id,A,A,B,B\n1,1,24,8,44\n2,A2,A9,B5,B62\n'),
    table('old digits', 'id,A_1,A_2\n1,0101,2402\n2,03011,020101\n'),
    table('careless typings', 'id,A_1,A_2\n1,a*01:01,A*1:1\n2,A01:01,HLA-A*02:01 \n', ['--accept', 'lenient']),
    table('careless typings, refused', 'id,A_1,A_2\n1,a*01:01,A*1:1\n2,A01:01,HLA-A*02:01 \n'),
    table('names of peptide tools', 'id,A_1,A_2\n1,HLA-A02:01,HLA-A01:01\n2,A0201,hla_a_24_02\n'),
  ] // prettier-ignore
}

function documents(): FrozenTable[] {
  const kinds = [
    ['HML', randomHml, 'm.xml'],
    ['WMDA', randomInventory, 'w.xml'],
    ['donor JSON', randomDonors, 'd.json'],
  ] as const
  return kinds.flatMap(([name, make, file]) =>
    [1, 2].flatMap((seed) => {
      const { text } = make(randomNumbers(seed))
      return [
        table(`${name} ${seed}`, text, [], file),
        table(`${name} ${seed}, cut off`, text.slice(0, -20), [], file),
      ]
    }),
  )
}

function isChosen(text: string): boolean {
  return createHash('sha256').update(text).digest().readUInt8(0) % 4 === 0
}

/**
 * A quarter of the conventions of `test/table/conventions.ts`, with five rows each; adding conventions does not change
 * the choice.
 */
function conventions(): FrozenTable[] {
  const fields = ['01:01', '02:01', '24:02', '03:01', '68:01']
  return CONVENTIONS.filter(({ header }) => isChosen(header.join('/'))).map(({ header, values = {} }) => {
    const width = (header[0] ?? '').split('|').length
    const rows = fields.map((_, row) =>
      Array.from({ length: width }, (__, column) => {
        const own = values[column + 1]
        if (own !== undefined) return own[row % own.length] ?? ''
        return column === 0 ? `D${row}` : (fields[(row + column) % fields.length] ?? '')
      }).join('|'),
    )
    return table(`header ${header.join(' / ')}`, [...header, ...rows, ''].join('\n'), [
      '--gl-out',
      'gl',
      '-d',
      'pipe',
    ])
  })
}

/** Tables of the tests' own generators, with a fixed seed. */
function generated(): FrozenTable[] {
  const sample = <T>(of: fc.Arbitrary<T>, numRuns: number) => fc.sample(of, { seed: SEED, numRuns })
  const damaged = sample(mutatedTables(), 60).map(({ name, bytes, damage }, at) =>
    table(`damaged ${at}: ${damage.join(', ')}`, bytes, [], name),
  )
  const joined = sample(joinedTable, 40).map((made, at) => {
    const { name, bytes } = composeTable(made)
    return table(`joined ${at}`, bytes, [], name)
  })
  const long = sample(joinedTable, 20).flatMap((made, at) => {
    const one = composeLong(made, composeTable(made))
    return one === undefined ? [] : [table(`joined, long ${at}`, one.bytes, [], one.name)]
  })
  return [...damaged, ...joined, ...long]
}

export function frozenTables(): FrozenTable[] {
  return [
    ...dialects(),
    ...options(),
    ...PROGRAM_FILES.map(([format, , text]) => table(`output of ${format}`, text, [], 'f.txt')),
    ...documents(),
    ...conventions(),
    ...generated(),
  ]
}

/** Arguments of `hla`: a typing by every method and option, and unusual uses of each command. */
export interface FrozenCommand {
  readonly args: readonly string[]
  readonly stdin?: string
  /** Texts by name. */
  readonly files?: Readonly<Record<string, string>>
}

export const TYPINGS: readonly string[] = [
  'A*01:01', 'A*01:01:01:01', 'A*24:329', 'HLA-A*01:01+HLA-A*02:01^HLA-B*07:02', 'A*01:AB', 'A*01:XX', 'A1', 'A9', 'B62', 'A*0101', 'A*02', 'DRB1*15:01/DRB1*15:02',
  'A*01:01~B*08:01+A*02:01~B*07:02', 'A*01:01|A*01:02', 'A*01:01G', 'A*01:01P', 'A*01:01g', 'A*01:04N', 'A*01:01N', 'A*02:01:01:01N', 'A*01:01:01:01:01', 'A*99:99', 'Z*01:01', 'a*01:01',
  'A*1:1', 'A01:01', ' A*01:01 ', 'A*01:01+', '+', '', 'A*01:01/02:01', 'A*01:01/B*07:02', 'DRB3*NNNN', 'NNNN', 'hla#3.58.0#A*01:01', 'A*01:01\u0000', 'Ａ*01:01', 'A*01:01?B*07:02',
  'A*01:01+A*02:01+A*03:01', 'DQA1*05:01-DQB1*02:01', 'A*10:1 1', 'C*02:025', 'HLA00001',
] // prettier-ignore

const OPTIONS: readonly (readonly string[])[] = [
  ['--no-strict'], ['--no-ping'], ['--ars'], ['--consistent-lg'], ['--exact'], ['--members', '-m', 'W'], ['--own-antigens', '-m', 'S'], ['--antigens', 'split', '-m', 'S'],
  ['--antigens', 'broad', '-m', 'S'], ['--antigens', 'associated', '-m', 'S'], ['--keep', '2field'], ['--only', '4field'], ['--ignore-suffix', 'NNNN'], ['--limit', '1'], ['--as', 'glsc'], ['--accept', 'lenient'], ['--lift'],
  ['--from', '3.29.0'], ['-f', 'json'], ['-f', 'tsv'], ['--with-input'], ['-v'], ['-q'],
] // prettier-ignore

const USES: readonly (readonly [args: readonly string[], stdin?: string])[] = [
  [[]], [['--help']], [['-h']], [['--version']], [['help']], [['help', 'nothing']], [['nothing']], [['reduce', 'A*01:01']], [['redux']], [['redux', '-m']], [['redux', '-m', 'X', 'A*01:01']],
  [['redux', '-r', '9.9.9', 'A*01:01']], [['redux', '-r', '', 'A*01:01']], [['redux', '-r', 'starter', '--remote', '', 'A*01:01']], [['redux', '-r', 'starter', '-o', '', 'A*01:01']], [['redux', '-i', 'no-such-file.csv']], [['redux', '-i', '.']],
  [['redux', '-r', 'starter', '-m', 'all', '-f', 'json', 'A*01:01', 'A*99:99']], [['redux', '-r', 'starter'], 'A*01:01\nA*99:99\n\nB*07:02\n'], [['redux', '-r', 'starter', '-f', 'jsonl'], 'A*01:01\r\nx\n'],
  [['ard', '-r', 'starter', 'A*01:01:01:01']], [['ard', '-r', 'starter', 'A*01:01+A*02:01']], [['ard']], [['cwd', '-r', 'starter', 'B*15:01/B*15:04']], [['cwd', '-r', 'starter', 'A*99:99']], [['cwd', '-r', 'starter', '-f', 'json', 'A*01:01/A*01:02']], [['cwd', '-r', 'starter', '--category', 'A*01:01+A*01:104^B*07:02']], [['cwd', '-r', 'starter', '--category', '-f', 'json', 'A*01:01/A*01:104']], [['cwd', '-r', 'starter', '--category', '-d', ','], 'id,A_1,A_2\n1,01:01,01:104\n'], [['cwd', '-r', 'starter', '--category', '-d', ',', '--into', 'replace'], 'id,A_1\n1,01:01\n'],
  [['validate', '-r', 'starter', ...TYPINGS.filter((text) => text !== '' && !text.includes('\u0000'))]], [['validate', '-r', 'starter', '-f', 'json', 'A*01:01+A*99:99', 'A*01:01']], [['validate', '-r', 'starter', '-f', 'tsv', 'A*01:01', 'x']],
  [['validate', '-r', 'starter', '--exact', 'A*01:01:01:99']], [['validate', '-r', 'starter'], 'A*01:01\nA*1:1\n'], [['mac', '-r', 'starter', 'A*01:AB']], [['mac', '-r', 'starter', 'A*01:01/A*01:02']], [['mac', '-r', 'starter', 'AB']],
  [['mac', '-r', 'starter', 'A*01:ZZZZ']], [['mac', '-r', 'starter', '--xx', 'A*43:XX']], [['mac', '-r', 'starter', '--raw', '-f', 'jsonl', 'A*02:AB']], [['splits', '-r', 'starter', 'A9', 'A25', 'B14', 'A99']], [['splits', '-r', 'starter', '--associated', 'A203']],
  [['similar', '-r', 'starter', 'A*01']], [['similar', '-r', 'starter', 'A*99']], [['blend', '-r', 'starter', 'DRB1*03:01+DRB1*15:01', 'DRB3*01:01+DRB5*01:01']], [['blend', '-r', 'starter', 'DRB1*03:01']], [['blend', '-r', 'starter', 'DRB1*03:01+DRB1*03:01', 'DRB4*01:03', 'DRB5*01:01', 'DRB3*01:01']],
  [['explain', '-r', 'starter', '-m', 'G', 'A*01:01']], [['explain', '-r', 'starter', '-m', 'S', 'A*01:01']], [['explain', '-r', 'starter', 'A*99:99']], [['explain', '-r', 'starter', '-f', 'json', 'A*01:AB']], [['lift', '-r', 'starter', 'A*01:01']], [['lift', '-r', 'starter', 'HLA00001']],
  [['diff', 'starter', 'starter', 'A*01:01']], [['diff', '3.29.0', '3.58.0', 'A*01:01']], [['diff']], [['version', '-r', 'starter']], [['version', '-r', 'starter', '-f', 'json']], [['config']], [['config', 'list']], [['config', 'get', 'method']], [['config', 'set', 'method', 'X']],
  [['config', 'set', 'release', '9.9.9']], [['config', 'set', 'nothing', '1']], [['config', 'unset', 'method']], [['config', 'check']], [['completion', 'bash']], [['completion', 'tcsh']], [['man', 'nothing']], [['data']], [['data', 'list']], [['data', 'info', '3.58.0']], [['data', 'use', '3.58.0']],
  [['data', 'install', '--from', 'nowhere']], [['data', 'install', '3.58.0', '--from', 'nowhere']], [['data', 'remove', '3.58.0']], [['data', 'verify']], [['data', 'catalogue', 'x']], [['data', 'mac']], [['pipe', '-r', 'starter'], '{"op":"redux","gl_string":"A*01:01","reduction_method":"G"}\n{"op":"nothing"}\n{}\nx\n{"op":"validate","gl_string":"A*99:99"}\n'],
  [['provenance', 'verify', 'no-such-file']], [['serve', '--port', 'x']], [['serve', '--max-body', '1 banana']], [['drive']], [['drive', 'ls', '--drive-url', 'http://127.0.0.1:9']], [['drive', 'serve', '--port', 'x']], [['drive', 'get', 'x', '--drive-url', 'http://127.0.0.1:9']], [['drive', 'put', '--drive-url', 'http://127.0.0.1:9']], [['drive', 'user', 'list']], [['drive', 'fsck']], [['drive', 'share', 'x', '--drive-url', 'http://127.0.0.1:9']],
] // prettier-ignore

/** Counts of a table, and one answer from the files of several callers. */
function commandsOverFiles(): FrozenCommand[] {
  const cohort =
    'id,pop,A_1,A_2\n1,N,01:01,02:01\n2,N,01:01,24:09N\n3,S,02:01/02:02,24:02\n4,S,99:99,\n5,,,\n'
  const callers = {
    'lab.csv': 'sample,A_1,A_2\nS1,01:01,02:01\nS2,24:02,\n',
    'hospital.csv': 'sample,A_1,A_2\nS1,02:01,01:01\nS2,24:09N,24:02\nS3,99:99,01:01\n',
    'kit.csv': 'sample,A_1,A_2\nS1,01:01,03:01\nS3,01:01,02:01\n',
  }
  return [
    ...[[], ['--by', 'pop', '--share'], ['--of', 'genotypes'], ['--of', 'categories', '-m', 'U2']].map(
      (more) => ({ args: ['count', '-r', 'starter', ...more], stdin: cohort }),
    ),
    ...['majority', 'all'].map((rule) => ({
      args: [
        'redux',
        '-r',
        'starter',
        '-i',
        'lab.csv',
        '-i',
        'hospital.csv',
        '-i',
        'kit.csv',
        '--consensus',
        rule,
      ],
      files: callers,
    })),
  ]
}

export function frozenCommands(): FrozenCommand[] {
  const typed = TYPINGS.filter((text) => !text.includes('\u0000')).map((typing) => ({
    args: ['redux', '-r', 'starter', '-m', 'all', '-f', 'tsv', typing],
  }))
  const some = ['A*01:01', 'A*01:01:01:01', 'A*01:AB', 'A9', 'a*01:1', 'A*01:01:01:99', 'A*01:01G', 'A*99:99']
  const optional = OPTIONS.map((args) => ({ args: ['redux', '-r', 'starter', ...args, ...some] }))
  const uses = USES.map(([args, stdin]) => (stdin === undefined ? { args } : { args, stdin }))
  return [...typed, ...optional, ...uses, ...commandsOverFiles()]
}

/** Requests that only HTTP can make, or makes differently: method, path with query, and body. */
export const REQUESTS: readonly (readonly [method: string, path: string, body?: string])[] = [
  ...TYPINGS.flatMap((typing) => [
    ['GET', `/ard/${encodeURIComponent(typing)}`] as const,
    ['POST', '/redux', JSON.stringify({ gl_string: typing, reduction_method: 'lgx' })] as const,
    ['GET', `/validate?gl_string=${encodeURIComponent(typing)}`] as const,
  ]),
  ['GET', '/'], ['GET', '/docs'], ['GET', '/nope'], ['GET', '/version'], ['GET', '/healthz'], ['GET', '/readyz'], ['GET', '/openapi.json'], ['GET', '/splits/A9'], ['GET', '/splits/A99'],
  ['GET', '/mac/A*01:AB'], ['GET', '/mac/A*01:ZZZZ'], ['GET', '/similar/A*01'], ['POST', '/redux', '{}'], ['POST', '/redux', 'x'], ['POST', '/redux', '{"gl_string":1}'], ['POST', '/redux', '{"gl_string":"A*01:01","reduction_method":"X"}'],
  ['POST', '/redux', '{"gl_string":["A*01:01","A*99:99"],"reduction_method":"G"}'], ['POST', '/validate', '{"gl_string":"A*01:01+A*99:99"}'], ['POST', '/cwd-redux', '{"gl_string":"A*01:01/A*01:02"}'], ['POST', '/cwd-redux', '{"gl_string":"A*01:01+A*01:104","category":true}'], ['POST', '/blend', '{"DRB1_SLUG":"DRB1*03:01+DRB1*15:01","DRB3":"DRB3*01:01"}'], ['POST', '/explain', '{"gl_string":"A*01:01"}'], ['POST', '/lift', '{"alleles":["A*01:01"]}'], ['GET', '/xx/A*43:XX'], ['GET', '/mac-hats/A*01:AB'],
  ['POST', '/batch', '{"op":"redux","gl_string":"A*01:01"}\n{"op":"x"}\n'], ['DELETE', '/redux'], ['GET', '/redux'], ['POST', '/table', ''], ['POST', '/table?nothing=1', 'id,A_1,A_2\n1,01:01,02:01\n'], ['POST', '/table?method=X', 'id,A_1,A_2\n1,01:01,02:01\n'],
] // prettier-ignore
