/** `hla config …`: lists settings and their sources, and changes the settings file.  [disk] */
import { adviceText } from '../../operations/faces.ts'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Option } from 'commander'
import { alignedRows } from '../../manual/page.ts'
import { HlaError, orElse } from '../../errors.ts'
import { findRelease } from '../../reference/store/installed.ts'
import { locateData } from '../../reference/store/location.ts'
import { isRecord } from '../../operations/http-face.ts'
import { writeAtomically } from '../../io/atomic-write.ts'
import { EXIT } from '../../io/exit-status.ts'
import { tell, writeOut } from '../../io/stdout.ts'
import { formatError, formatNote } from '../messages.ts'
import { readNamed } from '../named-file.ts'
import { type CommandSpec, commandOf, type LoadPrograms } from '../options/declare-command.ts'
import type { SettingFlags } from '../options/options.ts'
import { collect, isListParser } from '../options/parsers.ts'
import {
  findSetting,
  inFile,
  objectIn,
  parse,
  problemsIn,
  readConfigFile,
  type Settings,
  settingsIn,
  unknownSetting,
} from '../run/config/config-file.ts'
import { type Settable, findSettables, settables, settingKey, splitKey } from '../run/config/settables.ts'
import { ownFile, settingsFile } from '../run/setting-files.ts'

const KEY = {
  key: 'an option without its dashes, such as release; redux.method applies to the command redux only',
}

const LIST = commandOf({
  usage: 'list',
  summary: 'list settings with where each comes from',
  options: [
    { name: 'all', help: 'include unset options' },
    { name: 'json', help: 'print a JSON array', isOfOneRun: true },
  ],
  examples: [
    { command: 'hla config list' },
    { command: 'hla config list --all' },
    { command: 'hla config list --json' },
  ],
  run: async (flags, load) => listSettings(flags, settables(await load())),
})

/** Without options of their own. */
const OTHERS: readonly CommandSpec[] = [
  {
    usage: 'get <key>',
    summary: 'print a setting',
    args: KEY,
    examples: [
      ['hla config get release', 'active'],
      { command: 'HLA_METHOD=G hla config get method', output: 'G' },
      ['hla config set format json && hla config get format', 'json'],
    ],
    run: async (key: string, flags: SettingFlags, load: LoadPrograms) =>
      getSetting(key, flags, settables(await load())),
  },
  {
    usage: 'set <key> <value...>',
    summary: 'write a setting into the file',
    args: {
      ...KEY,
      value: 'a value that the option accepts; true or false for a switch; several values for a list',
    },
    examples: [
      'hla config set release 3.58.0',
      'hla config set --config registry.json locus A=A1,A2 B=B1,B2',
      'hla config set redux.method G lgx',
    ],
    run: async (key: string, values: readonly string[], flags: SettingFlags, load: LoadPrograms) =>
      rewrite(flags, key, values, settables(await load())),
  },
  {
    usage: 'unset <key>',
    summary: 'remove a setting from the file',
    args: KEY,
    examples: [
      'hla config set method G && hla config unset method',
      'hla config unset redux.method',
      'hla config unset --config registry.json locus',
    ],
    run: async (key: string, flags: SettingFlags, load: LoadPrograms) =>
      rewrite(flags, key, undefined, settables(await load())),
  },
  {
    usage: 'path',
    summary: 'print where the file is',
    examples: [
      ['XDG_CONFIG_HOME=/home/u/.config hla config path', '/home/u/.config/hla/config.json'],
      ['hla config path --config lab.json', 'lab.json'],
      ['HLA_CONFIG=lab.json hla config path', 'lab.json'],
    ],
    run: (flags: SettingFlags) => writeOut(`${pathFor(flags)}\n`),
  },
  {
    usage: 'check',
    summary: 'say what is wrong with the file',
    examples: [
      'hla config check',
      'hla config check --config lab.json',
      { command: 'hla config check --config misspelt.json', output: '', exit: 2 },
    ],
    run: async (flags: SettingFlags, load: LoadPrograms) => checkFile(flags, settables(await load())),
  },
]

export const CONFIG = {
  usage: 'config',
  description:
    'Show and change settings: default values of options. They are kept in a JSON file, where each key is an option ' +
    'without its dashes. Values below the name of a command apply only to that command. The command line has precedence ' +
    'over the environment, and that over the file. --config or HLA_CONFIG names another file, such as that of a study.',
  commands: [LIST, ...OTHERS],
}

/** Prints each setting with its source of highest precedence. */
function listSettings(
  flags: SettingFlags & { readonly all?: boolean; readonly json?: boolean },
  all: readonly Settable[],
): void {
  const list = effective(flags, all).filter(({ source }) => flags.all === true || source !== 'default')
  if (flags.json === true) {
    const records = list.map(({ key, value = null, source }) => ({ key, value, source }))
    return writeOut(`${JSON.stringify(records, null, 2)}\n`)
  }
  const rows = list.map(({ key, value, source }) => [key, formatValue(value), source])
  writeOut(alignedRows(rows).map((line) => `${line.trimEnd()}\n`).join('')) // prettier-ignore
}

function getSetting(key: string, flags: SettingFlags, all: readonly Settable[]): number {
  requireKey(key, all)
  const { value } = inForce(key, readSettings(flags, all), all)
  if (value === undefined) return EXIT.no
  writeOut(`${formatValue(value)}\n`)
  return EXIT.ok
}

/** Settings of the file that applies; undefined for none. @throws {HlaError} usage, not-found — an invalid file */
function readSettings(flags: SettingFlags, all: readonly Settable[]): Settings | undefined {
  const path = settingsFile(flags)
  if (path === undefined) return undefined
  const settings = readConfigFile(path)
  const [problem] = problemsIn(settings, all)
  if (problem !== undefined) throw problem
  return settings
}

/** Reports every problem of the file, not only the first. */
function checkFile(flags: SettingFlags, all: readonly Settable[]): number {
  const path = settingsFile(flags)
  if (path === undefined) {
    tell(`hla: no settings file: ${pathFor(flags)} does not exist\n`)
    return EXIT.ok
  }
  const settings = readConfigFile(path)
  const wrong = problemsIn(settings, all)
  // a file with errors is not checked for missing releases
  const problems = wrong.length > 0 ? wrong : missingReleases(settings)
  for (const problem of problems) tell(formatError(problem))
  if (problems.length === 0) tell(`hla: ${path} is fine\n`)
  return problems.length > 0 ? EXIT.usage : EXIT.ok
}

/** Without words, the setting is removed. */
function rewrite(
  flags: SettingFlags,
  key: string,
  words: readonly string[] | undefined,
  all: readonly Settable[],
): void {
  requireKey(key, all)
  const path = pathFor(flags)
  const before: Content = existsSync(path) ? objectIn(path, parse(path, readNamed(path))) : {}
  const after = changed(before, key, words, all)
  if (JSON.stringify(after) === JSON.stringify(before)) return
  const settings = settingsIn(path, after)
  const [problem] = problemsIn(settings, all)
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
function pathFor({ config }: SettingFlags): string {
  if (config === 'none')
    throw new HlaError('usage', '--config none cannot be combined with a command about settings files')
  return config ?? ownFile()
}

function requireKey(key: string, all: readonly Settable[]): void {
  if (findSettables(key, all).length === 0) throw unknownSetting(key, all)
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
function effective(flags: SettingFlags, all: readonly Settable[]): Effective[] {
  const settings = readSettings(flags, all)
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
  const setting = findSetting(settings, command, name)
  if (setting !== undefined && settings !== undefined)
    return { key, value: setting.value, source: settings.path }
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
export function changed(
  content: Content,
  key: string,
  words: readonly string[] | undefined,
  all: readonly Settable[],
): Content {
  const [about] = findSettables(key, all)
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
