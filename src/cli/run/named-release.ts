/** Which release answers a command that names none, and who named it.  [disk] */
import { shellWord } from '../../advice.ts'
import { parseReleaseNumber } from '../../reference/release-number.ts'
import { findInstalled } from '../../reference/store/installed.ts'
import { type DataDirs, readActive } from '../../reference/store/location.ts'
import { orElse } from '../../errors.ts'
import type { SettingFlags } from '../options/settings.ts'
import { findSetting, readSettings } from './config/config-file.ts'

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
  const variable = process.env['HLA_RELEASE']
  if (variable !== undefined) return named(variable, 'HLA_RELEASE', 'unset HLA_RELEASE')
  const settings = readSettings(flags)
  const found = findSetting(settings, command, 'release')
  if (settings === undefined || found === undefined) return undefined
  const { path } = settings
  const mend = `hla config unset ${found.key} --config ${shellWord(path)}`
  return named(String(found.value), `the setting ${found.key} in ${path}`, mend)
}

function named(spelled: string, source: string, mend: string): NamedRelease | undefined {
  if (spelled === 'active') return undefined
  const name = orElse(
    () => parseReleaseNumber(spelled).name,
    () => spelled,
  )
  return { name, source, mend }
}

/** Lines for people where another release answers than the active one, or none is installed under that name. */
export function otherAnswers(dirs: DataDirs, flags: SettingFlags, command?: string): readonly string[] {
  const other = namedRelease(flags, command)
  const { release: active } = readActive(dirs)
  if (other === undefined || other.name === active) return []
  const { name, source, mend } = other
  const isThere = name === 'starter' || findInstalled(dirs, name) !== undefined
  const what =
    name === 'starter' ? 'the built-in starter set' : `${name}${isThere ? '' : ', which is not installed'}`
  return [`answers come from ${what}: ${source} names it`, mend]
}
