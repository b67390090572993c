/** Options that choose the settings files. */
import { type Command, Option } from 'commander'
import { withBriefs } from './brief.ts'
import { GLOBAL_TITLE } from './options.ts'

/** Values as commander parses them; `config` false reads no file. */
export interface SettingFlags {
  readonly config?: string | boolean
  readonly profile?: string
}

/** Value source in commander for values from a file; `cli` and `env` have precedence over both. */
export const FROM_FILE = 'config'
export const FROM_PROFILE = 'profile'

export function settingOptions(): Option[] {
  const options = [
    new Option('--config <file>', 'read settings only from this file; none: from no file').env('HLA_CONFIG'),
    // until 2.2.0
    new Option('--no-config', 'the name of --config none before 2.0.0').hideHelp(),
    new Option(
      '--profile <profile>',
      "apply the settings of this profile before the others; .pyardrc means py-ard's settings file",
    ).env('HLA_PROFILE'),
  ]
  return withBriefs(options, { profile: 'profile of settings (.pyardrc: that of py-ard)' }).map((option) =>
    option.helpGroup(GLOBAL_TITLE),
  )
}

/** Adds the options to every leaf command. */
export function addSettingOptions(command: Command): void {
  for (const one of command.commands) addSettingOptions(one)
  if (command.commands.length > 0) return
  for (const option of settingOptions()) command.addOption(option)
}
