/** The options that say which files of settings are read. */
import { type Command, Option } from 'commander'
import { withBriefs } from './brief.ts'
import { GLOBAL_TITLE } from './options.ts'

/** As commander gives them; false: no file is read. */
export interface SettingFlags {
  readonly config?: string | boolean
  readonly profile?: string
}

/** A value from a file has one of these as its source, where commander names it: `cli` and `env` go before both. */
export const FROM_FILE = 'config'
export const FROM_PROFILE = 'profile'

export function settingOptions(): Option[] {
  const options = [
    new Option('--config <file>', 'read settings from this file only, or none').env('HLA_CONFIG'),
    // until 2.2.0
    new Option('--no-config', 'the name of --config none before 2.0.0').hideHelp(),
    new Option(
      '--profile <profile>',
      'apply the settings of this profile before the others; .pyardrc is that file of py-ard',
    ).env('HLA_PROFILE'),
  ]
  return withBriefs(options, { profile: 'profile of settings (.pyardrc: that of py-ard)' }).map((option) =>
    option.helpGroup(GLOBAL_TITLE),
  )
}

/** Commands that have no commands below them get the options. */
export function addSettingOptions(command: Command): void {
  for (const one of command.commands) addSettingOptions(one)
  if (command.commands.length > 0) return
  for (const option of settingOptions()) command.addOption(option)
}
