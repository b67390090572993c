/** `hla data …`: install, choose and check reference data. */
import { type Command, Option } from 'commander'
import type { OptionRow, OptionsOf } from '../../../options/option-row.ts'
import type { ExampleText } from '../help.ts'
import { optionOf } from '../option-of.ts'
import { DATA_DIR, type SettingFlags } from '../options.ts'
import { declareSubcommand } from './subcommand.ts'

const SOURCE = 'folder, zip or tar.gz file, or base URL in the layout of the published repository'
const FROM = { name: 'from', value: 'source' } as const

/** Command -> its options. */
const OPTIONS = {
  install: [
    { ...FROM, help: `${SOURCE} (default: the published repository)` },
    { name: 'mac', value: 'source', help: 'MAC list to install too: numer.v3.zip or alpha.v3.zip, its text, or a URL' },
    { name: 'no-mac', help: 'install no MAC list' },
    { name: 'as', value: 'name', help: 'install under another name, e.g. 3.58.0-r2' },
    { name: 'antigens-before-2026', help: 'install the pre-2026 definitions that releases from 3.64.0 on also contain (wmda/pre2026), as 3.65.0-pre2026' },
    { name: 'force', help: 'replace what is installed under that name' },
    { name: 'use', help: 'make it the active release' },
    { name: 'accept-changed', help: 'install files that are not as published (md5checksum.txt), or that contradict each other; hla version says so' },
  ],
  mac: [{ name: 'check', help: 'only say whether the published list is newer than the one in use; exit status 1 if it is' }],
  catalogue: [{ ...FROM, help: 'its published CSV file, or a URL of it' }],
  list: [
    { name: 'available', help: 'list what the source offers, with dates, and which is the newest' },
    { name: 'json', help: 'print a JSON array' },
    { ...FROM, help: SOURCE },
  ],
  verify: [
    { name: 'all', help: 'every installed release' },
    { name: 'json', help: 'print what was compared as JSON' },
    { ...FROM, help: `compare with this source too: ${SOURCE}` },
  ],
} as const satisfies Readonly<Record<string, readonly OptionRow[]>> // prettier-ignore

/** `mac` is true when neither `--mac` nor `--no-mac` was given. */
export type DataOptions = SettingFlags &
  OptionsOf<readonly [typeof DATA_DIR, ...(typeof OPTIONS)[keyof typeof OPTIONS][number][]]>

export function declareData(data: Command): void {
  // accepted before or after the name of the subcommand
  data.addOption(new Option(`--${DATA_DIR.name} <${DATA_DIR.value}>`, DATA_DIR.help))
  for (const [usage, summary] of COMMANDS) {
    const [name = ''] = usage.split(' ', 1)
    const own: Readonly<Record<string, readonly OptionRow[]>> = OPTIONS
    const options = [DATA_DIR, ...(own[name] ?? [])].map(optionOf)
    declareSubcommand(data, usage, summary, { options, args: ARGUMENTS, examples: DATA_EXAMPLES[name] ?? [] })
  }
}

const COMMANDS = [
  ['install <release>', 'install a published release, and make it active if no other is'],
  ['mac [source]', 'install or refresh the MAC list alone'],
  ['catalogue <catalogue>', 'install a catalogue of common alleles: ciwd3 or eurcwd'],
  ['use <release>', 'make an installed release the active one'],
  ['remove <release>', 'remove an installed release'],
  ['list', 'list installed releases, or those a source offers'],
  ['verify [release]', 'compare the files with what was installed, or with a source'],
  ['info [release]', 'files, checksums, source and citation of a release'],
  ['path [release]', 'print the folder of a release, or of all data'],
] as const

const ARGUMENTS = {
  release: '3.58.0, 3.58 or 3580; "active" for the installed release in use; for install also "latest" or a tag (v3.65.0-alpha)',
  source: 'numer.v3.zip or alpha.v3.zip, its text, or a URL; without it the published list',
  catalogue: 'ciwd3 (CIWD 3.0.0) or eurcwd (EURCWD); cwd2 is built in',
} // prettier-ignore

/** Subcommand -> examples; their messages go to standard error. */
const DATA_EXAMPLES: Readonly<Record<string, readonly ExampleText[]>> = {
  install: [
    'hla data install 3.58.0 --from IMGTHLA --mac numer.v3.zip',
    'hla data install 3.29.0 --from IMGTHLA --no-mac --data-dir elsewhere',
    'hla data install 3.29.0 --from IMGTHLA --no-mac --as 3.29.0-again --use',
  ],
  mac: ['hla data mac numer.v3.zip', 'hla data mac numer.v3.zip --data-dir data'],
  catalogue: [
    'hla data catalogue ciwd3 --from ciwd.3.0.0.csv',
    'hla data catalogue eurcwd --from EURCWD.csv',
  ],
  use: ['hla data use 3.29.0', 'hla data use 3290', 'hla data use 3.58'],
  remove: ['hla data remove 3.29.0', 'hla data remove 3290', 'hla data remove 3.29.0 --data-dir data'],
  list: [
    [
      'hla data list',
      `   RELEASE  DATE        ALLELES  MAC LIST    STATE
*  3.58.0   2024-10-09  41,433   2020-07-11  verified
   3.29.0   2017-07-10  17,344   2020-07-11  verified`,
    ],
    { command: 'hla data list --available --from IMGTHLA' },
    { command: 'hla data list --json' },
  ],
  verify: ['hla data verify 3.58.0', 'hla data verify --all', { command: 'hla data verify --json 3.29.0' }],
  info: [
    { command: 'hla data info' },
    { command: 'hla data info 3.29.0' },
    { command: 'hla data info active' },
  ],
  path: [
    ['hla data path --data-dir /srv/hla', '/srv/hla'],
    ['hla data path --data-dir data', 'data'],
    ['hla data path 3.29.0 --data-dir data', 'data/releases/3.29.0'],
  ],
}
