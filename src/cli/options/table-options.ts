/** Options of table mode, and when a command line asks for it. */
import { Option } from 'commander'
import { DIGIT_READINGS } from '../../table/cells/digits.ts'
import { ENCODINGS } from '../../table/input/encoding.ts'
import { isTableName } from '../../table/plan/layouts.ts'
import { INPUT_FORMATS } from '../../table/input/records/record-format-names.ts'
import { SAMPLE_FROM } from '../../table/input/records/typing-record.ts'
import { INTO, ON_ERROR, SECOND_BLANK, SHAPES } from '../../table/plan/table-request.ts'
import type { RawTableOptions } from '../../table/plan/raw-table-options.ts'
import type { CellFace } from '../../operations/cell-face.ts'
import type { Operation } from '../../operations/operation.ts'
import { collect, commaList, wordList, TABLES_TITLE, wholeNumber } from './options.ts'

/** As commander gives them; undefined where nothing was said. */
export interface TableOptions extends RawTableOptions {
  readonly details?: boolean
  readonly pyardConfig?: string
  readonly plan?: boolean
  readonly lines?: boolean
  readonly strictColumns?: boolean
  readonly errors?: string
  readonly maxErrors?: string
  readonly exitZero?: boolean
  readonly jobs?: string
  readonly summary?: string
  readonly provenance?: string | true
  readonly checkpoint?: number
  readonly resume?: boolean
  readonly progress?: (typeof PROGRESS)[number]
}

export const PROGRESS = ['auto', 'always', 'never', 'jsonl'] as const

/** Those that do something for the operation; none for one without tables. */
export function tableOptions({ cells, comparesTables, input }: Operation): Option[] {
  const all =
    cells !== undefined
      ? [...readingOptions(), linesOption(), ...resultOptions(cells, 'to' in input.properties)]
      : comparesTables
        ? comparingOptions()
        : []
  return all.map((option) => option.helpGroup(TABLES_TITLE))
}

function comparingOptions(): Option[] {
  const ofReport = ['errors', 'exitZero']
  return [
    ...readingOptions(),
    linesOption(),
    ...writingOptions(true).filter((option) => ofReport.includes(option.attributeName())),
  ]
}

/** A GL String Code names the release that answers; names may be of another where there is a choice. */
function resultOptions({ areTypings, isByTyping, hasDetails }: CellFace, isOfAny: boolean): Option[] {
  const writing = writingOptions(areTypings).filter((option) => {
    const name = option.attributeName()
    return (areTypings || !OF_TYPINGS.has(name)) && !(isOfAny && name === 'glsc')
  })
  const pyard = new Option(
    '--pyard-config <file>',
    "take the options from a configuration file of py-ard's batch tool; with --plan, print the equivalent command",
  )
  const details = new Option('--details', 'add columns with the cause of a verdict or the status of a name')
  return [...writing, ...(hasDetails ? [details] : []), ...(isByTyping ? [pyard] : [])]
}

/** Options about results that are typings. */
const OF_TYPINGS: ReadonlySet<string> = new Set(['glOut', 'glsc', 'drbx', 'secondBlank', 'locusPrefix'])

function readingOptions(): Option[] {
  return [
    new Option('--csv', 'the input is a table, comma-separated').conflicts(['tsv', 'delimiter']),
    new Option('--tsv', 'the input is a table, tab-separated').conflicts('delimiter'),
    new Option('-d, --delimiter <char>', 'delimiter of the input: auto, one character, tab, pipe or space'),
    new Option('-H, --no-header', 'the first row is data, not a header'),
    new Option(
      '--header-row <n>',
      'number of the header line; lines before it are copied unchanged',
    ).argParser(wholeNumber),
    new Option('--skip <n>', 'number of lines before the table, which are copied unchanged').argParser(
      wholeNumber,
    ),
    new Option('--comment <prefix>', 'copy lines that begin with this unchanged'),
    new Option('--quote <char>', 'quote character, or none'),
    new Option('--lazy-quotes', 'treat misplaced quotes as text'),
    new Option('--encoding <name>', 'encoding of the input').choices(ENCODINGS),
    new Option('--ragged <what>', 'how to treat rows with too few or too many fields').choices([
      'error',
      'pad',
    ]),
    new Option(
      '--sheet <name>',
      'sheet of a workbook (.xlsx); by default, the first that has something in it',
    ),
    ...recordOptions(),
    new Option('--layout <layout>', 'read a known layout: wmda, pypop, hped, haplomat-mac …'),
    new Option('-c, --columns <columns>', 'typing columns: names, numbers, ranges such as A_1..B_2, globs'),
    new Option('-x, --exclude <columns>', 'columns to leave out of the typing columns'),
    new Option(
      '-l, --locus <locus=columns>',
      'columns of a locus, besides those that are found: A=A1,A2 or subject:A=A1,A2 (repeatable)',
    ).argParser(collect),
    new Option('-g, --gl <columns>', 'columns that contain GL Strings'),
    new Option(
      '--subject <name=prefix>',
      'columns with this prefix belong to one person (repeatable)',
    ).argParser(collect),
    new Option('--only-named', 'read no columns besides those of -l and -g'),
    new Option('--strict-columns', 'exit with status 1 if a column looks like typings and is not read'),
    new Option('--id-column <column>', 'column that identifies rows in reports'),
    new Option('--bare-digits <what>', 'how to read digits without a colon').choices([
      'auto',
      ...DIGIT_READINGS,
    ]),
    new Option(
      '--cell-separator <char>',
      'what stands between two typings in one cell: auto, none, or a character such as , ; / pipe or space',
    ),
    new Option('--missing <list>', 'more values that mean not typed').argParser(wordList),
    new Option('--absent <list>', 'more values that mean the gene is absent').argParser(wordList),
    new Option('--unknown <list>', 'more values that mean the result is unknown').argParser(wordList),
    new Option('--new <list>', 'more values that mean a new allele').argParser(wordList),
    new Option('--plan', 'show how the table would be read and converted, without converting it'),
  ]
}

function linesOption(): Option {
  const conflicting = ['plan', 'csv', 'tsv', 'delimiter']
  return new Option('--lines', 'read one typing a line, even where the input looks like a table').conflicts(
    conflicting,
  )
}

/** What is said of a file that holds typings otherwise than in a row a person. */
function recordOptions(): Option[] {
  return [
    new Option(
      '--input-format <format>',
      'what the file is: auto, table, long, transposed, or the program that wrote it (hla help formats)',
    ).choices(INPUT_FORMATS),
    new Option('--sample-column <column>', 'column of a long table that names the sample'),
    new Option('--locus-column <column>', 'column of a long table that names the locus'),
    new Option('--allele-column <columns>', 'one or two columns of a long table with the alleles'),
    new Option(
      '--scores <columns>',
      'columns of a long table that belong to a typing: each typing gets its own',
    ),
    new Option('--table-loci <list>', 'loci of the table that is made of a long one').argParser(commaList),
    new Option(
      '--sample-from <what>',
      'of several files with a sample each, name the samples by the name of the file or of its folder',
    ).choices(SAMPLE_FROM),
  ]
}

function writingOptions(areTypings: boolean): Option[] {
  const places = INTO.filter((place) => areTypings || place === 'after' || place === 'append')
  return [
    new Option(
      '--into <where>',
      'where to write results: after the source column, in its place, at the end of the row, or nowhere',
    ).choices(places),
    new Option(
      '--name <template>',
      'names of result columns (default {col}_{method}; for other commands {method} is the kind of result)',
    ),
    new Option('--gl-out <name>', 'add a column with one GL String per person'),
    new Option('--glsc', 'write that column as a GL String Code, which includes the release'),
    new Option('--drbx <name>', 'add two columns with the DRB3/4/5 typings of each person'),
    new Option('--second-blank <what>', 'how to write an empty second typing in the GL String').choices(
      SECOND_BLANK,
    ),
    new Option(
      '--shape <shape>',
      'what to write: a row a person, a row a typing, or a row a person with one GL String',
    ).choices(SHAPES),
    new Option('--drop-source', 'leave the source columns out of the output'),
    new Option('--locus-prefix <how>', 'write names with or without their locus').choices(['full', 'bare']),
    new Option('-D, --out-delimiter <char>', 'delimiter of the output (default: that of the input)'),
    new Option('--eol <what>', 'line endings of the output').choices(['keep', 'lf', 'crlf']),
    new Option('--bom <what>', 'byte order mark of the output').choices(['keep', 'add', 'drop']),
    new Option(
      '--on-error <what>',
      'what to write for a typing that fails: nothing, the input, nothing plus two report columns, or stop',
    ).choices(ON_ERROR),
    ...runOptions(),
  ]
}

/** How a run goes on, and what it says. */
function runOptions(): Option[] {
  return [
    new Option('--errors <file>', 'write a report of failed cells to this file: .csv, .tsv or .jsonl'),
    new Option('--max-errors <n>', 'stop after this many failures, or a share such as 5%'),
    new Option('--exit-zero', 'exit with status 0 even if typings failed'),
    new Option(
      '-j, --jobs <n>',
      'number of worker threads, or auto; by default, large files get one per core (env: HLA_JOBS)',
    ),
    new Option('--summary <how>', 'format of the summary: text, json or json=FILE'),
    new Option(
      '--provenance [file]',
      'record input, data, options and output in a file (default OUTPUT.hla.json)',
    ),
    new Option(
      '--checkpoint <rows>',
      'save the state for --resume every so many rows (default 50000; 0 means never)',
    ).argParser(wholeNumber),
    new Option('--plan-from <file>', 'plan by the first rows of this table, of which the input is a part'),
    new Option('--resume', 'continue an interrupted run of the same command'),
    new Option(
      '--progress <how>',
      'auto (on a terminal), always, never, or jsonl (one object per second)',
    ).choices(PROGRESS),
  ]
}

/** Table mode is entered by the name of the file, or by any option that only tables have; else by what is in the file. */
export function asksForTable(
  operation: Operation,
  options: object,
  files: readonly string[] | undefined,
): boolean {
  const known = tableOptions(operation)
  const given = new Map(Object.entries(options))
  if (known.length === 0 || given.get('lines') === true) return false
  if (files?.some(isTableName) === true) return true
  return known.some((option) => {
    const value: unknown = given.get(option.attributeName())
    // commander's --no-header is true until it is given
    return option.negate ? value === false : value !== undefined
  })
}
