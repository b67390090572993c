/** Help topic: variables of the environment. Pure. */
import { type CommandFacts, commandLine, withSubcommands } from '../command-facts.ts'
import type { ManualFacts } from '../manual-facts.ts'
import { type Block, file, heading, session, type Term, terms, text } from '../page.ts'

export function environmentTopic({ program, variables }: ManualFacts): Block[] {
  return [
    ...text(
      'An option on the command line takes precedence over its variable, the variable over the settings of `hla-config`(1), and those over the default. An empty variable counts as unset, and so do HLA_QUIET and HLA_DEBUG when they are 0, false, no or off. Nothing else around a command changes its answers: not the language, time zone, terminal or current folder. If the current folder or a folder above it contains a .hla.json, hla stops unless `--config` names that file or is `none`.',
    ),
    heading('Variables of options'),
    terms(optionVariables(program)),
    heading('Other variables'),
    terms(variables),
    heading('Settings'),
    ...text(
      'A settings file contains values for options that you always use, under the names of the options; values below the name of a command apply to that command only. A profile applies when it is named with --profile. A file in the folder of a project applies when it is named with --config. `hla config list` shows the settings in force and where they come from, `hla config set` writes them.',
    ),
    file('lab.json', LAB),
    session(
      {
        command: "hla redux --config lab.json 'A*01:01:01:01'",
        output: 'A*01:01:01G',
      },
      {
        command: "hla redux --config lab.json --profile antigens 'A*01:01:01:01'",
        output: 'A1',
      },
      {
        command: 'HLA_RELEASE=3.99.0 hla config get release --config lab.json',
        output: '3.99.0',
      },
    ),
    heading('For example'),
    session(
      {
        command: "HLA_RELEASE=starter HLA_FORMAT=tsv hla redux 'A*01:01:01:01'",
        output: 'input\tmethod\tresult\tstatus\tcode\tmessage\nA*01:01:01:01\tlgx\tA*01:01\tok\t\t',
      },
      { command: "HLA_RELEASE=3.29.0 hla redux -r starter -q -m G 'A*01:01'", output: 'A*01:01:01G' },
    ),
  ]
}

const LAB = `{
  "release": "starter",
  "redux": { "method": "G" },
  "profiles": {
    "antigens": { "method": "S", "locus": ["A=A1,A2", "B=B1,B2"] }
  }
}
`

/** Each variable once, with its option, and with the commands unless all have it. */
function optionVariables(program: CommandFacts): Term[] {
  const all = withSubcommands(program).flatMap((command) =>
    command.options.map((option) => ({ command, option })),
  )
  const names = [...new Set(all.flatMap(({ option }) => option.variable ?? []))].toSorted()
  return names.map((name) => {
    const uses = all.filter(({ option }) => option.variable === name)
    const [first] = uses
    const isGlobal = uses.some(({ command }) => command.words.length === 0)
    const where = isGlobal
      ? ''
      : ` of ${[...new Set(uses.map(({ command }) => `\`${commandLine(command)}\``))].join(', ')}`
    return [name, `\`${first?.option.flags}\`${where}: ${first?.option.description}.`]
  })
}
