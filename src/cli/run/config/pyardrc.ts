/** Reader of `.pyardrc`, the settings of py-ard from 2.4 on, used as a profile: `--profile .pyardrc`.  [disk] */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { HlaError } from '../../../errors.ts'
import { homeFolder } from '../../../package-root.ts'
import { readNamed } from '../../named-file.ts'
import type { ConfigSettings } from './config-file.ts'

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

/** @throws {HlaError} usage — an unknown setting, a wrong type, or a value without equivalent */
export function readPyardrc(text: string, path: string): ConfigSettings {
  const tables = readTomlValues(text, path)
  const own = [...(tables.get('pyard') ?? [])].flatMap(([name, value]) => follow(OWN, name, value, path))
  const switches = [...(tables.get('pyard.config') ?? [])].flatMap(([name, value]) => follow(SWITCHES, name, value, path)) // prettier-ignore
  return Object.fromEntries([...own, ...switches])
}

type Setting = readonly [key: string, value: unknown]
/** Returns the setting of hla; undefined for an invalid value, null when hla needs no setting. */
type Follow = (value: TomlValue) => Setting | null | undefined

const isSwitch = (value: TomlValue): value is boolean => typeof value === 'boolean'
/** A switch without effect on answers. */
const ignored: Follow = (value) => (isSwitch(value) ? null : undefined)
const whenFalse = (key: string): Follow => (value) => isSwitch(value) ? (value ? null : [key, true]) : undefined // prettier-ignore
const whenTrue = (key: string): Follow => (value) => isSwitch(value) ? (value ? [key, true] : null) : undefined // prettier-ignore
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
  ['strict', whenFalse('no-strict')],
  ['ping', whenFalse('no-ping')],
  ['ARS_as_lg', whenTrue('ars')],
  ['ignore_allele_with_suffixes', (value) => Array.isArray(value) ? (value.length === 0 ? null : ['ignore-suffix', value]) : undefined], // prettier-ignore
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
  const isOff = rule === mustBeOn && value === false
  const what = isOff ? 'is not supported by hla' : 'has a value of the wrong kind'
  return new HlaError('usage', `${path}: ${name} = ${JSON.stringify(value)} ${what}`, {
    offending: name,
    hint: isOff ? 'py-ard refuses typings of that kind then; --keep leaves them unchanged' : undefined,
  })
}

type TomlValue = string | number | boolean | readonly string[]

/** Table -> name -> value; keys before the first table header are in table ''. */
type TomlTables = ReadonlyMap<string, ReadonlyMap<string, TomlValue>>

/** @throws {HlaError} usage — unsupported syntax, with its line */
function readTomlValues(text: string, path: string): TomlTables {
  const tables = new Map<string, Map<string, TomlValue>>()
  let table = openTable(tables, '')
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  for (let at = 0; at < lines.length; at += 1) {
    const first = at
    let line = withoutComment(lines[at] ?? '')
    // a list may take several lines
    while (/=\s*\[/.test(line) && !/\]\s*$/.test(line) && at + 1 < lines.length)
      line += ` ${withoutComment(lines[(at += 1)] ?? '')}`
    if (line.trim() === '') continue
    const [, name] = /^\s*\[\s*([A-Za-z0-9_.-]+)\s*\]\s*$/.exec(line) ?? []
    const [, key = '', value = ''] = /^\s*["']?([A-Za-z0-9_-]+)["']?\s*=\s*(.*?)\s*$/.exec(line) ?? []
    const read = name === undefined ? readValue(value) : undefined
    if (name !== undefined) table = openTable(tables, name)
    else if (read === undefined || table.has(key)) throw notRead(path, first + 1, line)
    else table.set(key, read)
  }
  return tables
}

function openTable(tables: Map<string, Map<string, TomlValue>>, name: string): Map<string, TomlValue> {
  const table = tables.get(name) ?? new Map<string, TomlValue>()
  tables.set(name, table)
  return table
}

const TEXT = /"(?:[^"\\]|\\["\\])*"|'[^']*'/
const STARTS_WITH_TEXT = new RegExp(`^(?:${TEXT.source})`)

/** Strips a comment; `#` inside a string is kept. */
function withoutComment(line: string): string {
  let rest = line
  let kept = ''
  while (rest !== '' && !rest.startsWith('#')) {
    const piece = STARTS_WITH_TEXT.exec(rest)?.[0] ?? rest.charAt(0)
    kept += piece
    rest = rest.slice(piece.length)
  }
  return kept
}

function readValue(value: string): TomlValue | undefined {
  if (value === 'true' || value === 'false') return value === 'true'
  if (/^[+-]?\d[\d_]*$/.test(value)) return Number(value.replaceAll('_', ''))
  const text = readText(value)
  if (text !== undefined) return text
  const [, inside] = /^\[(.*)\]$/.exec(value) ?? []
  if (inside === undefined) return undefined
  const items = inside.split(',').map((item) => item.trim())
  if (items.at(-1) === '') items.pop()
  const texts = items.map(readText)
  return texts.every((one) => one !== undefined) ? texts : undefined
}

function readText(value: string): string | undefined {
  if (STARTS_WITH_TEXT.exec(value)?.[0] !== value) return undefined
  const inside = value.slice(1, -1)
  return value.startsWith('"') ? inside.replaceAll(/\\(.)/g, '$1') : inside
}

function notRead(path: string, line: number, text: string): HlaError {
  return new HlaError('usage', `${path}:${line}: this line cannot be read: ${text.trim().slice(0, 60)}`, {
    offending: path,
    hint: 'a line is [table], or a name with "text", number, true, false or ["text", …], given once',
  })
}
