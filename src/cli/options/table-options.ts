/** Options of table mode, their parsers, and the test for table mode. */
import { fileEnding } from '../../io/file-ending.ts'
import { isTableName } from '../../table/plan/layouts.ts'
import type { CellFace } from '../../operations/cell-face.ts'
import type { Operation } from '../../operations/operation.ts'
import { isGiven } from '../../options/check-options.ts'
import type { OptionRow, OptionsOf } from '../../options/option-row.ts'
import { type RawTableOptions, TABLE_OPTIONS } from '../../options/table-options.ts'
import type { GlobalOptions } from './options.ts'
import { commaList, wholeNumber } from './parsers.ts'
import { HlaError } from '../../errors.ts'
import type { Conversion } from '../../table/rows/convert-rows.ts'

/** Options of operations with tables alone; `details` has its help from the operation. */
const DETAILS = {
  name: 'details',
  brief: 'more about lost names, verdicts, statuses',
  group: 'run',
} as const
const PYARD_CONFIG = { name: 'pyard-config', value: 'file', help: "take the options from a settings file of py-ard: .pyardrc, or the JSON of its batch tool; with --plan, a table's plan shows them", brief: "options from py-ard's .pyardrc, or its batch tool", isOfOneRun: true } as const // prettier-ignore
/** Options of a comparison of two files. */
const COMPARING = [
  { name: 'rows', value: 'file', help: 'with two files: write the differences, one row per person and locus: .csv, .tsv or .jsonl', group: 'run', isOfOneRun: true },
  { name: 'loci', value: 'list', reading: commaList, help: 'with two files: compare only these loci', group: 'columns', isOfOneRun: true },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Options of matching the persons of tables. */
const MATCHING = [
  { name: 'patients', value: 'file', help: 'table of patients; each is compared with every donor', group: 'run', isOfOneRun: true, isCommon: true, requires: [{ option: 'donors' }] },
  { name: 'donors', value: 'file', help: 'table of donors', group: 'run', isOfOneRun: true, isCommon: true, requires: [{ option: 'patients' }] },
  { name: 'by-id', help: 'compare only the rows of both tables with the same id', group: 'run', isOfOneRun: true, requires: [{ option: 'patients' }] },
  { name: 'min', value: 'n/m', help: 'only pairs that may have as many alleles in common: 8/10', group: 'run', isOfOneRun: true },
  { name: 'min-sure', value: 'n/m', help: 'only pairs that have as many alleles in common for sure', group: 'run', isOfOneRun: true },
  { name: 'top', value: 'n', reading: wholeNumber, help: 'most donors of each patient', group: 'run', isOfOneRun: true, requires: [{ option: 'patients' }], excludes: [{ option: 'by-id' }] },
  { name: 'patient', value: 'prefix', help: 'of one table with both persons: prefix of the columns of the patient', brief: 'prefix of the columns of the patient', group: 'columns', isOfOneRun: true, requires: [{ option: 'donor' }] },
  { name: 'donor', value: 'prefix', help: 'of one table with both persons: prefix of the columns of the donor', brief: 'prefix of the columns of the donor', group: 'columns', isOfOneRun: true, requires: [{ option: 'patient' }] },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Options of counting the persons of a table. */
const COUNTING = [
  { name: 'by', value: 'column', help: 'count each population apart, as this column names it', brief: 'column of the populations', group: 'columns', isOfOneRun: true, isCommon: true },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Values as commander parses them; undefined where not given. */
export type TableOptions = RawTableOptions &
  OptionsOf<
    readonly [
      typeof DETAILS & { help: '' },
      typeof PYARD_CONFIG,
      ...typeof COMPARING,
      ...typeof MATCHING,
      ...typeof COUNTING,
    ]
  > & {
    readonly plan?: boolean
  }

/** Table options that affect the operation; empty for an operation without tables. */
export function tableRows({
  cells,
  comparesTables,
  matchesTables,
  countsTables,
  input,
}: Operation): readonly OptionRow[] {
  if (cells !== undefined) return [...rowsOf(cells, input.properties), ...ownRows(cells)]
  if (matchesTables === true) return [...MATCHING, ...OF_COMPARED, ...OF_WRITTEN]
  if (countsTables === true) return [...COUNTING, ...OF_COMPARED, ...OF_WRITTEN]
  return comparesTables === true ? [...COMPARING, ...OF_COMPARED] : []
}

const OF_COMPARED = TABLE_OPTIONS.filter(({ scope }) => scope === 'reading' || scope === 'report')

const OF_WRITTEN = TABLE_OPTIONS.filter(({ name }) => name === 'provenance' || name === 'progress')

/**
 * Omits `--glsc` where `to` exists: a GL String Code names the release in use, but output names may be from another. Omits
 * `--consensus` where an answer does not say what each copy may be.
 */
function rowsOf(
  { areTypings }: CellFace,
  properties: Operation['input']['properties'],
): readonly OptionRow[] {
  const omitted = [...('to' in properties ? ['glsc'] : []), ...('copies' in properties ? [] : ['consensus'])]
  return TABLE_OPTIONS.filter(
    ({ name, scope }) => (areTypings || scope !== 'typings') && !omitted.includes(name),
  ).map((row) =>
    // a result that is not a typing cannot replace one
    row.name === 'into' && !areTypings ? { ...row, choices: ['after', 'append'] } : row,
  )
}

function ownRows({ detailColumns, notesMembers }: CellFace): OptionRow[] {
  const details = [
    ...(detailColumns === undefined
      ? []
      : ['add columns with the code, message and suggestion of each verdict, or the status of each name']),
    ...(notesMembers === true
      ? ['list in the summary every name that the answers lost, with its codes']
      : []),
  ]
  return details.length === 0 ? [] : [{ ...DETAILS, help: details.join('; ') }]
}

/** Stands for the options in the file: it asks for a table where they do. */
export function fileOfOptions({ cells }: Operation): readonly OptionRow[] {
  return cells?.isByTyping === true ? [PYARD_CONFIG] : []
}

/**
 * True when the file name or any table-only option implies table mode; otherwise the file content decides.
 * `known` are the command's table options.
 */
export function asksForTable(
  rows: readonly OptionRow[],
  options: Readonly<Record<string, unknown>>,
  files: readonly string[],
): boolean {
  if (rows.length === 0 || options['inputFormat'] === 'lines') return false
  return files.some(isTableName) || rows.some((row) => isGiven(row, options))
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

/** Format of the pairs of a match: the one asked for; without one, by the ending of the output. */
export function pairFormat({ format, output }: Pick<GlobalOptions, 'format' | 'output'>) {
  if (format !== 'plain') return format
  const ending = fileEnding(output)
  if (ending === 'tsv' || ending === 'tab') return 'tsv'
  return ending === 'jsonl' || ending === 'ndjson' ? 'jsonl' : 'csv'
}
