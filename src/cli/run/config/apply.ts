/** Applies settings to options that neither the command line nor the environment set, and names the source of one. */
import type { Command, Option } from 'commander'
import { advice } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { tell } from '../../../io/stdout.ts'
import { formatNote } from '../../messages.ts'
import { OPERATIONS } from '../../../operations/registry.ts'
import type { LoadPrograms } from '../../options/declare-command.ts'
import { wholeCommand } from '../../options/program.ts'
import { FROM_FILE, type SettingFlags } from '../../options/options.ts'
import { namedRelease } from '../named-release.ts'
import {
  findSetting,
  problemsIn,
  readConfigFile,
  settingArguments,
  type Settings,
  settingValue,
} from './config-file.ts'
import { findSettables, settables, settablesIn, settingKey } from './settables.ts'

/**
 * Returns the applied settings as command-line options. `load` loads all commands; without it, settings of
 * other commands are not checked.
 * @throws {HlaError} usage, not-found — an invalid file
 */
export async function applyFile(command: Command, file: string, load?: LoadPrograms): Promise<string[]> {
  const word = firstWord(command)
  const ofCommand = settablesIn(word, allOptions(command))
  const settings = readConfigFile(file)
  const isOwn = (key: string) => findSettables(key, ofCommand).length > 0
  const isOfOthers = !Object.keys(settings.values).every(isOwn)
  const all = isOfOthers && load !== undefined ? settables(await load()) : []
  const [problem] = problemsIn(load === undefined ? only(settings, isOwn) : settings, all, ofCommand)
  if (problem !== undefined) throw problem
  const applied = ofCommand.flatMap(({ option }): Applied[] => {
    const key = settingKey(option)
    const setting = findSetting(settings, word, key)
    if (setting === undefined || !isOpen(command, option)) return []
    const value = settingValue(option, setting.value)
    if (value === undefined) return []
    command.setOptionValueWithSource(option.attributeName(), value, FROM_FILE)
    return [{ key, words: settingArguments(option, setting.value) }]
  })
  const isAll = Number(command.getOptionValue('verbose')) > 0
  if (isAll && applied.length > 0) {
    // `release method (/home/u/.config/hla/config.json)`
    const message = `${applied.map(({ key }) => key).join(' ')} (${file})`
    tell(formatNote({ level: 'note', code: 'settings', message }))
  }
  return applied.flatMap(({ words }) => words)
}

function only({ path, values }: Settings, isWanted: (key: string) => boolean): Settings {
  return { path, values: Object.fromEntries(Object.entries(values).filter(([key]) => isWanted(key))) }
}

interface Applied {
  readonly key: string
  /** `--method=G` */
  readonly words: readonly string[]
}

/** True when neither the option nor one that excludes it was given. */
function isOpen(command: Command, option: Option): boolean {
  const excluding = allOptions(command).filter(
    (other) =>
      excludedBy(option).includes(other.attributeName()) ||
      excludedBy(other).includes(option.attributeName()),
  )
  return [option, ...excluding].every(
    (other) => !['cli', 'env'].includes(command.getOptionValueSource(other.attributeName()) ?? ''),
  )
}

/** Options of the command, also those that the command line does not mean. */
function allOptions(command: Command): readonly Option[] {
  const isQuestion = OPERATIONS.some(({ name }) => name === command.name()) && command.parent?.parent == null
  return isQuestion ? wholeCommand(command.name()).options : command.options
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
  const { source, mend } = namedRelease(flags, word) ?? {
    source: 'a setting',
    mend: 'hla config list shows where it is set',
  }
  const { code, message, offending, suggestions, hint } = error
  return new HlaError(code, `${message} (${source} names it)`, {
    offending,
    suggestions,
    hint: hint === undefined ? mend : advice`${mend}\n${hint}`,
    cause: error,
  })
}
