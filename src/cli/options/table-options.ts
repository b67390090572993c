/** Options of table mode, their parsers, and the test for table mode. */
import { type Command, Option } from 'commander'
import { isTableName } from '../../table/plan/layouts.ts'
import type { CellFace } from '../../operations/cell-face.ts'
import type { Operation } from '../../operations/operation.ts'
import { OPTION_GROUPS, type OptionReading, type OptionRow, memberOf } from '../../options/option-row.ts'
import { type RawTableOptions, TABLE_OPTIONS } from '../../options/table-options.ts'
import { everyOptionIn } from './declare/sparse-command.ts'
import { setBrief } from './brief.ts'
import { collect, columnList, commaList, wholeNumber, wordList } from './options.ts'
import { HlaError } from '../../errors.ts'
import type { Conversion } from '../../table/run/convert.ts'
import { messageText } from '../../advice.ts'

const TABLE_TITLES: ReadonlySet<string> = new Set(Object.values(OPTION_GROUPS))

/** Values as commander parses them; undefined where not given. */
export interface TableOptions extends RawTableOptions {
  readonly plan?: boolean
  readonly lines?: boolean
  readonly details?: boolean
  readonly pyardConfig?: string
  readonly rows?: string
  readonly loci?: readonly string[]
}

/** Table options that affect the operation; empty for an operation without tables. */
export function tableOptions({ cells, comparesTables, input }: Operation): Option[] {
  if (cells !== undefined)
    return [...rowsOf(cells, 'to' in input.properties).map(optionOf), ...ownOptions(cells)]
  if (comparesTables !== true) return []
  return [
    new Option(
      '--rows <file>',
      'with two files: write the differences, one row per person and locus: .csv, .tsv or .jsonl',
    ).helpGroup(OPTION_GROUPS.run),
    new Option('--loci <list>', 'of two files: compare these loci only')
      .argParser(commaList)
      .helpGroup(OPTION_GROUPS.columns),
    ...TABLE_OPTIONS.filter(({ scope }) => ['reading', 'comparing', 'report'].includes(scope)).map(optionOf),
  ]
}

/** Omits `--glsc` where `to` exists: a GL String Code names the release in use, but output names may be from another. */
function rowsOf({ areTypings }: CellFace, isOfAny: boolean): readonly OptionRow[] {
  return TABLE_OPTIONS.filter(
    ({ name, scope }) => (areTypings || scope !== 'typings') && !(isOfAny && name === 'glsc'),
  ).map((row) =>
    // a result that is not a typing cannot replace one
    row.name === 'into' && !areTypings ? { ...row, choices: ['after', 'append'] } : row,
  )
}

function ownOptions({ isByTyping, detailColumns, notesMembers }: CellFace): Option[] {
  const details = [
    ...(detailColumns === undefined
      ? []
      : ['add columns with the code, message and suggestion of a verdict, or the status of a name']),
    ...(notesMembers === true ? ['list in the summary all renamed members with their codes'] : []),
  ]
  const pyard = setBrief(
    new Option(
      '--pyard-config <file>',
      "take the options from a configuration file of py-ard's batch tool; with --plan, print the equivalent command",
    ),
    "options of py-ard's batch tool",
  )
  const own = [
    ...(details.length === 0
      ? []
      : [
          setBrief(
            new Option('--details', details.join('; ')),
            'more about renamed members, verdicts, statuses',
          ),
        ]),
    ...(isByTyping ? [pyard] : []),
  ]
  return own.map((option) => option.helpGroup(OPTION_GROUPS.run))
}

/** Table options of a declared command. Building them again would take as long as an answer. */
export function declaredTableOptions(command: Command): Option[] {
  return everyOptionIn(command).filter(({ helpGroupHeading = '' }) => TABLE_TITLES.has(helpGroupHeading))
}

/**
 * True when the file name or any table-only option implies table mode; otherwise the file content decides.
 * `known` are the command's table options.
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
    // commander sets `--no-header` to true until it is given
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

export function optionOf(row: OptionRow): Option {
  const { name, short, value, reading, choices, help, group, excludes = [], implies, old, brief } = row
  const flags = `${short === undefined ? '' : `-${short}, `}--${name}`
  const option = new Option(
    value === undefined ? flags : `${flags} ${value.startsWith('[') ? value : `<${value}>`}`,
    messageText(help, 'command-line'),
  )
  if (reading !== undefined) setParser(option, reading)
  if (choices !== undefined) option.choices(choices)
  const against = excludes.filter(({ values }) => values === undefined)
  if (against.length > 0) option.conflicts(against.map((one) => memberOf(one.option)))
  if (implies !== undefined) option.implies({ ...implies })
  if (old !== undefined) option.hideHelp()
  if (brief !== undefined) setBrief(option, brief)
  return option.helpGroup(OPTION_GROUPS[group])
}

function setParser(option: Option, reading: OptionReading): void {
  if (reading === 'each') option.argParser(collect)
  else if (reading === 'columns') option.argParser(columnList)
  else if (reading === 'words') option.argParser(wordList)
  else if (reading === 'list') option.argParser(commaList)
  else option.argParser(wholeNumber)
}
