/** `hla drive user|group|account|key …`: who may use a store. */
import type { Command } from 'commander'
import { GROUP_EXAMPLES, USER_EXAMPLES } from './drive-examples.ts'
import {
  accountOptions,
  groupOptions,
  jsonOption,
  nameOption,
  removalOptions,
  switchOptions,
  urlOption,
  userOptions,
} from './drive-options.ts'
import { addExamples } from '../../../../cli/options/help.ts'
import { addDriveCommand as add } from './declare-drive-command.ts'

export function declarePeople(drive: Command): void {
  const user = drive.command('user').summary('add, change, list and remove users').description('Users.')
  declareUsers(user)
  addExamples(user, USER_EXAMPLES)
  const group = drive.command('group').summary('add, change, list and remove groups')
  declareGroups(group.description('Groups of users.'))
  addExamples(group, GROUP_EXAMPLES)
}

export function declareServiceAccounts(drive: Command): void {
  const account = drive.command('account').summary('add, list and remove service accounts')
  declareAccounts(account.description('Service accounts.'))
  const key = drive.command('key').summary('add, list, rotate and revoke keys of service accounts')
  declareKeys(key.description('Keys of service accounts.'))
}

function declareUsers(user: Command): void {
  const added = add(user, 'add <email>', 'add a user')
  for (const option of userOptions('new')) added.addOption(option)
  const summary = 'change name, quota or rights of a user, or take the access away'
  const changed = add(user, 'set <email>', summary)
  for (const option of userOptions('known')) changed.addOption(option)
  const removed = add(user, 'remove <email>', 'remove a user')
  for (const option of removalOptions()) removed.addOption(option)
  add(user, 'list', 'list users').addOption(jsonOption())
}

function declareGroups(group: Command): void {
  const added = add(group, 'add <email>', 'add a group')
  added.option('--name <name>', 'what people call it').addOption(jsonOption())
  const changed = add(group, 'set <email>', 'change a group, or who is in it')
  for (const option of groupOptions()) changed.addOption(option)
  add(group, 'remove <email>', 'remove a group')
  add(group, 'list', 'list groups and who is in them').addOption(jsonOption())
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
  const summary = 'put another key in the place of one and print its credentials'
  add(key, 'rotate <key>', summary).addOption(urlOption())
  const changed = add(key, 'set <key>', 'name a key, or put it out of use')
  for (const option of [nameOption(), ...switchOptions(), jsonOption()]) changed.addOption(option)
  add(key, 'revoke <key>', 'revoke a key, and the tokens that were given for it')
  add(key, 'list', 'list keys, without what they are').addOption(jsonOption())
}
