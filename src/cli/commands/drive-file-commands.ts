/** `hla drive ls|get|put|rm|log`: files of a store, wherever it runs. */
import type { Command, Option } from 'commander'
import { addExamples } from '../help.ts'
import { FILES_EXAMPLES, SHARE_EXAMPLES, WATCH_EXAMPLES } from './drive-examples.ts'
import {
  connectionOptions,
  getOptions,
  longOption,
  putOptions,
  removeOptions,
  shareOptions,
  watchOptions,
} from './drive-file-options.ts'
import { jsonOption } from './drive-options.ts'

export function defineFileCommands(drive: Command, done: (status: number) => void): void {
  const load = () => import('../drive-files/commands.ts')
  const define = definer(drive, done)
  const ls = define('ls [path...]', 'list what is in folders of a store', [longOption(), jsonOption()])
  ls(async (paths, options) => (await load()).lsCommand(paths, options))
  const get = define('get <path>', 'fetch a file, or an older revision of it', getOptions())
  get(async ([path = ''], options) => (await load()).getCommand(path, options))
  const put = define('put <file...>', 'store files; the last word says where to', putOptions())
  addExamples(
    put(async (words, options) => (await load()).putCommand(words, options)),
    FILES_EXAMPLES,
  )
  const rm = define('rm <path...>', 'put files into the trash, or remove them for ever', removeOptions())
  rm(async (paths, options) => (await load()).rmCommand(paths, options))
  const log = define('log <path>', 'list the revisions of a file, the newest first', [jsonOption()])
  log(async ([path = ''], options) => (await load()).logCommand(path, options))
  const share = define('share <path>', 'list and change who may do what with a file', [
    ...shareOptions(),
    jsonOption(),
  ])
  addExamples(
    share(async ([path = ''], options) => (await load()).shareCommand(path, options)),
    SHARE_EXAMPLES,
  )
  const watch = define(
    'watch <folder> [command...]',
    'convert each new or changed table of a folder once: the command stands behind --',
    watchOptions(),
  )
  addExamples(
    watch(async (words, options) => (await import('../drive-watch/watch.ts')).watchCommand(words, options)),
    WATCH_EXAMPLES,
  )
}

/** Options are what commander makes of those that were declared. */
type Run = (words: readonly string[], options: never) => Promise<number>

function definer(drive: Command, done: (status: number) => void) {
  return (usage: string, summary: string, options: readonly Option[]) => {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    const command = drive.command(usage).summary(summary).description(sentence)
    for (const option of [...options, ...connectionOptions()]) command.addOption(option)
    return (run: Run) =>
      // the arguments as they were declared, then the options and the command
      command.action(async (...given: (string | string[] | undefined)[]) => {
        const words = given.slice(0, command.registeredArguments.length).flatMap((word) => word ?? [])
        done(await run(words, command.opts() as never))
      })
  }
}
