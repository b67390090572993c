/** `hla drive ls|get|put|rm|log|share|watch`: files of a store, wherever it runs. */
import type { Command, Option } from 'commander'
import { FILES_EXAMPLES, ownExamples, SHARE_EXAMPLES, WATCH_EXAMPLES } from '../drive/drive-examples.ts'
import {
  connectionOptions,
  getOptions,
  longOption,
  putOptions,
  removeOptions,
  shareOptions,
  watchOptions,
} from '../drive/drive-file-options.ts'
import { jsonOption } from '../drive/drive-options.ts'
import { addExamples } from '../help.ts'

export function declareFileCommands(drive: Command): void {
  const add = (usage: string, summary: string, options: readonly Option[]) => {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    const command = drive.command(usage).summary(summary).description(sentence)
    for (const option of [...options, ...connectionOptions()]) command.addOption(option)
    return command
  }
  const shown = (command: Command) => addExamples(command, ownExamples(command.name()))
  shown(add('ls [path...]', 'list what is in folders of a store', [longOption(), jsonOption()]))
  shown(add('get <path>', 'fetch a file, or an older revision of it', getOptions()))
  const put = add('put <file...>', 'store files; the last word says where to', putOptions())
  addExamples(put, FILES_EXAMPLES)
  shown(add('rm <path...>', 'put files into the trash, or remove them for ever', removeOptions()))
  shown(add('log <path>', 'list the revisions of a file, the newest first', [jsonOption()]))
  const sharing = [...shareOptions(), jsonOption()]
  addExamples(add('share <path>', 'list and change who may do what with a file', sharing), [
    ...SHARE_EXAMPLES,
    ...ownExamples('share'),
  ])
  const watch = add(
    'watch <folder> [command...]',
    'convert each new or changed table of a folder once: the command stands behind --',
    watchOptions(),
  )
  addExamples(watch, WATCH_EXAMPLES)
}
