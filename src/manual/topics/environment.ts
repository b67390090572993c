/** Help topic: variables of the environment. Pure. */
import { type CommandFacts, commandLine, withSubcommands } from '../command-facts.ts'
import type { ManualFacts } from '../manual-facts.ts'
import { type Block, file, heading, session, type Term, terms, text } from '../page.ts'

/** Variables without an option. A test compares them with the sources. */
export const VARIABLES: Readonly<Record<string, string>> = {
  HLA_DRIVE_TOKEN: 'The token for the file store, if no file contains it.',
  HLA_DATA_URL: 'Where `hla data` finds published files without `--from`.',
  HLA_SYSTEM_DATA_DIR:
    'Where the administrator of the machine installed releases; read only, after your own. Default: /usr/share/hla.',
  HLA_DEBUG: 'Shows where an internal error happened.',
  NO_COLOR: 'No colours, whatever its value.',
  FORCE_COLOR: 'Use colours even if the output is not a terminal; 0 turns them off.',
  TERM: '`dumb` is a terminal without colours.',
  CI: 'No colours.',
  XDG_DATA_HOME: 'Releases are installed in its folder `hla`. Default: ~/.local/share.',
  XDG_CONFIG_HOME: 'Your settings are `hla/config.json` in it. Default: ~/.config.',
  XDG_STATE_HOME: 'Unfinished uploads are recorded in its folder `hla`. Default: ~/.local/state.',
  AWS_ENDPOINT_URL_S3:
    'Address of the S3-compatible store that `--contents s3://…` is in; or AWS_ENDPOINT_URL. Default: that of AWS.',
  AWS_REGION: 'Region of the S3-compatible store; or AWS_DEFAULT_REGION. Default: us-east-1.',
  AWS_ACCESS_KEY_ID:
    'Access key of that store, with AWS_SECRET_ACCESS_KEY and, if the store needs it, AWS_SESSION_TOKEN.',
  AWS_SHARED_CREDENTIALS_FILE:
    'A file with such keys, reread when it changes; AWS_PROFILE selects its section. Without keys in either place the role of the machine is used, if the package @aws-sdk/credential-providers is installed.',
  AWS_CA_BUNDLE: 'Certificates trusted for that store.',
  HTTPS_PROXY:
    'The proxy for https, such as `proxy.example.org:3128`; the lower-case name works too, also for `HTTP_PROXY` and `NO_PROXY`.',
  NOTIFY_SOCKET:
    'Set by systemd for a unit with `Type=notify`: the service says through systemd-notify that it listens.',
  WATCHDOG_USEC: 'Set by systemd for a unit with `WatchdogSec=`: the service says as often that it runs.',
  NODE_EXTRA_CA_CERTS: 'Additional trusted certificates, as in Node.js.',
}

export function environmentTopic({ program }: ManualFacts): Block[] {
  return [
    ...text(
      'An option on the command line takes precedence over its variable, the variable over the settings of `hla-config`(1), and those over the default. An empty variable counts as unset, and so do HLA_QUIET and HLA_DEBUG when they are 0, false, no or off. Nothing else around a command changes its answers: not the language, time zone, terminal or current folder.',
    ),
    heading('Variables of options'),
    terms(optionVariables(program)),
    heading('Other variables'),
    terms(Object.entries(VARIABLES)),
    heading('Settings'),
    ...text(
      'A settings file contains values for options that you always use, under the names of the options; values below the name of a command apply to that command only. Another file, such as that of a study, applies when `--config` or HLA_CONFIG names it, in place of yours; `--config none` reads none. `hla config list` shows the settings in force and where they come from, `hla config set` writes them. `hla data list` shows which release answers, and names a variable or setting that decides it.',
    ),
    file('lab.json', LAB),
    session(
      {
        command: "hla redux --config lab.json 'A*01:01:01:01'",
        output: 'A*01:01:01G',
      },
      {
        command: 'HLA_RELEASE=3.99.0 hla config get release --config lab.json',
        output: '3.99.0',
      },
    ),
    heading('For example'),
    session(
      {
        command: "HLA_FORMAT=tsv hla redux 'A*01:01:01:01'",
        output: 'input\tmethod\tresult\tstatus\tcode\tmessage\nA*01:01:01:01\tlgx\tA*01:01\tok\t\t',
      },
      { command: "HLA_METHOD=S hla redux -q -m G 'A*01:01'", output: 'A*01:01:01G' },
    ),
  ]
}

const LAB = `{
  "redux": { "method": "G" }
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
