/** `hla drive …`: the commands of the file store. */
import type { Command } from 'commander'
import { declareSubcommand } from '../../../cli/options/declare/subcommand.ts'
import { addExamples } from '../../../cli/options/help.ts'
import { optionOf } from '../../../cli/options/option-of.ts'
import type { OptionRow } from '../../../options/option-row.ts'
import { EXAMPLES } from './examples.ts'
import {
  CONNECTION,
  COPY,
  GET,
  JSON_OUTPUT,
  LINK_LIST,
  LIST,
  LOG,
  LOGIN,
  MAKE_FOLDER,
  PUT,
  REMOVE,
  RULE,
  SEARCH,
  SHARE,
  SYNC,
} from './file-options.ts'
import {
  ACCOUNT,
  BACKUP,
  CHECK,
  CREDENTIALS,
  DATA,
  GARBAGE,
  KEY,
  KNOWN_GROUP,
  KNOWN_USER,
  LABEL,
  NEW_GROUP,
  NEW_USER,
  PROGRAM,
  REMOVAL,
  SERVE,
  RESTORE,
  SWITCH,
  TOKEN,
} from './store-options.ts'

/** Name of a group of commands -> its summary and description. */
const GROUPS: ReadonlyMap<string, readonly [summary: string, description: string]> = new Map([
  ['link', ['list links that open files without an account', 'Links that open files without an account; hla drive share makes and removes them.']],
  ['rule', ['make, list and remove rules of folders', 'Folder rules: the server converts each table that is put into the folder, once.']],
  ['user', ['add, change, list and remove users', 'Users.']],
  ['group', ['add, change, list and remove groups', 'Groups of users.']],
  ['token', ['create, list and revoke tokens', 'Bearer tokens.']],
  ['account', ['add, list and remove service accounts', 'Service accounts.']],
  ['key', ['add, list, rotate and revoke keys of service accounts', 'Keys of service accounts.']],
  ['client', ['add, change, list and remove programs', 'Programs.']],
  ['label', ['define, change, list and remove labels', 'Labels of files.']],
  ['limit', ['set and list limits', 'Limits of the store.']],
]) // prettier-ignore

const STORE = [DATA, JSON_OUTPUT]

/** Commands in the order of the help: the daily ones first. */
const COMMANDS: readonly (readonly [usage: string, summary: string, options: readonly OptionRow[]])[] = [
  ['share <path>', 'list and change the permissions of a file', [...SHARE, ...CONNECTION]],
  ['put <file...>', 'store files; the last argument is the destination', [...PUT, ...CONNECTION]],
  ['get <path>', 'fetch a file, or an older revision of it', [...GET, ...CONNECTION]],
  ['ls [path...]', 'list the contents of folders in a store', [...LIST, ...CONNECTION]],
  ['rm <path...>', 'put files into the trash, or remove them for ever', [...REMOVE, ...CONNECTION]],
  ['mv <path...>', 'move or rename files and folders; the last argument is the destination', CONNECTION],
  ['cp <path...>', 'copy files within the store; the last argument is the destination', [...COPY, ...CONNECTION]],
  ['mkdir <path...>', 'make folders', [...MAKE_FOLDER, ...CONNECTION]],
  ['search [words...]', 'find files by words in titles and contents', [...SEARCH, ...CONNECTION]],
  ['trash [path...]', 'put files into the trash, or list what is in it', [...LIST, ...CONNECTION]],
  ['untrash <path...>', 'restore files from the trash, by their former path or id', CONNECTION],
  ['empty-trash', 'empty your trash for good', CONNECTION],
  ['sync <folder> <path>', 'synchronise a local folder with a folder of a store, in both directions', [...SYNC, ...CONNECTION]],
  ['log <path>', 'list the revisions of a file, or who read it, the newest first', [...LOG, ...CONNECTION]],
  ['link list', 'list the links of your files and when they end', [...LINK_LIST, ...CONNECTION]],
  ['rule add <folder>', 'have each new table of a folder reduced', [...RULE, ...CONNECTION]],
  ['rule list [folder]', 'list rules and their results', [JSON_OUTPUT, ...CONNECTION]],
  ['rule remove <id>', 'remove a rule; the files it made stay', CONNECTION],
  ['login', 'sign in to a store, with a code that you type into a browser', [...LOGIN, ...CONNECTION]],
  ['logout', 'sign out of a store, on every machine that uses this sign-in', CONNECTION],
  ['serve', 'run the file storage service', SERVE],
  ['status', 'print how much the store holds', STORE],
  ['backup <folder>', 'back up the store, even while it is in use', BACKUP],
  ['restore <backup>', 'restore a store from a backup', RESTORE],
  ['fsck', 'check the store, and repair it', CHECK],
  ['gc', 'delete contents that no file uses any more', GARBAGE],
  ['user add <email>', 'add a user', NEW_USER],
  ['user set <email>', 'change name, quota or rights of a user, or disable the user', KNOWN_USER],
  ['user remove <email>', 'remove a user', REMOVAL],
  ['user list', 'list users', STORE],
  ['group add <email>', 'add a group', NEW_GROUP],
  ['group set <email>', 'change a group, or who is in it', KNOWN_GROUP],
  ['group remove <email>', 'remove a group', [DATA]],
  ['group list', 'list groups and their members', STORE],
  ['token create', 'create a token and print it', TOKEN],
  ['token list', 'list tokens, without their secrets', STORE],
  ['token revoke <token>', 'revoke a token, given in full or by its name in the list', [DATA]],
  ['account add <email>', 'add a service account and print its credentials', ACCOUNT],
  ['account list', 'list service accounts', STORE],
  ['account remove <email>', 'remove a service account with its keys and its program', REMOVAL],
  ['key add <account>', 'add a key to a service account and print its credentials', ACCOUNT],
  ['key list', 'list keys, without their secrets', STORE],
  ['key set <key>', 'rename, disable or enable a key', KEY],
  ['key rotate <key>', 'replace a key and print the new credentials', CREDENTIALS],
  ['key revoke <key>', 'revoke a key, and the tokens that were issued for it', [DATA]],
  ['client add <id>', 'add a program', PROGRAM],
  ['client set <id>', 'change the description of a program', [...PROGRAM, ...SWITCH]],
  ['client credentials <id>', 'create a new secret for a program, replacing the old one, and print the credentials', CREDENTIALS],
  ['client list', 'list programs', STORE],
  ['client remove <id>', 'remove a program and its own data', [DATA]],
  ['label set <id>', 'define a label, or change it', LABEL],
  ['label list', 'list labels', STORE],
  ['label remove <id>', 'remove a label, also from files that have it', [DATA]],
  ['limit set <name=number>', 'set a limit; name=standard resets it', STORE],
  ['limit list', 'list limits', STORE],
] // prettier-ignore

export function declareDrive(drive: Command): void {
  for (const [usage, summary, rows] of COMMANDS) {
    const [first = '', ...rest] = usage.split(' ')
    const parent = groupIn(drive, first)
    const options = rows.map(optionOf)
    const own = parent === undefined ? usage : rest.join(' ')
    const command = declareSubcommand(parent ?? drive, own, summary, { options })
    addExamples(command, EXAMPLES[parent === undefined ? first : `${first} ${command.name()}`] ?? [])
  }
}

/** Group of that name, declared on first use. */
function groupIn(drive: Command, name: string): Command | undefined {
  const texts = GROUPS.get(name)
  if (texts === undefined) return undefined
  const known = drive.commands.find((one) => one.name() === name)
  if (known !== undefined) return known
  const [summary, description] = texts
  return drive.command(name).summary(summary).description(description)
}
