/** `hla data …`: install, choose and check reference data. */
import { type Command, Option } from 'commander'
import { addExamples } from '../help.ts'
import type { Example } from '../../../operations/operation.ts'

export interface DataOptions {
  readonly dataDir?: string
  readonly from?: string
  readonly mac?: string | boolean
  readonly as?: string
  readonly force?: boolean
  readonly acceptChanged?: boolean
  readonly antigensBefore2026?: boolean
  readonly use?: boolean
  readonly all?: boolean
  readonly available?: boolean
  readonly check?: boolean
  readonly json?: boolean
}

const SOURCE = '--from <source>'
const SOURCE_HELP = 'folder, zip or tar.gz file, or base URL in the layout of the published repository'

export function declareData(data: Command): void {
  // accepted before or after the name of the subcommand
  const dataDir = () => new Option('--data-dir <dir>', 'folder in which releases are installed')
  data.addOption(dataDir())
  const add = (usage: string, summary: string) => {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    const command = data
      .command(usage)
      .summary(summary)
      .description(sentence)
      .addOption(dataDir().env('HLA_DATA_DIR'))
    for (const argument of command.registeredArguments)
      argument.description = ARGUMENTS.get(argument.name()) ?? ''
    return addExamples(command, DATA_EXAMPLES[command.name()] ?? [])
  }
  declareInstalling(add)
  declareLooking(add)
}

const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  [
    'release',
    '3.58.0, 3.58 or 3580; of those that are installed also "active", to install also "latest" or a tag (v3.65.0-alpha)',
  ],
  ['source', 'numer.v3.zip or alpha.v3.zip, its text, or a URL; without it the published list'],
  ['catalogue', 'ciwd3; cwd2 is built in'],
])

type Add = (usage: string, summary: string) => Command

function declareInstalling(add: Add): void {
  add('install <release>', 'install a published release, and make it active if no other is')
    .option(SOURCE, `${SOURCE_HELP} (default: the published repository)`)
    .option('--mac <source>', 'MAC list to install too: numer.v3.zip or alpha.v3.zip, its text, or a URL')
    .option('--no-mac', 'install no MAC list')
    .option('--as <name>', 'install under another name, e.g. 3.58.0-r2')
    .option(
      '--antigens-before-2026',
      'install the pre-2026 definitions that releases from 3.64.0 on also contain (wmda/pre2026), as 3.65.0-pre2026',
    )
    .option('--force', 'replace what is installed under that name')
    .option('--use', 'make it the active release')
    .option(
      '--accept-changed',
      'install files that are not as published (md5checksum.txt), or that contradict each other; hla version says so',
    )
  add('mac [source]', 'install or refresh the MAC list alone').option(
    '--check',
    'only say whether the published list is newer than the one in use; exit status 1 if it is',
  )
  add('catalogue <catalogue>', 'install a catalogue of common alleles: ciwd3').option(
    SOURCE,
    'its published CSV file, or a URL of it',
  )
  add('use <release>', 'make an installed release the active one')
  add('remove <release>', 'remove an installed release')
}

function declareLooking(add: Add): void {
  add('list', 'list installed releases, or those a source offers')
    .option('--available', 'list what the source offers, with dates, and which is the newest')
    .option('--json', 'print a JSON array')
    .option(SOURCE, SOURCE_HELP)
  add('verify [release]', 'compare the files with what was installed, or with a source')
    .option('--all', 'every installed release')
    .option('--json', 'print what was compared as JSON')
    .option(SOURCE, `compare with this source too: ${SOURCE_HELP}`)
  add('info [release]', 'files, checksums, source and citation of a release')
  add('path [release]', 'print the folder of a release, or of all data')
}

/** Subcommand -> examples; their messages go to standard error. */
const DATA_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  install: [
    { command: 'hla data install 3.58.0 --from IMGTHLA --mac numer.v3.zip', output: '' },
    { command: 'hla data install 3.29.0 --from IMGTHLA --no-mac --data-dir elsewhere', output: '' },
    { command: 'hla data install 3.29.0 --from IMGTHLA --no-mac --as 3.29.0-again --use', output: '' },
  ],
  mac: [
    { command: 'hla data mac numer.v3.zip', output: '' },
    { command: "hla data mac numer.v3.zip && hla mac 'A*01:AB'", output: 'A*01:01/A*01:02' },
    { command: 'hla data mac numer.v3.zip && hla data list --json | grep -c 2020-07-11', output: '2' },
  ],
  catalogue: [
    { command: 'hla data catalogue ciwd3 --from ciwd.3.0.0.csv', output: '' },
    { command: 'hla data catalogue ciwd3 --from ciwd.3.0.0.csv --data-dir data', output: '' },
    {
      command:
        "hla data catalogue ciwd3 --from ciwd.3.0.0.csv && hla cwd --catalogue ciwd3 'A*01:01/A*01:02' | cut -f 1",
      output: 'A*01:01/A*01:02',
    },
  ],
  use: [
    { command: 'hla data use 3.29.0', output: '' },
    { command: 'hla data use 3290', output: '' },
    { command: 'hla data use 3.58', output: '' },
  ],
  remove: [
    { command: 'hla data remove 3.29.0', output: '' },
    { command: 'hla data remove 3290', output: '' },
    { command: 'hla data remove 3.29.0 --data-dir data', output: '' },
  ],
  list: [
    {
      command: 'hla data list',
      output: `   RELEASE  DATE        ALLELES  MAC LIST    STATE
*  3.58.0   2024-10-09  41,433   2020-07-11  verified
   3.29.0   2017-07-10  17,344   2020-07-11  verified`,
    },
    { command: 'hla data list --available --from IMGTHLA | grep -c installed', output: '2' },
    { command: 'hla data list --json | grep -c verified', output: '2' },
  ],
  verify: [
    { command: 'hla data verify 3.58.0', output: '' },
    { command: 'hla data verify --all', output: '' },
    { command: 'hla data verify --json 3.29.0 | grep -c as-installed', output: '2' },
  ],
  info: [
    {
      command: "hla data info | grep '^data id'",
      output: 'data id   3.58.0+mac.20200711 sha256:033e3ecfcd64',
    },
    {
      command: "hla data info 3.29.0 | grep '^data id'",
      output: 'data id   3.29.0+mac.20200711 sha256:acd497102f3b',
    },
    {
      command: 'hla data info | sed -n 1p',
      output: 'release   IPD-IMGT/HLA 3.58.0 (2024-10-09), 41,433 alleles',
    },
  ],
  path: [
    { command: 'hla data path --data-dir /srv/hla', output: '/srv/hla' },
    { command: 'hla data path --data-dir data', output: 'data' },
    { command: 'hla data path 3.29.0 --data-dir data', output: 'data/releases/3.29.0' },
  ],
}
