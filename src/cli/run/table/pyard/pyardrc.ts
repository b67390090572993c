/** Converts `.pyardrc`, the settings of py-ard from 2.4 on, to options of the command line. Pure. */
import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml'
import { errorMessage, HlaError } from '../../../../errors.ts'

/** Options of the command line. @throws {HlaError} usage — not TOML, an unknown setting, a wrong type, or a value without equivalent */
export function pyardrcArguments(text: string, path: string): string[] {
  const { pyard = {} } = readToml(text, path)
  const { config = {}, ...settings } = tableIn('pyard', pyard, path)
  return [
    ...Object.entries(settings).flatMap(([name, value]) => follow(SETTINGS, name, value, path)),
    ...Object.entries(tableIn('config', config, path)).flatMap(([name, value]) =>
      follow(SWITCHES, name, value, path),
    ),
  ]
}

function readToml(text: string, path: string): TomlTable {
  try {
    return parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new HlaError('usage', `${path}:${error.line}: ${errorMessage(error)}`, {
      offending: path,
      hint: 'a line is [table], or a name with "text", number, true, false or ["text", …], given once',
    })
  }
}

function tableIn(name: string, value: TomlValue, path: string): TomlTable {
  if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)) return value
  throw wrongKind(name, value, path)
}

/** Options for the value, none when hla needs no option; undefined for an invalid value. */
type Follow = (value: TomlValue) => readonly string[] | undefined

const isSwitch = (value: TomlValue): value is boolean => typeof value === 'boolean'
const areTexts = (value: TomlValue): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')
/** A switch without effect on answers. */
const ignored: Follow = (value) => (isSwitch(value) ? [] : undefined)
/** A switch that sets an option of hla when it is `on`. */
const when = (on: boolean, flag: string): Follow => (value) => isSwitch(value) ? (value === on ? [flag] : []) : undefined // prettier-ignore
/** A switch that must be true: false makes py-ard refuse a kind of typing, and hla has no such option. */
const mustBeOn: Follow = (value) => (value === true ? [] : undefined)

/** hla ignores py-ard's database folder and cache size. */
const SETTINGS: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ['imgt_version', readVersion],
  ['data_dir', (value) => (typeof value === 'string' ? [] : undefined)],
  ['load_mac', ignored],
  ['cache_size', (value) => (typeof value === 'number' ? [] : undefined)],
])

const SWITCHES: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ['strict', when(false, '--no-strict')],
  ['ping', when(false, '--no-ping')],
  ['ARS_as_lg', when(true, '--ars')],
  ['ignore_allele_with_suffixes', (value) => areTexts(value) ? (value.length === 0 ? [] : ['--ignore-suffix', value.join(',')]) : undefined], // prettier-ignore
  // no effect in py-ard's library
  ['reduce_3field', ignored],
  ['reduce_P', ignored],
  ['verbose_log', ignored],
  ['reduce_serology', mustBeOn],
  ['reduce_v2', mustBeOn],
  ['reduce_XX', mustBeOn],
  ['reduce_MAC', mustBeOn],
  ['reduce_shortnull', mustBeOn],
])

/** `Latest` is the newest release when py-ard first ran; the active release takes its place. */
function readVersion(value: TomlValue): readonly string[] | undefined {
  if (typeof value === 'string' && value.toLowerCase() === 'latest') return []
  return typeof value === 'number' || typeof value === 'string' ? ['-r', String(value)] : undefined
}

function follow(
  rules: ReadonlyMap<string, Follow>,
  name: string,
  value: TomlValue,
  path: string,
): readonly string[] {
  const rule = rules.get(name)
  if (rule === undefined) {
    throw new HlaError('usage', `${path}: unknown setting "${name}"`, {
      offending: name,
      hint: `settings are ${[...rules.keys()].join(' ')}`,
    })
  }
  const words = rule(value)
  if (words === undefined) throw unusableValue(name, value, rule, path)
  return words
}

function unusableValue(name: string, value: TomlValue, rule: Follow, path: string): HlaError {
  if (rule !== mustBeOn || value !== false) return wrongKind(name, value, path)
  return new HlaError('usage', `${path}: ${name} = false is not supported by hla`, {
    offending: name,
    hint: 'py-ard refuses typings of that kind then; --keep leaves them unchanged',
  })
}

function wrongKind(name: string, value: TomlValue, path: string): HlaError {
  const text = `${path}: ${name} = ${JSON.stringify(value)} has a value of the wrong kind`
  return new HlaError('usage', text, { offending: name })
}
