/** `hla data …`: install, choose and check reference data. */
import { type Command, Option } from 'commander'
import { compileFiles } from '../../reference/compile/compile-files.ts'
import type { DataContext } from '../data/context.ts'
import { DATA_EXAMPLES } from '../data/examples.ts'
import { addExamples } from '../help.ts'
import { tell, writeAll } from '../io/stdout.ts'
import { isTerminal } from '../io/terminal.ts'

interface DataOptions {
  readonly dataDir?: string
  readonly from?: string
  readonly mac?: string | boolean
  readonly as?: string
  readonly force?: boolean
  readonly acceptChanged?: boolean
  readonly use?: boolean
  readonly all?: boolean
  readonly available?: boolean
}

type Action = (
  context: DataContext,
  release: string | undefined,
  options: DataOptions,
) => Promise<number> | number

const SOURCE = '--from <source>'
const SOURCE_HELP = 'folder, zip file or base URL in the layout of the published repository'

export function defineDataCommand(data: Command, done: (status: number) => void): void {
  // before or after the name of the subcommand
  const dataDir = () => new Option('--data-dir <dir>', 'folder in which releases are installed')
  data.addOption(dataDir())
  const add = (usage: string, summary: string, action: Action) => {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    const command = data
      .command(usage)
      .summary(summary)
      .description(sentence)
      .addOption(dataDir().env('HLA_DATA_DIR'))
    for (const argument of command.registeredArguments)
      argument.description = ARGUMENTS.get(argument.name()) ?? ''
    addExamples(command, DATA_EXAMPLES[command.name()] ?? [])
    return command.action(async (...given: unknown[]) => {
      const release = typeof given[0] === 'string' ? given[0] : undefined
      const options = command.optsWithGlobals<DataOptions>()
      done(await action(contextOf(options), release, options))
    })
  }
  defineInstalling(add)
  defineLooking(add)
}

const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['release', '3.58.0, 3.58 or 3580; of those that are installed also "active"'],
  ['source', 'numer.v3.zip, its text, or a URL; without it the published list'],
  ['catalogue', 'ciwd3; cwd2 is built in'],
])

type Add = (usage: string, summary: string, action: Action) => Command

function defineInstalling(add: Add): void {
  add(
    'install <release>',
    'install a published release and make it active if none is',
    async (context, release = '', options) => {
      const { installCommand } = await import('../data/install.ts')
      const mac = options.mac === true ? undefined : options.mac
      return installCommand(context, release, { ...options, mac } as Parameters<typeof installCommand>[2])
    },
  )
    .option(SOURCE, `${SOURCE_HELP} (default: the published repository)`)
    .option('--mac <source>', 'MAC list to install too: numer.v3.zip, its text, or a URL')
    .option('--no-mac', 'install no MAC list')
    .option('--as <name>', 'install under another name, e.g. 3.58.0-r2')
    .option('--force', 'replace what is installed under that name')
    .option(
      '--accept-changed',
      'install files that are not as published (md5checksum.txt); hla version says so',
    )
    .option('--use', 'make it the active release')
  add('mac [source]', 'install or refresh the MAC list alone', async (context, source) => {
    const { macCommand } = await import('../data/mac.ts')
    return macCommand(context, source)
  })
  add(
    'catalogue <catalogue>',
    'install a catalogue of common alleles: ciwd3',
    async (context, name = '', options) => {
      const { catalogueCommand } = await import('../data/catalogue.ts')
      return catalogueCommand(context, name, options.from)
    },
  ).option(SOURCE, 'its published CSV file, or a URL of it')
  add('use <release>', 'make an installed release the active one', async (context, release = '') => {
    const { useCommand } = await import('../data/use.ts')
    return useCommand(context, release)
  })
  add('remove <release>', 'remove an installed release', async (context, release = '') => {
    const { removeCommand } = await import('../data/remove.ts')
    return removeCommand(context, release)
  })
}

function defineLooking(add: Add): void {
  add('list', 'list installed releases, or those a source offers', async (context, _, options) => {
    const { listCommand } = await import('../data/list.ts')
    return listCommand(context, options)
  })
    .option('--available', 'list what the source offers')
    .option(SOURCE, SOURCE_HELP)
  add(
    'verify [release]',
    'compare the files with what was installed, or with a source',
    async (context, release, options) => {
      const { verifyCommand } = await import('../data/verify.ts')
      return verifyCommand(context, release, options)
    },
  )
    .option('--all', 'every installed release')
    .option(SOURCE, `compare with this source too: ${SOURCE_HELP}`)
  add('info [release]', 'files, checksums, source and citation of a release', async (context, release) => {
    const { infoCommand } = await import('../data/info.ts')
    return infoCommand(context, release)
  })
  add('path [release]', 'print the folder of a release, or of all data', async (context, release) => {
    const { pathCommand } = await import('../data/path.ts')
    return pathCommand(context, release)
  })
}

function contextOf({ dataDir }: DataOptions): DataContext {
  return {
    dataDir,
    stdout: (text) => writeAll(1, text),
    stderr: tell,
    isTerminal: isTerminal(2),
    compile: compileFiles,
  }
}
