/** Reader of a settings file: JSON with option names as keys, optionally per command.  [disk] */
import { HlaError, errorMessage, orElse } from '../../../errors.ts'
import { isRecord } from '../../../operations/http-face.ts'
import { closest } from '../../closest.ts'
import { readNamed } from '../../named-file.ts'
import { type Settable, findSettables, settingKey, settingKeys } from './settables.ts'
import { InvalidArgumentError, type Option } from 'commander'
import { ALL_METHODS, parseMethod } from '../../../engine/reduce/methods.ts'
import { collect } from '../../options/parsers.ts'

export interface Settings {
  readonly path: string
  /** `release` or `redux.method` -> value. */
  readonly values: Readonly<Record<string, unknown>>
}

/** Settings of a file, unchecked. @throws {HlaError} not-found — no such file; usage — no JSON object */
export function readConfigFile(path: string): Settings {
  return settingsIn(path, parse(path, readNamed(path)))
}

/** `{"redux": {"method": "G"}}` -> `{"redux.method": "G"}` */
export function settingsIn(path: string, content: unknown): Settings {
  const entries = Object.entries(objectIn(path, content)).flatMap(([key, value]) =>
    isRecord(value)
      ? Object.entries(value).map(([name, inner]) => [`${key}.${name}`, inner] as const)
      : [[key, value] as const],
  )
  return { path, values: Object.fromEntries(entries) }
}

/** @throws {HlaError} usage */
export function objectIn(path: string, content: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(content)) return content
  throw new HlaError('usage', `${path} must be an object: {"release": "3.58.0"}`)
}

interface Setting {
  /** With its command, where it is for one: `redux.release`. */
  readonly key: string
  readonly value: unknown
}

/** A setting for one command has precedence over one for all. */
export function findSetting(
  settings: Settings | undefined,
  command: string,
  name: string,
): Setting | undefined {
  const { values = {} } = settings ?? {}
  const key = [`${command}.${name}`, name].find((candidate) => Object.hasOwn(values, candidate))
  return key === undefined ? undefined : { key, value: values[key] }
}

/** Every error in the settings, each by those of the running command (`ofCommand`), or by those of all commands. */
export function problemsIn(
  { path, values }: Settings,
  all: readonly Settable[],
  ofCommand: readonly Settable[] = [],
): HlaError[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const settablesOfCommand = findSettables(key, ofCommand)
    const about = settablesOfCommand.length > 0 ? settablesOfCommand : findSettables(key, all)
    if (about.length === 0) return [inFile(unknownSetting(key, all), path)]
    const problems = about.flatMap(
      ({ option }) =>
        orElse(
          () => void settingValue(option, value),
          (error) => error,
        ) ?? [],
    )
    // options of one name may have different choices in other commands: a value valid for one is accepted
    const [first] = problems
    return first === undefined || problems.length < about.length ? [] : [inFile(first, path)]
  })
}

export function unknownSetting(key: string, all: readonly Settable[]): HlaError {
  const near = closest(key, settingKeys(all), 1)
  const question = near.length === 0 ? '' : `. Did you mean "${near[0]}"?`
  return new HlaError('usage', `unknown setting "${key}"${question}`, {
    offending: key,
    suggestions: near,
    hint: 'hla config list --all shows the settings there are',
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
    // without the place, or the text around it
    const reason = errorMessage(error).replace(/ in JSON at .*|, (?:\.{3})?".*/, '')
    throw new HlaError('usage', `${path}${line}: this is not JSON: ${reason}`, { offending: path })
  }
}

/** Value of the option; undefined when it changes nothing. @throws {HlaError} usage — invalid for the option */
export function settingValue(option: Option, value: unknown): unknown {
  if (!option.required && !option.optional) return flagValue(option, value)
  if (option.optional && typeof value === 'boolean') return value ? true : undefined
  const texts = Array.isArray(value) ? value : [value]
  if (!texts.every((text) => typeof text === 'string' || typeof text === 'number'))
    throw wrongSetting(option, SHAPE)
  const words = texts.map(String)
  try {
    // commands check a method only when they ask
    if (option.attributeName() === 'method')
      words.filter((word) => word.toLowerCase() !== ALL_METHODS).forEach(parseMethod)
    if (option.parseArg === collect) return words
    const text = words.join(',')
    return option.parseArg === undefined ? text : option.parseArg(text, undefined)
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw wrongSetting(option, error.message.replace(/\.$/, ''))
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
  if (typeof value !== 'boolean') throw wrongSetting(option, 'It must be true or false')
  return value ? !option.negate : undefined
}

function wrongSetting(option: Option, rule: string): HlaError {
  return new HlaError('usage', `the setting "${settingKey(option)}" is wrong. ${rule}`, {
    offending: settingKey(option),
  })
}
