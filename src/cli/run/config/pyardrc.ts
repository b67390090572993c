/** `.pyardrc`, the settings of py-ard from 2.4 on, read as a profile: `--profile .pyardrc`.  [disk] */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { HlaError } from '../../../errors.ts'
import { homeFolder } from '../../../package-root.ts'
import { readNamed } from '../../named-file.ts'
import type { ConfigSettings } from './config-file.ts'
import { readTomlValues, type TomlValue } from './toml-values.ts'

const NAME = '.pyardrc'

export function namesPyardrc(profile: string): boolean {
  return basename(profile) === NAME
}

/** The file that is named; for the bare name, as py-ard looks for it: here, then at home. */
export function readPyardrcFile(profile: string): {
  readonly path: string
  readonly settings: ConfigSettings
} {
  const home = join(homeFolder(), NAME)
  const path = profile === NAME && !existsSync(NAME) && existsSync(home) ? home : profile
  return { path, settings: readPyardrc(readNamed(path), path) }
}

/** @throws {HlaError} usage — an unknown setting, one of the wrong type, or one that cannot be followed */
export function readPyardrc(text: string, path: string): ConfigSettings {
  const tables = readTomlValues(text, path)
  const own = [...(tables.get('pyard') ?? [])].flatMap(([name, value]) => follow(OWN, name, value, path))
  const switches = [...(tables.get('pyard.config') ?? [])].flatMap(([name, value]) => follow(SWITCHES, name, value, path)) // prettier-ignore
  return Object.fromEntries([...own, ...switches])
}

type Setting = readonly [key: string, value: unknown]
/** undefined: not a value that it can have; null: nothing that hla need be told. */
type Follow = (value: TomlValue) => Setting | null | undefined

const isSwitch = (value: TomlValue): value is boolean => typeof value === 'boolean'
/** A switch that makes no difference to an answer. */
const ignored: Follow = (value) => (isSwitch(value) ? null : undefined)
const whenFalse = (key: string): Follow => (value) => isSwitch(value) ? (value ? null : [key, true]) : undefined // prettier-ignore
const whenTrue = (key: string): Follow => (value) => isSwitch(value) ? (value ? [key, true] : null) : undefined // prettier-ignore
/** py-ard then refuses typings of the kind: what it does not do is not done in its name. */
const mustBeOn: Follow = (value) => (value === true ? null : undefined)

/** Where py-ard keeps its own databases, and how much it remembers, is nothing to hla. */
const OWN: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ['imgt_version', readVersion],
  ['data_dir', (value) => (typeof value === 'string' ? null : undefined)],
  ['load_mac', ignored],
  ['cache_size', (value) => (typeof value === 'number' ? null : undefined)],
])

const SWITCHES: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ['strict', whenFalse('no-strict')],
  ['ping', whenFalse('no-ping')],
  ['ARS_as_lg', whenTrue('ars')],
  ['ignore_allele_with_suffixes', (value) => Array.isArray(value) ? (value.length === 0 ? null : ['ignore-suffix', value]) : undefined], // prettier-ignore
  // without effect in py-ard's library
  ['reduce_3field', ignored],
  ['reduce_P', ignored],
  ['verbose_log', ignored],
  ['reduce_serology', mustBeOn],
  ['reduce_v2', mustBeOn],
  ['reduce_XX', mustBeOn],
  ['reduce_MAC', mustBeOn],
  ['reduce_shortnull', mustBeOn],
])

/** `Latest` is whatever was newest when py-ard was first run: here the active release answers. */
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
  const isOff = rule === mustBeOn && value === false
  const what = isOff ? 'cannot be followed' : 'has a value of the wrong kind'
  return new HlaError('usage', `${path}: ${name} = ${JSON.stringify(value)} ${what}`, {
    offending: name,
    hint: isOff ? 'py-ard refuses typings of that kind then; --keep leaves them unchanged' : undefined,
  })
}
