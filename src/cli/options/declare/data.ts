/** `hla data …`: install, choose and check reference data. */
import { type Command, Option } from 'commander'
import { DATA_EXAMPLES } from './data-examples.ts'
import { addExamples } from '../help.ts'

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
  // before or after the name of the subcommand
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
  add('install <release>', 'install a published release and make it active if none is')
    .option(SOURCE, `${SOURCE_HELP} (default: the published repository)`)
    .option('--mac <source>', 'MAC list to install too: numer.v3.zip or alpha.v3.zip, its text, or a URL')
    .option('--no-mac', 'install no MAC list')
    .option('--as <name>', 'install under another name, e.g. 3.58.0-r2')
    .option(
      '--antigens-before-2026',
      'take the definitions before 2026 that releases from 3.64.0 on have beside (wmda/pre2026), as 3.65.0-pre2026',
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
