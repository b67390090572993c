/** Converts a settings file of py-ard to the equivalent command line: of its batch tool, or `.pyardrc`.  [disk] */
import { readNamed } from '../../../named-file.ts'
import { HlaError } from '../../../../errors.ts'
import { isRecord } from '../../../../operations/http-face.ts'

/** @throws {HlaError} not-found; usage — not a settings file, or one without equivalent */
export async function pyardArguments(file: string): Promise<string[]> {
  const text = readNamed(file)
  const isBatch = /\.json$/i.test(file) || text.trimStart().startsWith('{')
  return isBatch ? batchArguments(text, file) : (await import('./pyardrc.ts')).pyardrcArguments(text, file)
}

function batchArguments(text: string, file: string): string[] {
  const settings = readSettings(text, file)
  return [
    ...fileWords(settings),
    // py-ard's tool strips white space, splits at commas, and expects a header
    '-d',
    ',',
    '--header-row',
    '1',
    '--accept',
    'space',
    ...columnArguments(settings),
    ...methodWords(settings),
    ...writingWords(settings),
    ...(settings.verbose_log === true ? ['-v'] : []),
  ]
}

function fileWords({ in_csv_filename, out_csv_filename, apply_compression }: PyardSettings): string[] {
  // py-ard appends the suffix to the name
  const suffix = apply_compression === 'gzip' && !out_csv_filename?.endsWith('.gz') ? '.gz' : ''
  return [
    ...(in_csv_filename === undefined ? [] : ['-i', in_csv_filename]),
    ...(out_csv_filename === undefined ? [] : ['-o', out_csv_filename + suffix]),
  ]
}

/** Kinds of names left unchanged when a switch is off. */
const KINDS_OF_SWITCHES: readonly (readonly [keyof PyardSettings, readonly string[]])[] = [
  ['reduce_serology', ['serology']],
  ['reduce_v2', ['v2']],
  ['reduce_2field', ['2field']],
  ['reduce_3field', ['3field', '4field', 'G']],
  ['reduce_P', ['P']],
  ['reduce_XX', ['xx']],
  ['reduce_MAC', ['mac']],
  ['reduce_shortnull', ['null']],
]

function methodWords(settings: PyardSettings): string[] {
  const { redux_type, strict, ping, ARS_as_lg, ignore_allele_with_suffixes: suffixes = '' } = settings
  const kinds = KINDS_OF_SWITCHES.flatMap(([name, words]) => (settings[name] === false ? words : []))
  return [
    ...(redux_type === undefined ? [] : ['-m', redux_type]),
    ...(kinds.length === 0 ? [] : ['--keep', kinds.join(',')]),
    ...(strict === false ? ['--no-strict'] : []),
    ...(ping === false ? ['--no-ping'] : []),
    ...(ARS_as_lg === true ? ['--ars'] : []),
    ...(suffixes === '' ? [] : ['--ignore-suffix', suffixes.replace(/\s/g, '')]),
  ]
}

function writingWords(settings: PyardSettings): string[] {
  const { new_column_for_redux, reduced_column_prefix = 'reduced_', keep_locus_in_allele_name } = settings
  const isNew = new_column_for_redux === true
  // drops the columns that the GL String is made of: the new columns, or those that they replace
  const isSuppressed = settings.generate_glstring === true && settings.suppress_reduced_locus_column === true
  return [
    ...(isSuppressed
      ? ['--into', 'none', ...(isNew ? [] : ['--drop-source'])]
      : isNew
        ? ['--into', 'after', '--name', `${reduced_column_prefix}{col}`]
        : ['--into', 'replace']),
    ...(keep_locus_in_allele_name === false ? ['--locus-prefix', 'bare'] : []),
  ]
}

/** @throws {HlaError} usage — a name that an option cannot express */
function columnArguments(settings: PyardSettings): string[] {
  const { locus_column_mapping: mapping = {}, glstring_columns: strings = [] } = settings
  return [
    ...locusWords(mapping),
    ...(strings.length === 0 ? [] : ['-g', formatColumns(strings)]),
    ...(Object.keys(mapping).length + strings.length === 0 ? [] : ['--only-named']),
    ...(settings.generate_glstring === true ? ['--gl-out', nameFor(mapping, 'gl')] : []),
    ...(settings.generate_glstring === true && settings.homozygosify_glstring === true
      ? ['--second-blank', 'homozygous']
      : []),
    ...(settings.map_drb345_to_drbx === true && hasSixColumns(mapping)
      ? ['--drbx', nameFor(mapping, 'DRBX')]
      : []),
  ]
}

function locusWords(mapping: LocusColumns): string[] {
  const subjects = Object.entries(mapping)
  return subjects.flatMap(([subject, loci]) =>
    Object.entries(loci).flatMap(([locus, columns]) => {
      const who = subjects.length === 1 ? '' : `${subject}:`
      return ['-l', `${who}${locus.toUpperCase()}=${formatColumns(columns)}`]
    }),
  )
}

/** Prefixes the name with a single subject, as py-ard does: hla prefixes names only for several subjects. */
function nameFor(mapping: LocusColumns, name: string): string {
  const [subject, another] = Object.keys(mapping)
  return subject === undefined || another !== undefined ? name : `${subject}_${name}`
}

/** True for two columns each of DRB3, DRB4 and DRB5; py-ard combines them only for such subjects. */
function hasSixColumns(mapping: LocusColumns): boolean {
  return Object.values(mapping).some((loci) => {
    const drb345 = Object.entries(loci).filter(([locus]) => /^DRB[345]$/i.test(locus))
    return drb345.flatMap(([, columns]) => columns).length === 6
  })
}

function formatColumns(columns: readonly string[]): string {
  const wrong = columns.find((column) => column.includes(',') || column.trim() !== column || column === '')
  if (wrong !== undefined)
    throw new HlaError('usage', `a column named ${JSON.stringify(wrong)} cannot be chosen by name`, {
      offending: wrong,
      hint: 'rename it in the table',
    })
  // digits alone would mean a column number
  return columns.map((column) => (/^\d+$/.test(column) ? `=${column}` : column)).join(',')
}

/** Subject -> locus -> columns. */
type LocusColumns = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const TYPES = {
  in_csv_filename: 'text',
  out_csv_filename: 'text',
  columns_from_csv: 'list',
  locus_column_mapping: 'loci',
  glstring_columns: 'list',
  redux_type: 'text',
  redux_cache_size: 'number',
  reduce_serology: 'switch',
  reduce_v2: 'switch',
  convert_v2_to_v3: 'switch',
  reduce_2field: 'switch',
  reduce_3field: 'switch',
  reduce_P: 'switch',
  reduce_XX: 'switch',
  reduce_MAC: 'switch',
  reduce_shortnull: 'switch',
  map_drb345_to_drbx: 'switch',
  locus_in_allele_name: 'switch',
  keep_locus_in_allele_name: 'switch',
  new_column_for_redux: 'switch',
  reduced_column_prefix: 'text',
  generate_glstring: 'switch',
  homozygosify_glstring: 'switch',
  suppress_reduced_locus_column: 'switch',
  output_file_format: 'text',
  apply_compression: 'text',
  verbose_log: 'switch',
  ping: 'switch',
  ARS_as_lg: 'switch',
  strict: 'switch',
  ignore_allele_with_suffixes: 'text',
} as const satisfies Readonly<Record<string, Type>>

interface Types {
  readonly text: string
  readonly number: number
  readonly switch: boolean
  readonly list: readonly string[]
  readonly loci: LocusColumns
}
type Type = keyof Types

/** Settings that are present and not null. */
type PyardSettings = { readonly [K in keyof typeof TYPES]?: Types[(typeof TYPES)[K]] }

/** @throws {HlaError} usage — not a JSON object, an unknown setting, a wrong type, or a value without equivalent */
function readSettings(text: string, file: string): PyardSettings {
  const entries = Object.entries(objectIn(text, file)).filter(([, value]) => value !== null)
  for (const [name, value] of entries) {
    const type = Object.hasOwn(TYPES, name) ? TYPES[name as keyof typeof TYPES] : undefined
    if (type === undefined) {
      const hint = `settings are ${Object.keys(TYPES).join(' ')}`
      throw new HlaError('usage', `${file}: unknown setting ${JSON.stringify(name)}`, {
        offending: name,
        hint,
      })
    }
    const { noun, is } = KINDS[type]
    if (!is(value)) throw new HlaError('usage', `${file}: ${name} is ${noun}`, { offending: name })
  }
  // each value was checked against its type
  const settings = Object.fromEntries(entries) as PyardSettings
  refuse(settings, file)
  return settings
}

function objectIn(text: string, file: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch (error) {
    throw new HlaError('usage', `${file} is not JSON`, { cause: error })
  }
  throw new HlaError('usage', `${file} is not one JSON object`)
}

const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown) => Array.isArray(value) && value.every(isText)
const isMap = (value: unknown, isMember: (member: unknown) => boolean) =>
  isRecord(value) && Object.values(value).every(isMember)

const KINDS: Readonly<Record<Type, { readonly noun: string; readonly is: (value: unknown) => boolean }>> = {
  text: { noun: 'a string', is: isText },
  number: { noun: 'a number', is: (value) => typeof value === 'number' },
  switch: { noun: 'true or false', is: (value) => typeof value === 'boolean' },
  list: { noun: 'a list of column names', is: isList },
  loci: {
    noun: '{"subject": {"LOCUS": ["column", "column"]}}',
    is: (value) => isMap(value, (loci) => isMap(loci, isList)),
  },
}

/** Refuses features of py-ard's tool that hla lacks, with the reason. */
function refuse(settings: PyardSettings, file: string): void {
  const { output_file_format: format = 'csv', apply_compression: compression } = settings
  if (format !== 'csv')
    throw new HlaError('usage', `${file}: output_file_format ${JSON.stringify(format)} is not supported`, {
      hint: 'spreadsheets turn typings into times and numbers; csv is read by all of them',
    })
  if (compression !== undefined && compression !== 'gzip')
    throw new HlaError(
      'usage',
      `${file}: apply_compression ${JSON.stringify(compression)} is not supported`,
      {
        hint: 'gzip is supported',
      },
    )
  if (settings.map_drb345_to_drbx === true && (settings.glstring_columns ?? []).length > 0)
    throw new HlaError('usage', `${file}: map_drb345_to_drbx is not supported for glstring_columns`, {
      hint: 'set map_drb345_to_drbx to false: DRB3, DRB4 and DRB5 then stay in the GL String; nothing else changes',
    })
}
