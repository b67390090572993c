/** Finds the setting or variable that names a release, and how to change it.  [disk] */
import { advice, shellWord } from '../../../advice.ts'
import { HlaError, orElse } from '../../../errors.ts'
import { findRelease } from '../../../reference/store/installed.ts'
import { locateData } from '../../../reference/store/location.ts'
import type { SettingFlags } from '../../options/settings.ts'
import { settingFiles } from '../setting-files.ts'
import { findSetting, orderLayers } from './apply.ts'
import { type ConfigFile, type ConfigSettings, readConfigFile } from './config-file.ts'
import { namesPyardrc } from './pyardrc.ts'

/** `error` is about a release that the command line of the command `word` did not name. */
export function nameReleaseSource(error: HlaError, word: string, flags: SettingFlags): HlaError {
  const { source, mend } = releaseSource(word, flags)
  const { code, message, offending, suggestions, hint } = error
  const hints = hint === undefined ? mend : advice`${mend}\n${hint}`
  return new HlaError(code, `${message} (${source} names it)`, {
    offending,
    suggestions,
    hint: hints,
    cause: error,
  })
}

interface Source {
  /** `HLA_RELEASE`, `the setting release in /home/u/.config/hla/config.json` */
  readonly source: string
  /** Instruction for the user. */
  readonly mend: string
}

function releaseSource(word: string, flags: SettingFlags): Source {
  if (process.env['HLA_RELEASE'] !== undefined) return { source: 'HLA_RELEASE', mend: 'unset HLA_RELEASE' }
  const files = settingFiles(flags).map((file) => readConfigFile(file))
  const layers = orderLayers(files, flags.profile)
  const found = findSetting(layers, word, 'release')
  if (found === undefined) return { source: 'a setting', mend: 'hla config list shows where it is set' }
  const { key, layer } = found
  const { path, profile } = layer
  if (profile === undefined)
    return {
      source: `the setting ${key} in ${path}`,
      mend: `hla config unset ${key} --config ${shellWord(path)}`,
    }
  if (namesPyardrc(profile)) return { source: path, mend: `change imgt_version in ${path}` }
  const mend = `hla config unset ${key} --profile ${shellWord(profile)} --config ${shellWord(path)}`
  return { source: `profile ${profile} in ${path}`, mend }
}

/** Errors for releases that a settings file names and that are not installed. */
export function missingReleases({ path, settings, profiles }: ConfigFile): HlaError[] {
  const ofProfiles = Object.entries(profiles).flatMap(([name, values]) =>
    missingIn(values, `profile "${name}" of ${path}`, settings['data-dir']),
  )
  return [...missingIn(settings, path, undefined), ...ofProfiles]
}

function missingIn(settings: ConfigSettings, where: string, folder: unknown): HlaError[] {
  const dataDir = settings['data-dir'] ?? folder
  return Object.entries(settings).flatMap(([key, value]) => {
    if (!/^(?:\w+\.)?release$/.test(key)) return []
    const error = missingRelease(String(value), typeof dataDir === 'string' ? dataDir : undefined)
    if (error === undefined) return []
    const { code, message, offending, hint } = error
    return [new HlaError(code, `${where}: ${key}: ${message}`, { offending, hint })]
  })
}

/** Error for a release that cannot be opened; undefined when it is installed. */
function missingRelease(release: string, dataDir: string | undefined): HlaError | undefined {
  if (['active', 'starter'].includes(release)) return undefined
  return orElse(
    () => void findRelease(locateData(dataDir), release),
    (error) => error,
  )
}
