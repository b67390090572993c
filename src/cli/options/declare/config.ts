/** `hla config …`: lists settings and their sources, and changes the settings file. */
import type { Command } from 'commander'
import type { OptionRow } from '../../../options/option-row.ts'
import type { ExampleText } from '../help.ts'
import { optionOf } from '../option-of.ts'
import { settingOptions, type SettingFlags } from '../options.ts'
import { declareSubcommand } from './subcommand.ts'

export type ConfigFlags = SettingFlags & { readonly all?: boolean; readonly json?: boolean }

const LIST_OPTIONS: readonly OptionRow[] = [
  { name: 'all', help: 'include unset options' },
  { name: 'json', help: 'print a JSON array', isOfOneRun: true },
]

export function declareConfig(config: Command): void {
  config.description(DESCRIPTION)
  const add = (usage: string, summary: string, options: readonly OptionRow[] = []) => {
    const examples = EXAMPLES[usage.split(' ', 1)[0] ?? ''] ?? []
    declareSubcommand(config, usage, summary, { options: [...settingOptions(), ...options.map(optionOf)], args: ARGUMENTS, examples }) // prettier-ignore
  }
  add('list', 'list settings with where each comes from', LIST_OPTIONS)
  add('get <key>', 'print a setting')
  add('set <key> <value...>', 'write a setting into the file')
  add('unset <key>', 'remove a setting from the file')
  add('path', 'print where the file is')
  add('check', 'say what is wrong with the file')
}

const DESCRIPTION =
  'Show and change settings: default values of options. They are kept in a JSON file, where each key is an option ' +
  'without its dashes. Values below the name of a command apply only to that command. The command line has precedence ' +
  'over the environment, and that over the file. --config or HLA_CONFIG names another file, such as that of a study.'

const ARGUMENTS = {
  key: 'an option without its dashes, such as release; redux.method applies to the command redux only',
  value: 'a value that the option accepts; true or false for a switch; several values for a list',
}

const EXAMPLES: Readonly<Record<string, readonly ExampleText[]>> = {
  set: [
    'hla config set release 3.58.0',
    'hla config set --config registry.json locus A=A1,A2 B=B1,B2',
    'hla config set redux.method G lgx',
  ],
  get: [
    ['hla config get release', 'active'],
    { command: 'HLA_METHOD=G hla config get method', output: 'G' },
    ['hla config set format json && hla config get format', 'json'],
  ],
  list: [
    { command: 'hla config list' },
    { command: 'hla config list --all' },
    { command: 'hla config list --json' },
  ],
  unset: [
    'hla config set method G && hla config unset method',
    'hla config unset redux.method',
    'hla config unset --config registry.json locus',
  ],
  path: [
    ['XDG_CONFIG_HOME=/home/u/.config hla config path', '/home/u/.config/hla/config.json'],
    ['hla config path --config lab.json', 'lab.json'],
    ['HLA_CONFIG=lab.json hla config path', 'lab.json'],
  ],
  check: [
    'hla config check',
    'hla config check --config lab.json',
    { command: 'hla config check --config misspelt.json', output: '', exit: 2 },
  ],
}
