/** Settings of several files and a profile, the stronger before the weaker. */
import { HlaError } from '../../../errors.ts'
import { closest } from '../../options/closest.ts'
import type { ConfigFile, ConfigSettings } from './config-file.ts'
import { namesPyardrc, readPyardrcFile } from './pyardrc.ts'

export interface Layer {
  /** For people: `profile registry of /home/u/.config/hla/config.json`. */
  readonly source: string
  readonly profile: string | undefined
  readonly settings: ConfigSettings
}

/** @throws {HlaError} usage — no file has the profile */
export function orderLayers(files: readonly ConfigFile[], profile: string | undefined): Layer[] {
  const own = files.map(({ path, ...file }) => ({ ...file, source: path, profile: undefined }))
  if (profile === undefined) return own
  if (namesPyardrc(profile)) {
    const { path, settings } = readPyardrcFile(profile)
    return [{ source: path, profile, settings }, ...own]
  }
  const named = files.flatMap(({ path, profiles }) => {
    const settings = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
    return settings === undefined ? [] : [{ source: `profile ${profile} of ${path}`, profile, settings }]
  })
  if (named.length > 0) return [...named, ...own]
  throw unknownProfile(profile, files)
}

function unknownProfile(profile: string, files: readonly ConfigFile[]): HlaError {
  const known = files.flatMap(({ profiles }) => Object.keys(profiles))
  const near = closest(profile, known, 1)
  const meant = near.length === 0 ? '' : `. Did you mean "${near[0]}"?`
  const where = files.length === 0 ? 'there is no file of settings' : `profiles: ${known.join(' ') || 'none'}`
  return new HlaError('usage', `unknown profile "${profile}"${meant}`, {
    offending: profile,
    suggestions: near,
    hint: where,
  })
}

export interface FoundSetting {
  readonly value: unknown
  readonly layer: Layer
}

/** What a layer says of a command alone goes before what it says of all. */
export function findSetting(
  layers: readonly Layer[],
  command: string,
  key: string,
): FoundSetting | undefined {
  for (const layer of layers) {
    for (const name of [`${command}.${key}`, key]) {
      if (Object.hasOwn(layer.settings, name)) return { value: layer.settings[name], layer }
    }
  }
  return undefined
}
