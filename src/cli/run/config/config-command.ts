/** Subcommands of `hla config`.  [disk] */
import { adviceText } from '../../../advice.ts'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { alignedRows } from '../../../manual/page.ts'
import { HlaError, orElse } from '../../../errors.ts'
import { findRelease } from '../../../reference/store/installed.ts'
import { locateData } from '../../../reference/store/location.ts'
import { isRecord } from '../../../operations/http-face.ts'
import { writeAtomically } from '../../../io/atomic-write.ts'
import type { ConfigFlags } from '../../options/declare/config.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { tell, writeOut } from '../../../io/stdout.ts'
import { formatError, formatNote } from '../../messages.ts'
import { ownFile, settingsFile } from '../setting-files.ts'
import { readNamed } from '../../named-file.ts'
import {
  findSetting,
  inFile,
  parse,
  problemsIn,
  readSettings,
  type Settings,
  settingsIn,
  unknownSetting,
} from './config-file.ts'
import { type Settable, findSettables, settables, settingKey, splitKey } from './settables.ts'
import type { Option } from 'commander'
import { collect, isListParser } from '../../options/parsers.ts'

/** Prints each setting with its source of highest precedence. */
export function listSettings(_: readonly string[], flags: ConfigFlags): number {
  const shown = effective(flags).filter(({ source }) => flags.all === true || source !== 'default')
  if (flags.json === true) {
    const records = shown.map(({ key, value = null, source }) => ({ key, value, source }))
    writeOut(`${JSON.stringify(records, null, 2)}\n`)
    return EXIT.ok
  }
  const rows = shown.map(({ key, value, source }) => [key, formatValue(value), source])
  writeOut(alignedRows(rows).map((line) => `${line.trimEnd()}\n`).join('')) // prettier-ignore
  return EXIT.ok
}

export function getSetting([key = '']: readonly string[], flags: ConfigFlags): number {
  requireKey(key)
  const { value } = inForce(key, readSettings(flags), settables())
  if (value === undefined) return EXIT.no
  writeOut(`${formatValue(value)}\n`)
  return EXIT.ok
}

export function setSetting([key = '', ...words]: readonly string[], flags: ConfigFlags): number {
  return rewrite(flags, key, words)
}

export function unsetSetting([key = '']: readonly string[], flags: ConfigFlags): number {
  return rewrite(flags, key, undefined)
}

export function printPath(_: readonly string[], flags: ConfigFlags): number {
  writeOut(`${pathFor(flags)}\n`)
  return EXIT.ok
}

/** Reports every problem of the file, not only the first. */
export function checkFile(_: readonly string[], flags: ConfigFlags): number {
  const path = settingsFile(flags)
  if (path === undefined) {
    tell(`hla: no settings file: ${pathFor(flags)} does not exist\n`)
    return EXIT.ok
  }
  const settings = settingsIn(path, parse(path, readNamed(path)))
  const wrong = problemsIn(settings)
  // a file with errors is not checked for missing releases
  const problems = wrong.length > 0 ? wrong : missingReleases(settings)
  for (const problem of problems) tell(formatError(problem))
  if (problems.length === 0) tell(`hla: ${path} is fine\n`)
  return problems.length > 0 ? EXIT.usage : EXIT.ok
}

function rewrite(flags: ConfigFlags, key: string, words: readonly string[] | undefined): number {
  requireKey(key)
  const path = pathFor(flags)
  const before: Content = existsSync(path) ? asContent(parse(path, readNamed(path))) : {}
  const after = changed(before, key, words)
  if (JSON.stringify(after) === JSON.stringify(before)) return EXIT.ok
  const settings = settingsIn(path, after)
  const [problem] = problemsIn(settings)
  if (problem !== undefined) throw problem
  const missing = words !== undefined && namesRelease(key) ? missingReleases(settings) : []
  const unreadable = missing.find(({ code, offending }) => code === 'unknown-release' && words?.includes(offending ?? '')) // prettier-ignore
  if (unreadable !== undefined) throw unreadable
  mkdirSync(dirname(path), { recursive: true })
  writeAtomically(path, `${JSON.stringify(after, null, 2)}\n`)
  for (const { message, hint } of missing)
    tell(
      `${formatNote({ level: 'warning', code: 'no-data', message })}  ${adviceText(hint, 'command-line') ?? ''}\n`,
    )
  return EXIT.ok
}

/** Errors for releases that the settings name and that are not installed. */
function missingReleases({ path, values }: Settings): HlaError[] {
  const dataDir = values['data-dir']
  const dirs = locateData(typeof dataDir === 'string' ? dataDir : undefined)
  const named = Object.entries(values).filter(([key]) => namesRelease(key))
  return named.flatMap(([key, value]) => {
    if (value === 'active' || value === 'starter') return []
    const find = () => void findRelease(dirs, String(value))
    return orElse(find, (error) => inFile(error, `${path}: ${key}`)) ?? []
  })
}

/** `release`, `redux.release` */
function namesRelease(key: string): boolean {
  return /^(?:\w+\.)?release$/.test(key)
}

/** Path of the file to write. */
function pathFor({ config }: ConfigFlags): string {
  if (config === 'none')
    throw new HlaError('usage', '--config none cannot be combined with a command about settings files')
  return config ?? ownFile()
}

function requireKey(key: string): void {
  if (findSettables(key, settables()).length === 0) throw unknownSetting(key)
}

function formatValue(value: unknown): string {
  if (value === undefined) return '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

interface Effective {
  /** `release`, `redux.method` */
  readonly key: string
  readonly value: unknown
  /** Text for messages; `default` where nothing sets it. */
  readonly source: string
}

/** Settings in force, in the order of the options; those of single commands come last. */
function effective(flags: ConfigFlags): Effective[] {
  const all = settables()
  const settings = readSettings(flags)
  const scoped = Object.keys(settings?.values ?? {}).filter((key) => key.includes('.'))
  const keys = [...new Set(all.map(({ option }) => settingKey(option))), ...scoped.toSorted()]
  return keys.map((key) => inForce(key, settings, all))
}

function inForce(key: string, settings: Settings | undefined, all: readonly Settable[]): Effective {
  const about = findSettables(key, all)
  const variable = about
    .map(({ option }) => option.envVar)
    .find((name) => name !== undefined && name in process.env)
  if (variable !== undefined) return { key, value: process.env[variable], source: variable }
  const [command = '', name] = splitKey(key)
  const found = findSetting(settings, command, name)
  if (found !== undefined && settings !== undefined) return { key, value: found.value, source: settings.path }
  const [first] = about
  const { defaultValue, defaultValueDescription, negate } = first?.option ?? {}
  return {
    key,
    value: negate === true ? false : (defaultValueDescription ?? defaultValue),
    source: 'default',
  }
}

type Content = Readonly<Record<string, unknown>>

/** Without words, the setting is removed. @throws {HlaError} usage — several values for a single-valued setting */
export function changed(content: Content, key: string, words: readonly string[] | undefined): Content {
  const [about] = findSettables(key, settables())
  const value = words === undefined || about === undefined ? undefined : parseValue(about.option, words)
  return put(content, key.split('.'), value)
}

/** Sets the value at the path, and removes objects that become empty. */
function put(content: Content, [name = '', ...below]: readonly string[], value: unknown): Content {
  const before = Object.hasOwn(content, name) ? content[name] : undefined
  const inside = below.length === 0 ? value : put(asContent(before), below, value)
  const { [name]: _, ...others } = content
  const isEmpty = inside === undefined || (below.length > 0 && Object.keys(asContent(inside)).length === 0)
  return isEmpty ? others : { ...content, [name]: inside }
}

function parseValue({ required, optional, parseArg }: Option, words: readonly string[]): unknown {
  const [first = '', another] = words
  const isSwitch = !required && (!optional || ['true', 'false'].includes(first))
  if (isSwitch && (first === 'true' || first === 'false') && another === undefined) return first === 'true'
  if (parseArg === collect || isListParser(parseArg)) return words
  if (another === undefined) return first
  throw new HlaError('usage', `this setting takes one value, not ${words.length}`, {
    hint: 'separate the items of a list by commas',
  })
}

function asContent(value: unknown): Content {
  return isRecord(value) ? value : {}
}
