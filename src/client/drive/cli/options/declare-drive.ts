/** `hla drive …`: the file store. */
import type { Command } from 'commander'
import { CARE_EXAMPLES, ownExamples, SERVE_EXAMPLES, TOKEN_EXAMPLES } from './drive-examples.ts'
import {
  clientOptions,
  copyOption,
  deepOption,
  fromOption,
  graceOption,
  jsonOption,
  repairOption,
  serveOptions,
  switchOptions,
  tokenOptions,
  urlOption,
} from './drive-options.ts'
import { contentsOption, copyOptions, databaseOption } from './shared-store-options.ts'
import { addExamples } from '../../../../cli/options/help.ts'
import { addDriveCommand as add } from './declare-drive-command.ts'
import { declareFileCommands } from './declare-drive-files.ts'
import { declarePeople, declareServiceAccounts } from './declare-drive-people.ts'

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
  add(token, 'list', 'list tokens, without what they are').addOption(jsonOption())
  add(token, 'revoke <token>', 'revoke a token, or the one of a name in the list')
}

function declareClients(client: Command): void {
  const added = add(client, 'add <id>', 'add a program')
  const changed = add(client, 'set <id>', 'change what is said of a program')
  for (const one of [added, changed]) for (const option of clientOptions()) one.addOption(option)
  for (const option of switchOptions()) changed.addOption(option)
  const credentials = 'make a secret for a program, in place of the one before, and print its credentials'
  add(client, 'credentials <id>', credentials).addOption(urlOption())
  add(client, 'remove <id>', 'remove a program, and what it kept for itself')
  add(client, 'list', 'list programs').addOption(jsonOption())
}

function declareLabels(label: Command): void {
  add(label, 'set <id>', 'define a label, or change it')
    .option('--fields <file>', 'JSON of its fields: id, valueType, choices, maxLength, maxValues')
    .option('--rename <id>', 'the id that it has from now on')
    .option('--disable', 'files that have it show it; it is put on no other')
    .option('--enable', 'in use again')
    .addOption(jsonOption())
  add(label, 'remove <id>', 'remove a label, from files that have it, too')
  add(label, 'list', 'list labels').addOption(jsonOption())
}

function declareLimits(limit: Command): void {
  add(limit, 'set <name=number>', 'set a limit; name=standard takes that back').addOption(jsonOption())
  add(limit, 'list', 'list limits').addOption(jsonOption())
}

function declareCare(drive: Command): void {
  add(drive, 'status', 'count what there is').addOption(jsonOption())
  add(drive, 'fsck', 'check the store, and mend it')
    .addOption(deepOption())
    .addOption(repairOption())
    .addOption(fromOption())
    .addOption(databaseOption('check the store of this database, beside its servers'))
    .addOption(contentsOption('with --database: where its servers have the contents'))
    .addOption(jsonOption())
  add(drive, 'gc', 'remove what nothing names any more').addOption(graceOption()).addOption(jsonOption())
  const backup = add(drive, 'backup <folder>', 'copy the store, also while it is in use')
  backup.addOption(copyOption())
  backup.addOption(databaseOption('copy the store of this database, beside its servers'))
  backup.addOption(contentsOption('with --database: where its servers have the contents'))
  addExamples(backup, CARE_EXAMPLES)
  add(drive, 'restore <backup>', 'make a store of a backup')
  const copy = drive
    .command('copy')
    .summary('copy a store between a folder and a database of several servers')
  copy.description('Copy a store between a folder and a database of several servers, and compare the two.')
  for (const option of copyOptions()) copy.addOption(option)
  addExamples(copy, ownExamples('copy'))
}
