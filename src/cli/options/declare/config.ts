/** `hla config …`: lists settings and their sources, and changes the settings file. */
import { type Command, Option } from 'commander'
import type { Example } from '../../../operations/operation.ts'
import { addExamples } from '../help.ts'
import { settingOptions, type SettingFlags } from '../settings.ts'

export interface ConfigFlags extends SettingFlags {
  readonly all?: boolean
  readonly json?: boolean
}

export function declareConfig(config: Command): void {
  config.description(DESCRIPTION)
  const add = (usage: string, summary: string) => {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    const command = config.command(usage).summary(summary).description(sentence)
    for (const option of settingOptions()) command.addOption(option)
    for (const argument of command.registeredArguments)
      argument.description = ARGUMENTS.get(argument.name()) ?? ''
    return addExamples(command, EXAMPLES[command.name()] ?? [])
  }
  add('list', 'list settings with where each comes from')
    .addOption(new Option('--all', 'include unset options'))
    .addOption(new Option('--json', 'print a JSON array'))
  add('get <key>', 'print a setting')
  add('set <key> <value...>', 'write a setting into the file')
  add('unset <key>', 'remove a setting from the file')
  add('path', 'print where the file is')
  add('check', 'say what is wrong with the files')
}

const DESCRIPTION =
  'Show and change settings: default values of options. They are kept in a JSON file, where each key is an option ' +
  'without its dashes. Values below the name of a command apply only to that command, and values below "profiles" ' +
  'and a name only with --profile. Highest first: command line, environment, profile, file of the user, file of the ' +
  'machine (/etc/hla/config.json). A .hla.json of a folder applies where --config names it.'

const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['key', 'an option without its dashes, such as release; redux.method applies to the command redux only'],
  ['value', 'as the option takes it; true and false for a switch; several for a list'],
])

const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  set: [
    { command: 'hla config set release 3.58.0', output: '' },
    { command: 'hla config set --profile registry locus A=A1,A2 B=B1,B2', output: '' },
    { command: 'hla config set redux.method G lgx', output: '' },
  ],
  get: [
    { command: 'HLA_FORMAT=json hla config get format', output: 'json' },
    { command: 'HLA_METHOD=G hla config get method', output: 'G' },
    { command: 'hla config get release', output: 'active' },
  ],
  list: [
    {
      command: "HLA_FORMAT=json hla config list | grep format | tr -s ' '",
      output: 'format json HLA_FORMAT',
    },
    { command: "hla config list --all | grep '^release' | tr -s ' '", output: 'release active default' },
    {
      command: 'HLA_FORMAT=json hla config list --json | grep -A 2 format',
      output: '    "key": "format",\n    "value": "json",\n    "source": "HLA_FORMAT"',
    },
  ],
  unset: [
    { command: 'hla config set method G && hla config unset method', output: '' },
    { command: 'hla config unset redux.method', output: '' },
    { command: 'hla config unset --profile registry locus', output: '' },
  ],
  path: [
    { command: 'XDG_CONFIG_HOME=/home/u/.config hla config path', output: '/home/u/.config/hla/config.json' },
    { command: 'hla config path --config lab.json', output: 'lab.json' },
    { command: 'HLA_CONFIG=lab.json hla config path', output: 'lab.json' },
  ],
  check: [
    { command: 'hla config check', output: '' },
    {
      command: `printf '{"release": "3.58.0"}' > lab.json && hla config check --config lab.json`,
      output: '',
    },
    {
      command: `printf '{"relase": "3.58.0"}' > wrong.json; hla config check --config wrong.json`,
      output: '',
      exit: 2,
    },
  ],
}
