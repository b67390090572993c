/** Reader of settings files: JSON with option names as keys, optionally per command, and profiles.  [disk] */
import { HlaError, errorMessage, orElse } from '../../../errors.ts'
import { isRecord } from '../../../operations/http-face.ts'
import { closest } from '../../../closest.ts'
import { removedOption } from '../../options/removed-options.ts'
import { readNamed } from '../../named-file.ts'
import type { SettingFlags } from '../../options/settings.ts'
import { settingFiles } from '../setting-files.ts'
import { type ConfigSettings, namesPyardrc, readPyardrcFile } from './pyardrc.ts'
import { type Settable, findSettables, settables, settingKey, settingKeys } from './settables.ts'
import { InvalidArgumentError, type Option } from 'commander'
import { ALL_METHODS, parseMethod } from '../../../engine/reduce/methods.ts'
import { collect } from '../../options/parsers.ts'

/** Settings of a file, or of a profile in it. */
export interface Layer {
  readonly path: string
  readonly profile: string | undefined
  /** Text for messages: `profile registry of /home/u/.config/hla/config.json`. */
  readonly source: string
  readonly settings: ConfigSettings
}

/**
 * `own` are the settings of the running command.
 * @throws {HlaError} not-found — no such file; usage — an invalid file
 */
export function readConfigFile(path: string, own: readonly Settable[] = []): Layer[] {
  const layers = layersIn(path, parse(path, readNamed(path)))
  const [problem] = problemsIn(layers, own)
  if (problem !== undefined) throw problem
  return layers
}

/** Layers of the settings files that apply. @throws {HlaError} usage, not-found — an invalid file, or an unknown profile */
export function readLayers(flags: SettingFlags): Layer[] {
  return orderLayers(
    settingFiles(flags).flatMap((file) => readConfigFile(file)),
    flags.profile,
  )
}

/** The file's own settings, then its profiles. */
export function layersIn(path: string, content: unknown): Layer[] {
  const { profiles = {}, ...own } = objectIn(path, content)
  const named = Object.entries(objectIn(`"profiles" of ${path}`, profiles))
  return [
    { path, profile: undefined, source: path, settings: flat(own) },
    ...named.map(([profile, value]) => ({
      path,
      profile,
      source: `profile ${profile} of ${path}`,
      settings: flat(objectIn(placeOf({ path, profile }), value)),
    })),
  ]
}

/** Beginning of an error about a layer. */
export function placeOf({ path, profile }: Pick<Layer, 'path' | 'profile'>): string {
  return profile === undefined ? path : `profile "${profile}" of ${path}`
}

/**
 * Layers that apply, highest precedence first. `all` are those of the files, in their order.
 * @throws {HlaError} usage — no file has the profile
 */
export function orderLayers(all: readonly Layer[], profile: string | undefined): Layer[] {
  const own = all.filter((layer) => layer.profile === undefined)
  if (profile === undefined) return own
  if (namesPyardrc(profile)) {
    const { path, settings } = readPyardrcFile(profile)
    return [{ source: path, path, profile, settings }, ...own]
  }
  const named = all.filter((layer) => layer.profile === profile)
  if (named.length > 0) return [...named, ...own]
  const known = all.flatMap((layer) => layer.profile ?? [])
  const where = all.length === 0 ? 'there is no settings file' : `profiles: ${known.join(' ') || 'none'}`
  throw unknownName('profile', profile, known, where)
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
  name: string,
): FoundSetting | undefined {
  const keys = layers.flatMap((layer) => [`${command}.${name}`, name].map((key) => ({ key, layer })))
  const found = keys.find(({ key, layer }) => Object.hasOwn(layer.settings, key))
  return found && { ...found, value: found.layer.settings[found.key] }
}

/** Every error in the layers. */
export function problemsIn(layers: readonly Layer[], own: readonly Settable[] = []): HlaError[] {
  return layers.flatMap((layer) => findProblems(layer.settings, placeOf(layer), own))
}

function findProblems(settings: ConfigSettings, where: string, own: readonly Settable[]): HlaError[] {
  return Object.entries(settings).flatMap(([key, value]) => {
    // the running command first: searching all commands takes longer
    const near = findSettables(key, own)
    const about = near.length > 0 ? near : findSettables(key, settables())
    if (about.length === 0) return [inFile(unknownSetting(key), where)]
    const problems = about.flatMap(
      ({ option }) =>
        orElse(
          () => void settingValue(option, value),
          (error) => error,
        ) ?? [],
    )
    // options of one name may have different choices in other commands: a value valid for one is accepted
    const [first] = problems
    return first === undefined || problems.length < about.length ? [] : [inFile(first, where)]
  })
}

export function unknownSetting(key: string): HlaError {
  const removed = removedOption(key.replace(/^.*\./, ''), `the setting "${key}"`)
  if (removed !== undefined) return removed
  return unknownName('setting', key, settingKeys(), 'hla config list --all shows the settings there are')
}

function unknownName(what: string, name: string, known: readonly string[], hint: string): HlaError {
  const near = closest(name, known, 1)
  const meant = near.length === 0 ? '' : `. Did you mean "${near[0]}"?`
  return new HlaError('usage', `unknown ${what} "${name}"${meant}`, {
    offending: name,
    suggestions: near,
    hint,
  })
}

export function inFile({ code, message, ...details }: HlaError, where: string): HlaError {
  const { offending, suggestions, hint } = details
  return new HlaError(code, `${where}: ${message}`, { offending, suggestions, hint })
}

export function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const [, at] = /position (\d+)/.exec(errorMessage(error)) ?? []
    const line = at === undefined ? '' : `:${text.slice(0, Number(at)).split('\n').length}`
    throw new HlaError(
      'usage',
      `${path}${line}: this is not JSON: ${errorMessage(error).replace(/ in JSON at .*/, '')}`,
      { offending: path },
    )
  }
}

function objectIn(where: string, value: unknown): Record<string, unknown> {
  if (isRecord(value)) return { ...value }
  throw new HlaError('usage', `${where} must be an object: {"release": "3.58.0"}`)
}

/** `{"redux": {"method": "G"}}` -> `{"redux.method": "G"}` */
function flat(settings: Readonly<Record<string, unknown>>): ConfigSettings {
  const entries = Object.entries(settings).flatMap(([key, value]) =>
    isRecord(value)
      ? Object.entries(value).map(([name, one]) => [`${key}.${name}`, one] as const)
      : [[key, value] as const],
  )
  return Object.fromEntries(entries)
}

/** Value of the option; undefined when it changes nothing. @throws {HlaError} usage — invalid for the option */
export function settingValue(option: Option, value: unknown): unknown {
  if (!option.required && !option.optional) return flagValue(option, value)
  if (option.optional && typeof value === 'boolean') return value ? true : undefined
  const texts = Array.isArray(value) ? value : [value]
  if (!texts.every((one) => typeof one === 'string' || typeof one === 'number')) throw wrong(option, SHAPE)
  const words = texts.map(String)
  try {
    // commands check a method only when they ask
    if (option.attributeName() === 'method')
      words.filter((word) => word.toLowerCase() !== ALL_METHODS).forEach(parseMethod)
    if (option.parseArg === collect) return words
    const text = words.join(',')
    return option.parseArg === undefined ? text : option.parseArg(text, undefined)
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw wrong(option, error.message.replace(/\.$/, ''))
    throw error
  }
}

/** The setting as command-line options. `value` must be one for which `settingValue` returns a value. */
export function settingArguments(option: Option, value: unknown): string[] {
  const flag = `--${settingKey(option)}`
  if (typeof value === 'boolean') return [flag]
  const texts = (Array.isArray(value) ? value : [value]).map(String)
  return (option.parseArg === collect ? texts : [texts.join(',')]).map((text) => `${flag}=${text}`)
}

const SHAPE = 'It must be a text, a number, or a list of them'

/** false leaves the default; `no-ping: true` sets `ping` to false. */
function flagValue(option: Option, value: unknown): unknown {
  if (typeof value !== 'boolean') throw wrong(option, 'It must be true or false')
  return value ? !option.negate : undefined
}

function wrong(option: Option, right: string): HlaError {
  return new HlaError('usage', `the setting "${settingKey(option)}" is wrong. ${right}`, {
    offending: settingKey(option),
  })
}
