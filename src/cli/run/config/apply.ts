/** Applies settings to options that neither the command line nor the environment set, and names the source of one. */
import type { Command, Option } from 'commander'
import { advice, shellWord } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { tell } from '../../../io/stdout.ts'
import { formatNote } from '../../messages.ts'
import { everyOptionIn } from '../../options/declare/sparse-command.ts'
import { FROM_FILE, FROM_PROFILE, type SettingFlags } from '../../options/settings.ts'
import {
  findSetting,
  orderLayers,
  readConfigFile,
  readLayers,
  settingArguments,
  settingValue,
} from './config-file.ts'
import { namesPyardrc } from './pyardrc.ts'
import { settablesIn, settingKey } from './settables.ts'

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
  const layers = orderLayers(
    files.flatMap((file) => readConfigFile(file, own)),
    profile,
  )
  const applied = own.flatMap(({ option }): Applied[] => {
    const found = findSetting(layers, word, settingKey(option))
    if (found === undefined || !isOpen(command, option)) return []
    const { value, layer } = found
    const given = settingValue(option, value)
    if (given === undefined) return []
    const from = layer.profile === undefined ? FROM_FILE : FROM_PROFILE
    command.setOptionValueWithSource(option.attributeName(), given, from)
    return [{ key: settingKey(option), source: layer.source, words: settingArguments(option, value) }]
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

/** `error` is about a release that the command line of the command `word` did not name. */
export function nameReleaseSource(error: HlaError, word: string, flags: SettingFlags): HlaError {
  const [source, mend] = releaseSource(word, flags)
  const { code, message, offending, suggestions, hint } = error
  return new HlaError(code, `${message} (${source} names it)`, {
    offending,
    suggestions,
    hint: hint === undefined ? mend : advice`${mend}\n${hint}`,
    cause: error,
  })
}

/** `HLA_RELEASE`, `the setting release in /home/u/.config/hla/config.json`; and how to change it. */
function releaseSource(word: string, flags: SettingFlags): readonly [source: string, mend: string] {
  if (process.env['HLA_RELEASE'] !== undefined) return ['HLA_RELEASE', 'unset HLA_RELEASE']
  const found = findSetting(readLayers(flags), word, 'release')
  if (found === undefined) return ['a setting', 'hla config list shows where it is set']
  const { key, layer } = found
  const { path, profile } = layer
  const file = `--config ${shellWord(path)}`
  if (profile === undefined) return [`the setting ${key} in ${path}`, `hla config unset ${key} ${file}`]
  if (namesPyardrc(profile)) return [path, `change imgt_version in ${path}`]
  const mend = `hla config unset ${key} --profile ${shellWord(profile)} ${file}`
  return [`profile ${profile} in ${path}`, mend]
}
