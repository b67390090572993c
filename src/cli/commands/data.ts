/** `hla data …`: installs, chooses and checks reference data. */
import { commandOf, late } from '../options/declare-command.ts'
import { DATA_DIR } from '../options/options.ts'

const SOURCE_HELP = 'folder, zip or tar.gz file, or base URL in the layout of the published repository'
const FROM = { name: 'from', value: 'source' } as const
const RELEASE = '3.58.0, 3.58 or 3580; "active" for the installed release in use; for install also "latest" or a tag (v3.65.0-alpha)' // prettier-ignore

const installing = () => import('../run/data/install.ts')
const installed = () => import('../run/data/installed.ts')

/** Examples without output: messages go to standard error. */
const COMMANDS = [
  commandOf({
    usage: 'install <release>',
    summary: 'install a published release, and make it active if no other is',
    args: { release: RELEASE },
    options: [
      DATA_DIR,
      { ...FROM, help: `${SOURCE_HELP} (default: the published repository)` },
      { name: 'mac', value: 'source', help: 'MAC list to install too: numer.v3.zip or alpha.v3.zip, its text, or a URL' },
      { name: 'no-mac', help: 'install no MAC list' },
      { name: 'as', value: 'name', help: 'install under another name, e.g. 3.58.0-r2' },
      { name: 'antigens-before-2026', help: 'install the pre-2026 definitions that releases from 3.64.0 on also contain (wmda/pre2026), as 3.65.0-pre2026' },
      { name: 'force', help: 'replace what is installed under that name' },
      { name: 'use', help: 'make it the active release' },
      { name: 'accept-changed', help: 'install files that are not as published (md5checksum.txt), or that contradict each other; hla version says so' },
    ],
    examples: [
      'hla data install 3.58.0 --from IMGTHLA --mac numer.v3.zip',
      'hla data install 3.29.0 --from IMGTHLA --no-mac --data-dir elsewhere',
      'hla data install 3.29.0 --from IMGTHLA --no-mac --as 3.29.0-again --use',
    ],
    run: late(installing, 'installCommand'),
  }),
  commandOf({
    usage: 'mac [source]',
    summary: 'install or refresh the MAC list alone',
    args: { source: 'numer.v3.zip or alpha.v3.zip, its text, or a URL; without it the published list' },
    options: [
      DATA_DIR,
      { name: 'check', help: 'only say whether the published list is newer than the one in use; exit status 1 if it is' },
    ],
    examples: ['hla data mac numer.v3.zip', 'hla data mac numer.v3.zip --data-dir data'],
    run: late(installing, 'macCommand'),
  }),
  commandOf({
    usage: 'catalogue <catalogue>',
    summary: 'install a catalogue of common alleles: ciwd3 or eurcwd',
    args: { catalogue: 'ciwd3 (CIWD 3.0.0) or eurcwd (EURCWD); cwd2 is built in' },
    options: [DATA_DIR, { ...FROM, help: 'its published CSV file, or a URL of it' }],
    examples: ['hla data catalogue ciwd3 --from ciwd.3.0.0.csv', 'hla data catalogue eurcwd --from EURCWD.csv'],
    run: late(installing, 'catalogueCommand'),
  }),
  commandOf({
    usage: 'use <release>',
    summary: 'make an installed release the active one',
    args: { release: RELEASE },
    options: [DATA_DIR],
    examples: ['hla data use 3.29.0', 'hla data use 3290', 'hla data use 3.58'],
    run: late(installed, 'useCommand'),
  }),
  commandOf({
    usage: 'remove <release>',
    summary: 'remove an installed release',
    args: { release: RELEASE },
    options: [DATA_DIR],
    examples: ['hla data remove 3.29.0', 'hla data remove 3290', 'hla data remove 3.29.0 --data-dir data'],
    run: late(installed, 'removeCommand'),
  }),
  commandOf({
    usage: 'list',
    summary: 'list installed releases, or those a source offers',
    options: [
      DATA_DIR,
      { name: 'available', help: 'list what the source offers, with dates, and which is the newest' },
      { name: 'json', help: 'print a JSON array' },
      { ...FROM, help: SOURCE_HELP },
    ],
    examples: [
      [
        'hla data list',
        `   RELEASE  DATE        ALLELES  MAC LIST    STATE
*  3.58.0   2024-10-09  41,433   2020-07-11  verified
   3.29.0   2017-07-10  17,344   2020-07-11  verified`,
      ],
      { command: 'hla data list --available --from IMGTHLA' },
      { command: 'hla data list --json' },
    ],
    run: late(installed, 'listCommand'),
  }),
  commandOf({
    usage: 'verify [release]',
    summary: 'compare the files with what was installed, or with a source',
    args: { release: RELEASE },
    options: [
      DATA_DIR,
      { name: 'all', help: 'every installed release' },
      { name: 'json', help: 'print what was compared as JSON' },
      { ...FROM, help: `compare with this source too: ${SOURCE_HELP}` },
    ],
    examples: ['hla data verify 3.58.0', 'hla data verify --all', { command: 'hla data verify --json 3.29.0' }],
    run: late(installed, 'verifyCommand'),
  }),
  commandOf({
    usage: 'info [release]',
    summary: 'files, checksums, source and citation of a release',
    args: { release: RELEASE },
    options: [DATA_DIR],
    examples: [
      { command: 'hla data info' },
      { command: 'hla data info 3.29.0' },
      { command: 'hla data info active' },
    ],
    run: late(installed, 'infoCommand'),
  }),
  commandOf({
    usage: 'path [release]',
    summary: 'print the folder of a release, or of all data',
    args: { release: RELEASE },
    options: [DATA_DIR],
    examples: [
      ['hla data path --data-dir /srv/hla', '/srv/hla'],
      ['hla data path --data-dir data', 'data'],
      ['hla data path 3.29.0 --data-dir data', 'data/releases/3.29.0'],
    ],
    run: late(installed, 'pathCommand'),
  }),
] // prettier-ignore

export const DATA = {
  usage: 'data',
  // accepted before or after the name of the subcommand
  options: [{ name: DATA_DIR.name, value: DATA_DIR.value, help: DATA_DIR.help }],
  commands: COMMANDS,
}
