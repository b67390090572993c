/** Options of table mode, what their texts stand for, and when a command line asks for it. */
import { type Command, Option } from 'commander'
import { isTableName } from '../../table/plan/layouts.ts'
import { OUTPUT_FORMAT_NAMES } from '../../table/plan/output-format-names.ts'
import { INTO, ON_ERROR, SECOND_BLANK, SHAPES } from '../../table/plan/table-request.ts'
import type { RawTableOptions } from '../../table/plan/raw-table-options.ts'
import type { CellFace } from '../../operations/cell-face.ts'
import type { Operation } from '../../operations/operation.ts'
import { everyOptionIn } from './declare/sparse-command.ts'
import { columnList, commaList, TABLES_TITLE } from './options.ts'
import { linesOption, readingOptions } from './table-reading-options.ts'
import { HlaError } from '../../errors.ts'
import type { Conversion } from '../../table/run/convert.ts'

/** As commander gives them; undefined where nothing was said. */
export interface TableOptions extends RawTableOptions {
  readonly details?: boolean
  readonly pyardConfig?: string
  readonly plan?: boolean
  readonly lines?: boolean
  readonly strictColumns?: boolean
  readonly rows?: string
  readonly loci?: readonly string[]
  readonly errors?: string
  readonly maxErrors?: string
  readonly exitZero?: boolean
  readonly jobs?: string
  readonly summary?: string
  readonly provenance?: string | true
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
    new Option(
      '--rows <file>',
      'of two files: list what is not identical, a locus of a person a row: .csv, .tsv or .jsonl',
    ),
    new Option('--loci <list>', 'of two files: compare these loci only').argParser(commaList),
    ...readingOptions(),
    linesOption(),
    ...writingOptions(true).filter((option) => ofReport.includes(option.attributeName())),
  ]
}

/** A GL String Code names the release that answers; names may be of another where there is a choice. */
function resultOptions(
  { areTypings, isByTyping, detailColumns, notesMembers }: CellFace,
  isOfAny: boolean,
): Option[] {
  const writing = writingOptions(areTypings).filter((option) => {
    const name = option.attributeName()
    return (areTypings || !OF_TYPINGS.has(name)) && !(isOfAny && name === 'glsc')
  })
  const pyard = new Option(
    '--pyard-config <file>',
    "take the options from a configuration file of py-ard's batch tool; with --plan, print the equivalent command",
  )
  const details = [
    ...(detailColumns === undefined
      ? []
      : ['add columns with the cause of a verdict or the status of a name']),
    ...(notesMembers === true ? ['list in the summary all renamed members with their codes'] : []),
  ]
  return [
    ...writing,
    ...(details.length === 0 ? [] : [new Option('--details', details.join('; '))]),
    ...(isByTyping ? [pyard] : []),
  ]
}

/** Options about results that are typings. */
const OF_TYPINGS: ReadonlySet<string> = new Set([
  'glOut',
  'glsc',
  'drbx',
  'secondBlank',
  'locusPrefix',
  'outputFormat',
  'personColumns',
])

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
    new Option(
      '--output-format <format>',
      'what to write instead of a table: the document that was read, or a file of another program',
    ).choices(OUTPUT_FORMAT_NAMES),
    new Option(
      '--person-columns <list>',
      'columns about the person that a format of --output-format has a place for: population=POP,sex=SEX',
    ).argParser(columnList),
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
    new Option('--plan-from <file>', 'plan by the first rows of this table, of which the input is a part'),
    new Option(
      '--progress <how>',
      'auto (on a terminal), always, never, or jsonl (one object per second)',
    ).choices(PROGRESS),
  ]
}

/** Those of a command that was declared: to make them again takes as long as an answer. */
export function declaredTableOptions(command: Command): Option[] {
  return everyOptionIn(command).filter(({ helpGroupHeading }) => helpGroupHeading === TABLES_TITLE)
}

/**
 * Table mode is entered by the name of the file, or by any option that only tables have; else by what is in the file.
 * `known` are the command's options of tables.
 */
export function asksForTable(
  known: readonly Option[],
  options: object,
  files: readonly string[] | undefined,
): boolean {
  const given = new Map(Object.entries(options))
  if (known.length === 0 || given.get('lines') === true) return false
  if (files?.some(isTableName) === true) return true
  return known.some((option) => {
    const value: unknown = given.get(option.attributeName())
    // commander's --no-header is true until it is given
    return option.negate ? value === false : value !== undefined
  })
}

/** `100` or `5%` */
export function parseMaxErrors(text: string | undefined): Conversion['maxErrors'] {
  if (text === undefined) return undefined
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  if (digits === undefined || (percent === '' && digits.includes('.')))
    throw new HlaError(
      'usage',
      `--max-errors is a number such as 100 or a share such as 5%, not ${JSON.stringify(text)}`,
    )
  return percent === '%' ? { share: Number(digits) / 100 } : { count: Number(digits) }
}

export interface SummaryChoice {
  readonly kind: 'text' | 'json'
  readonly file: string | undefined
}

export function parseSummary(text: string | undefined): SummaryChoice {
  if (text === undefined || text === 'text') return { kind: 'text', file: undefined }
  if (text === 'json') return { kind: 'json', file: undefined }
  if (text.startsWith('json=') && text.length > 5) return { kind: 'json', file: text.slice(5) }
  throw new HlaError('usage', `--summary is text, json or json=FILE, not ${JSON.stringify(text)}`)
}
