/** Options of table mode, and when a command line asks for it. */
import { Option } from 'commander'
import { DIGIT_READINGS } from '../../batch/digits.ts'
import { ENCODINGS } from '../../batch/encoding.ts'
import { isTableName } from '../../batch/layouts.ts'
import { INTO, ON_ERROR, SECOND_BLANK } from '../../batch/table-request.ts'
import type { TableWishes } from '../../batch/table-wishes.ts'
import type { CellFace } from '../../operations/cell-face.ts'
import type { Operation } from '../../operations/operation.ts'
import { collect, commaList, TABLES_TITLE, wholeNumber } from '../options.ts'

/** As commander gives them; undefined where nothing was said. */
export interface TableOptions extends TableWishes {
  readonly details?: boolean
  readonly pyardConfig?: string
  readonly plan?: boolean
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
      ? [...readingOptions(), ...resultOptions(cells, 'to' in input.properties)]
      : comparesTables
        ? comparingOptions()
        : []
  return all.map((option) => option.helpGroup(TABLES_TITLE))
}

function comparingOptions(): Option[] {
  const ofReport = ['errors', 'exitZero']
  return [
    ...readingOptions(),
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
    "do what this configuration of py-ard's batch tool says; with --plan, print the options that say the same",
  )
  const details = new Option('--details', 'more columns: the cause of a verdict, the status of a name')
  return [...writing, ...(hasDetails ? [details] : []), ...(isByTyping ? [pyard] : [])]
}

/** Options about results that are typings. */
const OF_TYPINGS: ReadonlySet<string> = new Set(['glOut', 'glsc', 'drbx', 'secondBlank', 'locusPrefix'])

function readingOptions(): Option[] {
  return [
    new Option('--csv', 'the input is a table, comma-separated').conflicts(['tsv', 'delimiter']),
    new Option('--tsv', 'the input is a table, tab-separated').conflicts('delimiter'),
    new Option('-d, --delimiter <char>', 'of the input: auto, a character, tab, pipe or space'),
    new Option('-H, --no-header', 'the first row is data'),
    new Option('--header-row <n>', 'the header is this line; lines before it are passed through').argParser(
      wholeNumber,
    ),
    new Option('--skip <n>', 'lines before the table, passed through').argParser(wholeNumber),
    new Option('--comment <prefix>', 'lines that begin so are passed through'),
    new Option('--quote <char>', 'the quote character, or none'),
    new Option('--lazy-quotes', 'quotes in wrong places are text'),
    new Option('--encoding <name>', 'of the input').choices(ENCODINGS),
    new Option('--ragged <what>', 'rows that are too short or too long').choices(['error', 'pad']),
    new Option('--layout <layout>', 'a known layout: wmda, pypop, hped, haplomat-mac …'),
    new Option('-c, --columns <columns>', 'typing columns: names, numbers, ranges A_1..B_2, globs'),
    new Option('-x, --exclude <columns>', 'columns that are no typings'),
    new Option(
      '-l, --locus <locus=columns>',
      'the columns of a locus, or subject:locus=cols (repeatable)',
    ).argParser(collect),
    new Option('-g, --gl <columns>', 'columns of GL Strings'),
    new Option(
      '--subject <name=prefix>',
      'columns with this prefix are of one person (repeatable)',
    ).argParser(collect),
    new Option('--id-column <column>', 'names the row in reports'),
    new Option('--bare-digits <what>', 'digits without a colon').choices(['auto', ...DIGIT_READINGS]),
    new Option('--missing <list>', 'cells that mean: not typed').argParser(commaList),
    new Option('--absent <list>', 'cells that mean: no such gene').argParser(commaList),
    new Option('--unknown <list>', 'cells that mean: result not known').argParser(commaList),
    new Option('--new <list>', 'cells that mean: a new allele').argParser(commaList),
    new Option('--plan', 'say what would be read how, and stop'),
  ]
}

function writingOptions(areTypings: boolean): Option[] {
  const places = INTO.filter((place) => areTypings || place === 'after' || place === 'append')
  return [
    new Option(
      '--into <where>',
      'where results stand: after their source, in its place, at the end, or nowhere',
    ).choices(places),
    new Option('--name <template>', 'of result columns (default {col}_{method}; {method} is what was asked)'),
    new Option('--gl-out <name>', 'add a column with one GL String a person'),
    new Option('--glsc', 'that column is a GL String Code, with the release'),
    new Option('--drbx <name>', 'add two columns with the DRB3/4/5 typings of a person'),
    new Option('--second-blank <what>', 'an empty second typing in the GL String').choices(SECOND_BLANK),
    new Option('--drop-source', 'leave the typing columns out'),
    new Option('--locus-prefix <how>', 'names with or without their locus').choices(['full', 'bare']),
    new Option('-D, --out-delimiter <char>', 'of the output (default as the input)'),
    new Option('--eol <what>', 'line ends of the output').choices(['keep', 'lf', 'crlf']),
    new Option('--bom <what>', 'byte order mark of the output').choices(['keep', 'add', 'drop']),
    new Option('--on-error <what>', 'a cell that has no answer').choices(ON_ERROR),
    new Option('--errors <file>', 'report of failed cells: csv, tsv or jsonl'),
    new Option('--max-errors <n>', 'give up after so many failures, or a share such as 5%'),
    new Option('--exit-zero', 'exit 0 although typings failed'),
    new Option('-j, --jobs <n>', 'workers: a number or auto; large files get one a core (env: HLA_JOBS)'),
    new Option('--summary <how>', 'text, json or json=FILE'),
    new Option('--provenance [file]', 'write what was done with what (default OUTPUT.hla.json)'),
    new Option(
      '--checkpoint <rows>',
      'how often is kept where to go on (default 50000, 0 is never)',
    ).argParser(wholeNumber),
    new Option('--plan-from <file>', 'decide by the first rows of this table, of which the input is a part'),
    new Option('--resume', 'go on where an interrupted run of the same command stopped'),
    new Option(
      '--progress <how>',
      'auto (on a terminal), always, never, or jsonl: an object a second',
    ).choices(PROGRESS),
  ]
}

/** Table mode is entered by the name of the file, or by any option that only tables have. */
export function asksForTable(
  operation: Operation,
  options: object,
  files: readonly string[] | undefined,
): boolean {
  const known = tableOptions(operation)
  if (known.length === 0) return false
  if (files?.some(isTableName) === true) return true
  const given = new Map(Object.entries(options))
  return known.some((option) => {
    const value: unknown = given.get(option.attributeName())
    // commander's --no-header is true until it is given
    return option.negate ? value === false : value !== undefined
  })
}
