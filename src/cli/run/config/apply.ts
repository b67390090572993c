/** Applies settings to options that neither the command line nor the environment set. */
import type { Command, Option } from 'commander'
import { type HlaError, isHlaError } from '../../../errors.ts'
import { tell } from '../../../io/stdout.ts'
import { formatNote } from '../../messages.ts'
import { everyOptionIn } from '../../options/declare/sparse-command.ts'
import { FROM_FILE, FROM_PROFILE } from '../../options/settings.ts'
import {
  type ConfigFile,
  type ConfigSettings,
  inFile,
  readConfigFile,
  settingArguments,
  settingValue,
  unknownName,
} from './config-file.ts'
import { settablesIn, settingKey } from './settables.ts'
import { namesPyardrc, readPyardrcFile } from './pyardrc.ts'

/**
 * Returns the applied settings as command-line options.
 * @throws {HlaError} usage, not-found — an invalid file, or an unknown profile
 */
export function applyFiles(
  command: Command,
  files: readonly string[],
  profile: string | undefined,
): string[] {
  const word = firstWord(command)
  const own = settablesIn(word, everyOptionIn(command))
  const read = files.map((file) => readConfigFile(file, own))
  const layers = orderLayers(read, profile)
  const applied = own.flatMap(({ option }) => {
    const found = findSetting(layers, word, settingKey(option))
    return found !== undefined && isOpen(command, option) ? apply(command, option, found) : []
  })
  const isAll = Number(command.getOptionValue('verbose')) > 0
  if (isAll && applied.length > 0)
    tell(formatNote({ level: 'note', code: 'settings', message: summarize(applied) }))
  return applied.flatMap(({ words }) => words)
}

interface Applied {
  readonly key: string
  readonly source: string
  /** `--method=G` */
  readonly words: readonly string[]
}

/** `release method (/home/u/.config/hla/config.json)` */
function summarize(applied: readonly Applied[]): string {
  const keys = new Map<string, string>()
  for (const { key, source } of applied)
    keys.set(source, keys.has(source) ? `${keys.get(source)} ${key}` : key)
  return [...keys].map(([source, list]) => `${list} (${source})`).join('; ')
}

function apply(command: Command, option: Option, { value, layer }: FoundSetting): Applied[] {
  const source = layer.profile === undefined ? FROM_FILE : FROM_PROFILE
  const given = valueIn(layer, option, value)
  if (given === undefined) return []
  command.setOptionValueWithSource(option.attributeName(), given, source)
  return [{ key: settingKey(option), source: layer.source, words: settingArguments(option, value) }]
}

function valueIn({ source }: Layer, option: Option, value: unknown): unknown {
  try {
    return settingValue(option, value)
  } catch (error) {
    throw isHlaError(error) ? inFile(error, source) : error
  }
}

/** True when neither the option nor one that excludes it was given. */
function isOpen(command: Command, option: Option): boolean {
  const excluding = everyOptionIn(command).filter(
    (other) =>
      excludedBy(option).includes(other.attributeName()) ||
      excludedBy(other).includes(option.attributeName()),
  )
  return [option, ...excluding].every(
    (one) => !['cli', 'env'].includes(command.getOptionValueSource(one.attributeName()) ?? ''),
  )
}

/** commander's property is missing from its type declarations. */
function excludedBy(option: Option): readonly string[] {
  return (option as unknown as { readonly conflictsWith: readonly string[] }).conflictsWith
}

/** `data` of `hla data install`. */
function firstWord(command: Command): string {
  return command.parent?.parent == null ? command.name() : firstWord(command.parent)
}

export interface Layer {
  /** Text for messages: `profile registry of /home/u/.config/hla/config.json`. */
  readonly source: string
  readonly path: string
  readonly profile: string | undefined
  readonly settings: ConfigSettings
}

/** @throws {HlaError} usage — no file has the profile */
export function orderLayers(files: readonly ConfigFile[], profile: string | undefined): Layer[] {
  const own = files.map((file) => ({ ...file, source: file.path, profile: undefined }))
  if (profile === undefined) return own
  if (namesPyardrc(profile)) {
    const { path, settings } = readPyardrcFile(profile)
    return [{ source: path, path, profile, settings }, ...own]
  }
  const named = files.flatMap(({ path, profiles }) => {
    const settings = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
    return settings === undefined
      ? []
      : [{ source: `profile ${profile} of ${path}`, path, profile, settings }]
  })
  if (named.length > 0) return [...named, ...own]
  throw unknownProfile(profile, files)
}

function unknownProfile(profile: string, files: readonly ConfigFile[]): HlaError {
  const known = files.flatMap(({ profiles }) => Object.keys(profiles))
  const where = files.length === 0 ? 'there is no settings file' : `profiles: ${known.join(' ') || 'none'}`
  return unknownName('profile', profile, known, where)
}

interface FoundSetting {
  /** With its command, where it is for one: `redux.release`. */
  readonly key: string
  readonly value: unknown
  readonly layer: Layer
}

/** In each layer a setting for one command has precedence over one for all. */
export function findSetting(
  layers: readonly Layer[],
  command: string,
  key: string,
): FoundSetting | undefined {
  for (const layer of layers) {
    for (const name of [`${command}.${key}`, key]) {
      if (Object.hasOwn(layer.settings, name)) return { key: name, value: layer.settings[name], layer }
    }
  }
  return undefined
}
