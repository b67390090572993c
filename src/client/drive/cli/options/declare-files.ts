/** `hla drive login|ls|get|put|rm|mv|sync|log|share|rule`: files of a local or remote store. */
import type { Command, Option } from 'commander'
import { FILES_EXAMPLES, SHARE_EXAMPLES, ownExamples } from './examples.ts'
import {
  connectionOptions,
  copyOptions,
  getOptions,
  linkListOptions,
  loginOptions,
  logOptions,
  longOption,
  makeFolderOptions,
  putOptions,
  removeOptions,
  ruleOptions,
  searchOptions,
  shareOptions,
  syncOptions,
} from './file-options.ts'
import { jsonOption } from './store-options.ts'
import { addExamples } from '../../../../cli/options/help.ts'

export function declareFileCommands(drive: Command): void {
  const add = (usage: string, summary: string, options: readonly Option[]) => {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    const command = drive.command(usage).summary(summary).description(sentence)
    for (const option of [...options, ...connectionOptions()]) command.addOption(option)
    return command
  }
  const shown = (command: Command) => addExamples(command, ownExamples(command.name()))
  shown(add('login', 'sign in to a store, with a code that you type into a browser', loginOptions()))
  shown(add('logout', 'sign out of a store, on every machine that uses this sign-in', []))
  shown(add('ls [path...]', 'list the contents of folders in a store', [longOption(), jsonOption()]))
  shown(add('get <path>', 'fetch a file, or an older revision of it', getOptions()))
  const put = add('put <file...>', 'store files; the last argument is the destination', putOptions())
  addExamples(put, FILES_EXAMPLES)
  shown(add('rm <path...>', 'put files into the trash, or remove them for ever', removeOptions()))
  declareChanges((usage, summary, options) => shown(add(usage, summary, options)))
  shown(add('log <path>', 'list the revisions of a file, or who read it, the newest first', logOptions()))
  const sharing = [...shareOptions(), jsonOption()]
  addExamples(add('share <path>', 'list and change the permissions of a file', sharing), [
    ...SHARE_EXAMPLES,
    ...ownExamples('share'),
  ])
  declareLinks(drive)
  declareRules(drive)
}

function declareLinks(drive: Command): void {
  const link = drive.command('link').summary('list links that open files without an account')
  link.description('Links that open files without an account; hla drive share makes and removes them.')
  const list = link.command('list').summary('list the links of your files and when they end')
  list.description('List the links of your files and when they end.')
  for (const option of [...linkListOptions(), ...connectionOptions()]) list.addOption(option)
  addExamples(list, ownExamples('link list'))
}

function declareRules(drive: Command): void {
  const rule = drive.command('rule').summary('make, list and remove rules of folders')
  rule.description('Folder rules: the server converts each table that is put into the folder, once.')
  const add = (usage: string, summary: string, options: readonly Option[]) => {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    const command = rule.command(usage).summary(summary).description(sentence)
    for (const option of [...options, ...connectionOptions()]) command.addOption(option)
    addExamples(command, ownExamples(`rule ${command.name()}`))
  }
  add('add <folder>', 'have each new table of a folder reduced', [...ruleOptions(), jsonOption()])
  add('list [folder]', 'list rules and their results', [jsonOption()])
  add('remove <id>', 'remove a rule; the files it made stay', [])
}

type Adding = (usage: string, summary: string, options: readonly Option[]) => Command

function declareChanges(add: Adding): void {
  add('mv <path...>', 'move or rename files and folders; the last argument is the destination', [])
  add('cp <path...>', 'copy files within the store; the last argument is the destination', copyOptions())
  add('mkdir <path...>', 'make folders', makeFolderOptions())
  const listing = [longOption(), jsonOption()]
  add('search [words...]', 'find files by words in titles and contents', [...searchOptions(), ...listing])
  add('trash [path...]', 'put files into the trash, or list what is in it', listing)
  add('untrash <path...>', 'restore files from the trash, by their former path or id', [])
  add('empty-trash', 'empty your trash for good', [])
  add(
    'sync <folder> <path>',
    'synchronise a local folder with a folder of a store, in both directions',
    syncOptions(),
  )
}
