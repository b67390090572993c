/** `hla drive …`: the file store; everything of it is loaded when it is asked for. */
import { type Command, Option } from 'commander'
import { portNumber } from '../options.ts'

export interface FolderOptions {
  readonly data: string
}

export interface ServeOptions extends FolderOptions {
  readonly host: string
  readonly port: number
  readonly publicUrl?: string
  readonly owner: string
  readonly quiet?: boolean
}

export function defineDriveCommand(drive: Command, done: (status: number) => void): void {
  const add = (usage: string, summary: string): Command => {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    return drive.command(usage).summary(summary).description(sentence).addOption(folderOption())
  }
  const serve = add('serve', 'run the file storage service')
  for (const option of serveOptions()) serve.addOption(option)
  serve.action(async () => {
    const options = serve.opts<ServeOptions>()
    const { serveDrive } = await import('../drive/serve.ts')
    done(await serveDrive(options))
  })
}

function folderOption(): Option {
  return new Option('--data <folder>', 'where the store is').env('HLA_DRIVE').default('hla-drive')
}

function serveOptions(): Option[] {
  return [
    new Option('--host <address>', 'address to listen on; 0.0.0.0 is every one')
      .default('127.0.0.1')
      .env('HLA_HOST'),
    new Option('--port <n>', 'port to listen on; 0 is any free one')
      .argParser(portNumber)
      .default(8090)
      .env('HLA_PORT'),
    new Option('--public-url <url>', 'address in links (default: the one a request came to)'),
    new Option('--owner <email>', 'owner of a new store').default('owner@localhost'),
    new Option('-q, --quiet', 'say nothing at the start'),
  ]
}
