/** `hla drive …`: the commands of the file store, except the user commands in `declare-files.ts`. */
import type { Command } from 'commander'
import {
  CARE_EXAMPLES,
  GROUP_EXAMPLES,
  SERVE_EXAMPLES,
  TOKEN_EXAMPLES,
  USER_EXAMPLES,
  ownExamples,
} from './examples.ts'
import {
  accountOptions,
  clientOptions,
  contentsOption,
  copyOption,
  copyOptions,
  databaseOption,
  deepOption,
  fromOption,
  graceOption,
  groupOptions,
  jsonOption,
  nameOption,
  removalOptions,
  repairOption,
  serveOptions,
  switchOptions,
  tokenOptions,
  urlOption,
  userOptions,
} from './store-options.ts'
import { addExamples } from '../../../../cli/options/help.ts'
import { addDriveCommand as add } from './declare-command.ts'
import { declareFileCommands } from './declare-files.ts'

export function declareDrive(drive: Command): void {
  const serve = add(drive, 'serve', 'run the file storage service')
  for (const option of serveOptions()) serve.addOption(option)
  addExamples(serve, SERVE_EXAMPLES)
  declareFileCommands(drive)
  declarePeople(drive)
  const token = drive.command('token').summary('create, list and revoke tokens').description('Bearer tokens.')
  declareTokens(token)
  addExamples(token, TOKEN_EXAMPLES)
  declareServiceAccounts(drive)
  const client = drive.command('client').summary('add, change, list and remove programs')
  declareClients(client.description('Programs.'))
  const label = drive.command('label').summary('define, change, list and remove labels')
  declareLabels(label.description('Labels of files.'))
  declareLimits(drive.command('limit').summary('set and list limits').description('Limits of the store.'))
  declareCare(drive)
}

function declareTokens(token: Command): void {
  const created = add(token, 'create', 'create a token and print it')
  for (const option of tokenOptions()) created.addOption(option)
  add(token, 'list', 'list tokens, without their secrets').addOption(jsonOption())
  add(token, 'revoke <token>', 'revoke a token, given in full or by its name in the list')
}

function declareClients(client: Command): void {
  const added = add(client, 'add <id>', 'add a program')
  const changed = add(client, 'set <id>', 'change the description of a program')
  for (const one of [added, changed]) for (const option of clientOptions()) one.addOption(option)
  for (const option of switchOptions()) changed.addOption(option)
  const credentials = 'create a new secret for a program, replacing the old one, and print the credentials'
  add(client, 'credentials <id>', credentials).addOption(urlOption())
  add(client, 'remove <id>', 'remove a program and its own data')
  add(client, 'list', 'list programs').addOption(jsonOption())
}

function declareLabels(label: Command): void {
  add(label, 'set <id>', 'define a label, or change it')
    .option('--fields <file>', 'JSON of its fields: id, valueType, choices, maxLength, maxValues')
    .option('--rename <id>', 'new id of the label')
    .option('--disable', 'files that have the label keep it; no other file can get it')
    .option('--enable', 'in use again')
    .addOption(jsonOption())
  add(label, 'remove <id>', 'remove a label, also from files that have it')
  add(label, 'list', 'list labels').addOption(jsonOption())
}

function declareLimits(limit: Command): void {
  add(limit, 'set <name=number>', 'set a limit; name=standard resets it').addOption(jsonOption())
  add(limit, 'list', 'list limits').addOption(jsonOption())
}

function declareCare(drive: Command): void {
  add(drive, 'status', 'print how much the store holds').addOption(jsonOption())
  add(drive, 'fsck', 'check the store, and repair it')
    .addOption(deepOption())
    .addOption(repairOption())
    .addOption(fromOption())
    .addOption(databaseOption('check the store in this database, while its servers run'))
    .addOption(contentsOption('with --database: where its servers have the contents'))
    .addOption(jsonOption())
  add(drive, 'gc', 'delete contents that no file uses any more')
    .addOption(graceOption())
    .addOption(jsonOption())
  const backup = add(drive, 'backup <folder>', 'back up the store, even while it is in use')
  backup.addOption(copyOption())
  backup.addOption(databaseOption('back up the store in this database, while its servers run'))
  backup.addOption(contentsOption('with --database: where its servers have the contents'))
  addExamples(backup, CARE_EXAMPLES)
  add(drive, 'restore <backup>', 'restore a store from a backup')
  const copy = drive
    .command('copy')
    .summary('copy a store between a folder and a database of several servers')
  copy.description('Copy a store between a folder and a database of several servers, and compare the two.')
  for (const option of copyOptions()) copy.addOption(option)
  addExamples(copy, ownExamples('copy'))
}

function declarePeople(drive: Command): void {
  const user = drive.command('user').summary('add, change, list and remove users').description('Users.')
  declareUsers(user)
  addExamples(user, USER_EXAMPLES)
  const group = drive.command('group').summary('add, change, list and remove groups')
  declareGroups(group.description('Groups of users.'))
  addExamples(group, GROUP_EXAMPLES)
}

function declareServiceAccounts(drive: Command): void {
  const account = drive.command('account').summary('add, list and remove service accounts')
  declareAccounts(account.description('Service accounts.'))
  const key = drive.command('key').summary('add, list, rotate and revoke keys of service accounts')
  declareKeys(key.description('Keys of service accounts.'))
}

function declareUsers(user: Command): void {
  const added = add(user, 'add <email>', 'add a user')
  for (const option of userOptions('new')) added.addOption(option)
  const summary = 'change name, quota or rights of a user, or disable the user'
  const changed = add(user, 'set <email>', summary)
  for (const option of userOptions('known')) changed.addOption(option)
  const removed = add(user, 'remove <email>', 'remove a user')
  for (const option of removalOptions()) removed.addOption(option)
  add(user, 'list', 'list users').addOption(jsonOption())
}

function declareGroups(group: Command): void {
  const added = add(group, 'add <email>', 'add a group')
  added.option('--name <name>', 'display name of the group').addOption(jsonOption())
  const changed = add(group, 'set <email>', 'change a group, or who is in it')
  for (const option of groupOptions()) changed.addOption(option)
  add(group, 'remove <email>', 'remove a group')
  add(group, 'list', 'list groups and their members').addOption(jsonOption())
}

function declareAccounts(account: Command): void {
  const added = add(account, 'add <email>', 'add a service account and print its credentials')
  for (const option of accountOptions()) added.addOption(option)
  const removed = add(account, 'remove <email>', 'remove a service account with its keys and its program')
  for (const option of removalOptions()) removed.addOption(option)
  add(account, 'list', 'list service accounts').addOption(jsonOption())
}

function declareKeys(key: Command): void {
  const added = add(key, 'add <account>', 'add a key to a service account and print its credentials')
  for (const option of accountOptions()) added.addOption(option)
  const summary = 'replace a key and print the new credentials'
  add(key, 'rotate <key>', summary).addOption(urlOption())
  const changed = add(key, 'set <key>', 'rename, disable or enable a key')
  for (const option of [nameOption(), ...switchOptions(), jsonOption()]) changed.addOption(option)
  add(key, 'revoke <key>', 'revoke a key, and the tokens that were issued for it')
  add(key, 'list', 'list keys, without their secrets').addOption(jsonOption())
}
