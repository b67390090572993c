/** Options that choose the settings file. */
import type { Command, Option } from 'commander'
import type { OptionRow, OptionsOf } from '../../options/option-row.ts'
import { optionOf, type RowFilter } from './option-of.ts'
import { GLOBAL_TITLE } from './options.ts'

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
  for (const one of command.commands) addSettingOptions(one, isWanted)
  if (command.commands.length > 0) return
  for (const option of settingOptions(isWanted)) command.addOption(option)
}
