/** Which release answers a command that names none, and who named it.  [disk] */
import { shellWord } from '../../advice.ts'
import { parseReleaseNumber } from '../../reference/release-number.ts'
import { findInstalled } from '../../reference/store/installed.ts'
import { type DataDirs, readActive } from '../../reference/store/location.ts'
import { orElse } from '../../errors.ts'
import type { SettingFlags } from '../options/options.ts'
import { findSetting, readConfigFile, type Settings } from './config/config-file.ts'
import { settingsFile } from './setting-files.ts'

export interface NamedRelease {
  /** `3.58.0`, `starter`, or a text that names no release. */
  readonly name: string
  /** `HLA_RELEASE`, `the setting release in /home/u/.config/hla/config.json` */
  readonly source: string
  /** Line that ends it. */
  readonly mend: string
}

/** Release that the environment or a setting names for the command; undefined if none does, so that the active one answers. */
export function namedRelease(flags: SettingFlags, command = ''): NamedRelease | undefined {
  const [first] = namesFor(flags, command)
  return first?.name === 'active' ? undefined : first
}

/** The environment before the settings, which answer when it is unset. */
function namesFor(flags: SettingFlags, command: string): readonly NamedRelease[] {
  const variable = process.env['HLA_RELEASE']
  const settings = readSettings(flags)
  const setting = findSetting(settings, command, 'release')
  return [
    ...(variable === undefined ? [] : [parseNamed(variable, 'HLA_RELEASE', 'unset HLA_RELEASE')]),
    ...(settings === undefined || setting === undefined ? [] : [bySetting(settings.path, setting)]),
  ]
}

/** Settings of the file that applies, which were checked when they were applied to the command. */
function readSettings(flags: SettingFlags): Settings | undefined {
  const path = settingsFile(flags)
  return path === undefined ? undefined : readConfigFile(path)
}

function bySetting(
  path: string,
  { key, value }: { readonly key: string; readonly value: unknown },
): NamedRelease {
  return parseNamed(
    String(value),
    `the setting ${key} in ${path}`,
    `hla config unset ${key} --config ${shellWord(path)}`,
  )
}

function parseNamed(spelled: string, source: string, mend: string): NamedRelease {
  const name = orElse(
    () => parseReleaseNumber(spelled).name,
    () => spelled,
  )
  return { name, source, mend }
}

/** Another release answers than the active one. */
export interface OtherAnswers {
  readonly what: string
  /** Line that makes the active release answer. */
  readonly mend: string
}

/** Where another release answers than the active one, or none is installed under that name; undefined otherwise. */
export function otherAnswers(dirs: DataDirs, flags: SettingFlags, command = ''): OtherAnswers | undefined {
  const names = namesFor(flags, command)
  const [first] = names
  if (first === undefined || isActive(dirs, first)) return undefined
  // without the variable, a setting answers
  const mend = names.filter((one) => !isActive(dirs, one)).map((one) => one.mend)
  return { what: `answers come from ${title(dirs, first)}: ${first.source} names it`, mend: mend.join('; ') }
}

/** Commands that a setting of their own has answered by another release than the active one. */
export function otherCommands(dirs: DataDirs, flags: SettingFlags): readonly OtherAnswers[] {
  const settings = readSettings(flags)
  // the variable has precedence
  if (settings === undefined || process.env['HLA_RELEASE'] !== undefined) return []
  return Object.entries(settings.values).flatMap(([key, value]) => {
    const [, command] = /^(.+)\.release$/.exec(key) ?? []
    const release = bySetting(settings.path, { key, value })
    if (command === undefined || isActive(dirs, release)) return []
    return [
      {
        what: `hla ${command} answers from ${title(dirs, release)}: ${release.source} names it`,
        mend: release.mend,
      },
    ]
  })
}

function isActive(dirs: DataDirs, { name }: NamedRelease): boolean {
  return name === 'active' || name === readActive(dirs).release
}

function title(dirs: DataDirs, { name }: NamedRelease): string {
  if (name === 'starter') return 'the built-in starter set'
  return findInstalled(dirs, name) === undefined ? `${name}, which is not installed` : name
}
