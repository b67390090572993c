/** Settings of py-ard's batch tool: names, types, and what is refused. Pure. */
import { HlaError } from '../../../../errors.ts'

/** Subject -> locus -> columns. */
export type LocusColumns = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

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

/** Those that are given, and not null. */
export type PyardSettings = { readonly [K in keyof typeof TYPES]?: Types[(typeof TYPES)[K]] }

/** @throws {HlaError} usage — no JSON object, an unknown setting, one of the wrong type, or one that is not followed */
export function readSettings(text: string, file: string): PyardSettings {
  const given = Object.entries(objectIn(text, file)).filter(([, value]) => value !== null)
  for (const [name, value] of given) {
    const type = Object.hasOwn(TYPES, name) ? TYPES[name as keyof typeof TYPES] : undefined
    if (type === undefined) {
      const hint = `settings are ${Object.keys(TYPES).join(' ')}`
      throw new HlaError('usage', `${file}: unknown setting ${JSON.stringify(name)}`, {
        offending: name,
        hint,
      })
    }
    if (!IS[type](value))
      throw new HlaError('usage', `${file}: ${name} is ${NOUNS[type]}`, { offending: name })
  }
  // each was checked against its type
  const settings = Object.fromEntries(given) as PyardSettings
  refuse(settings, file)
  return settings
}

function objectIn(text: string, file: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (error) {
    throw new HlaError('usage', `${file} is not JSON`, { cause: error })
  }
  throw new HlaError('usage', `${file} is not one JSON object`)
}

const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown) => Array.isArray(value) && value.every(isText)
const isMap = (value: unknown, isOne: (one: unknown) => boolean) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isOne)

const IS: Readonly<Record<Type, (value: unknown) => boolean>> = {
  text: isText,
  number: (value) => typeof value === 'number',
  switch: (value) => typeof value === 'boolean',
  list: isList,
  loci: (value) => isMap(value, (loci) => isMap(loci, isList)),
}

const NOUNS: Readonly<Record<Type, string>> = {
  text: 'a text',
  number: 'a number',
  switch: 'true or false',
  list: 'a list of column names',
  loci: '{"subject": {"LOCUS": ["column", "column"]}}',
}

/** What the peer's tool does and this one does not, with the reason. */
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
      hint: 'DRB3, DRB4 and DRB5 stay in their GL String: with map_drb345_to_drbx false the rest is the same',
    })
}
