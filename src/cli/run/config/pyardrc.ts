/** Reader of `.pyardrc`, the settings of py-ard from 2.4 on, used as a profile: `--profile .pyardrc`.  [disk] */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml'
import { errorMessage, HlaError } from '../../../errors.ts'
import { homeFolder } from '../../../package-root.ts'
import { readNamed } from '../../named-file.ts'

/** `release` or `redux.method` -> value. */
export type ConfigSettings = Readonly<Record<string, unknown>>

const NAME = '.pyardrc'

export function namesPyardrc(profile: string): boolean {
  return basename(profile) === NAME
}

/** Reads the named file. The bare name is searched as in py-ard: current folder, then home. */
export function readPyardrcFile(profile: string): {
  readonly path: string
  readonly settings: ConfigSettings
} {
  const home = join(homeFolder(), NAME)
  const path = profile === NAME && !existsSync(NAME) && existsSync(home) ? home : profile
  return { path, settings: readPyardrc(readNamed(path), path) }
}

/** @throws {HlaError} usage — not TOML, an unknown setting, a wrong type, or a value without equivalent */
export function readPyardrc(text: string, path: string): ConfigSettings {
  const { pyard = {} } = readToml(text, path)
  const { config = {}, ...own } = tableIn('pyard', pyard, path)
  return Object.fromEntries([
    ...Object.entries(own).flatMap(([name, value]) => follow(OWN, name, value, path)),
    ...Object.entries(tableIn('config', config, path)).flatMap(([name, value]) =>
      follow(SWITCHES, name, value, path),
    ),
  ])
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

type Setting = readonly [key: string, value: unknown]
/** Returns the setting of hla; undefined for an invalid value, null when hla needs no setting. */
type Follow = (value: TomlValue) => Setting | null | undefined

const isSwitch = (value: TomlValue): value is boolean => typeof value === 'boolean'
const areTexts = (value: TomlValue) => Array.isArray(value) && value.every((one) => typeof one === 'string')
/** A switch without effect on answers. */
const ignored: Follow = (value) => (isSwitch(value) ? null : undefined)
/** A switch that sets an option of hla when it is `on`. */
const when = (on: boolean, key: string): Follow => (value) => isSwitch(value) ? (value === on ? [key, true] : null) : undefined // prettier-ignore
/** A switch that must be true: false makes py-ard refuse a kind of typing, and hla has no such setting. */
const mustBeOn: Follow = (value) => (value === true ? null : undefined)

/** hla ignores py-ard's database folder and cache size. */
const OWN: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ['imgt_version', readVersion],
  ['data_dir', (value) => (typeof value === 'string' ? null : undefined)],
  ['load_mac', ignored],
  ['cache_size', (value) => (typeof value === 'number' ? null : undefined)],
])

const SWITCHES: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ['strict', when(false, 'no-strict')],
  ['ping', when(false, 'no-ping')],
  ['ARS_as_lg', when(true, 'ars')],
  ['ignore_allele_with_suffixes', (value) => areTexts(value) ? (value.length === 0 ? null : ['ignore-suffix', value]) : undefined], // prettier-ignore
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
function readVersion(value: TomlValue): Setting | null | undefined {
  if (typeof value === 'string' && value.toLowerCase() === 'latest') return null
  return typeof value === 'number' || typeof value === 'string' ? ['release', String(value)] : undefined
}

function follow(known: ReadonlyMap<string, Follow>, name: string, value: TomlValue, path: string): Setting[] {
  const rule = known.get(name)
  if (rule === undefined) {
    throw new HlaError('usage', `${path}: unknown setting "${name}"`, {
      offending: name,
      hint: `settings are ${[...known.keys()].join(' ')}`,
    })
  }
  const setting = rule(value)
  if (setting === undefined) throw notFollowed(name, value, rule, path)
  return setting === null ? [] : [setting]
}

function notFollowed(name: string, value: TomlValue, rule: Follow, path: string): HlaError {
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
