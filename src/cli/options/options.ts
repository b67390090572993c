/** Options that every command shares. */
import type { Command, Option } from 'commander'
import { DRIVE_CONNECTION } from '../../drive/commands/options/connection-options.ts'
import { LENIENCIES } from '../../engine/accept.ts'
import { FORMATS } from '../../operations/answers/records.ts'
import type { OptionRow, OptionsOf } from '../../options/option-row.ts'
import { ACCEPT, FROM, LIFT, OUTPUT, RELEASE } from '../../options/question-options.ts'
import { optionOf, type RowFilter } from './option-of.ts'
import { collect } from './parsers.ts'
import { REMOTE_OPTIONS } from './remote-options.ts'

export const DATA_DIR = { name: 'data-dir', value: 'dir', help: 'folder in which releases are installed', env: 'HLA_DATA_DIR' } as const // prettier-ignore

/** Options in the order of the help. */
const GLOBAL_OPTIONS = [
  { ...RELEASE, brief: 'release: 3.58.0, 3580, active or starter' },
  { ...DATA_DIR, brief: 'folder of the installed releases' },
  { name: 'expect-data', value: 'id', help: 'fail unless the installed data match this data id, or part of one, as printed by hla version', brief: 'fail unless the data have this id (hla version)' },
  { name: 'input', short: 'i', synonyms: ['file', 'infile', 'in', 'input-file'], value: 'file', reading: collect, help: 'read typings from a file, one per line; - is standard input, drive:/… a file in a file store (repeatable)', brief: 'file to read; -, drive:/…; repeatable', isCommon: true, isOfOneRun: true },
  OUTPUT,
  { name: 'format', short: 'f', value: 'fmt', choices: FORMATS, help: 'output format', env: 'HLA_FORMAT', default: 'plain', isCommon: true },
  { name: 'with-input', help: 'in plain format, print the input before the result', brief: 'plain: print the input before the result' },
  FROM,
  LIFT,
  { ...ACCEPT, help: `leniencies to apply and report: ${LENIENCIES.join(', ')}; lenient (all but v2 and excel) or all`, brief: 'leniencies, lenient or all (hla help tables)' },
  { name: 'quiet', short: 'q', synonyms: ['silent'], help: 'print no notes, progress or summary, only errors', brief: 'print only errors', env: 'HLA_QUIET' },
  { name: 'verbose', short: 'v', synonyms: ['debug'], reading: (_: string, before?: number) => (before ?? 0) + 1, help: 'print more: details of answers, timings', default: 0 },
  { name: 'color', value: 'when', choices: ['auto', 'always', 'never'], help: 'when to colour messages and tables', brief: 'colours of messages and tables', default: 'auto' },
  ...REMOTE_OPTIONS,
  { ...DRIVE_CONNECTION[0], brief: 'address of the file store' },
  { ...DRIVE_CONNECTION[1], brief: 'file with the access token of the store' },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Values as commander parses them. */
export type GlobalOptions = OptionsOf<typeof GLOBAL_OPTIONS>

export const GLOBAL_TITLE = 'Global options:'

/**
 * Adds the global options. `reads` tells which properties the command's operation has; options that it would ignore
 * are left out.
 */
export function addGlobalOptions(
  command: Command,
  reads: (property: string) => boolean,
  isWanted: RowFilter = () => true,
): Command {
  for (const row of GLOBAL_OPTIONS as readonly OptionRow[]) {
    if ((row.property === undefined || reads(row.property)) && isWanted(row))
      command.addOption(optionOf(row).helpGroup(GLOBAL_TITLE))
  }
  return command
}

/** Options that choose the settings file. */
const SETTING_OPTIONS = [
  { name: 'config', value: 'file', help: 'read settings only from this file; none: from no file', env: 'HLA_CONFIG', isOfOneRun: true },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Values as commander parses them. */
export type SettingFlags = OptionsOf<typeof SETTING_OPTIONS>

/** Value source in commander for values from a file; `cli` and `env` have precedence. */
export const FROM_FILE = 'config'

export function settingOptions(isWanted: RowFilter = () => true): Option[] {
  return SETTING_OPTIONS.filter(isWanted).map((row) => optionOf(row).helpGroup(GLOBAL_TITLE))
}

/** Adds the options to every leaf command. */
export function addSettingOptions(command: Command, isWanted: RowFilter = () => true): void {
  for (const inner of command.commands) addSettingOptions(inner, isWanted)
  if (command.commands.length > 0) return
  for (const option of settingOptions(isWanted)) command.addOption(option)
}

/**
 * Moves options that precede the command behind it. `argv` excludes node and script.
 * The options of a command are known only once the command is, so a word after an option counts as its value unless it
 * is a command.
 */
export function commandFirst(argv: readonly string[], isCommand: (word: string) => boolean): string[] {
  if (isCommand(argv[0] ?? '')) return [...argv]
  const rows: readonly OptionRow[] = GLOBAL_OPTIONS
  const taking = new Set(
    rows.flatMap(({ name, short, value }) =>
      value === undefined ? [] : [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
    ),
  )
  let candidate = -1
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (word.startsWith('-') && word !== '-') {
      if (awaitsValue(word, taking)) at += 1
      continue
    }
    const mayBeValue = (argv[at - 1] ?? '').startsWith('-')
    if (isCommand(word) || !mayBeValue) return moved(argv, at)
    if (candidate < 0) candidate = at
  }
  return candidate < 0 ? [...argv] : moved(argv, candidate)
}

function moved(argv: readonly string[], at: number): string[] {
  return [argv[at] ?? '', ...argv.slice(0, at), ...argv.slice(at + 1)]
}

/**
 * True when the next word is the option's value: `-r`, `--release`, `-qr`. `-r3.58.0` and `--release=3.58.0` contain
 * theirs.
 */
function awaitsValue(word: string, taking: ReadonlySet<string>): boolean {
  if (word.startsWith('--')) return taking.has(word)
  const letters = word.slice(1).split('')
  return letters.findIndex((letter) => taking.has(`-${letter}`)) === letters.length - 1
}
