/** `hla drive user|group|account|key …`: who may use a store. */
import type { Command } from 'commander'
import { addExamples } from '../help.ts'
import type { Define } from './drive-define.ts'
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

export function definePeople(drive: Command, define: Define): void {
  const user = drive.command('user').summary('add, change, list and remove users').description('Users.')
  defineUsers(user, define)
  addExamples(user, USER_EXAMPLES)
  const group = drive.command('group').summary('add, change, list and remove groups')
  defineGroups(group.description('Groups of users.'), define)
  addExamples(group, GROUP_EXAMPLES)
}

export function defineServiceAccounts(drive: Command, define: Define): void {
  const account = drive.command('account').summary('add, list and remove service accounts')
  defineAccounts(account.description('Service accounts.'), define)
  const key = drive.command('key').summary('add, list, rotate and revoke keys of service accounts')
  defineKeys(key.description('Keys of service accounts.'), define)
}

function defineUsers(user: Command, define: Define): void {
  const load = () => import('../drive/user.ts')
  const add = define(user, 'add <email>', 'add a user', async (email, options: never) =>
    (await load()).addUserCommand(email, options),
  )
  const set = define(
    user,
    'set <email>',
    'change name, quota or rights of a user, or take the access away',
    async (email, options: never) => (await load()).changeUserCommand(email, options),
  )
  for (const option of userOptions('new')) add.addOption(option)
  for (const option of userOptions('known')) set.addOption(option)
  const remove = define(user, 'remove <email>', 'remove a user', async (email, options: never) =>
    (await load()).removeUserCommand(email, options),
  )
  for (const option of removalOptions()) remove.addOption(option)
  define(user, 'list', 'list users', async (_, options: never) =>
    (await load()).listUsersCommand(options),
  ).addOption(jsonOption())
}

function defineGroups(group: Command, define: Define): void {
  const load = () => import('../drive/group.ts')
  const add = define(group, 'add <email>', 'add a group', async (email, options: never) =>
    (await load()).addGroupCommand(email, options),
  )
  add.option('--name <name>', 'what people call it').addOption(jsonOption())
  const set = define(group, 'set <email>', 'change a group, or who is in it', async (email, options: never) =>
    (await load()).changeGroupCommand(email, options),
  )
  for (const option of groupOptions()) set.addOption(option)
  define(group, 'remove <email>', 'remove a group', async (email, options: never) =>
    (await load()).removeGroupCommand(email, options),
  )
  define(group, 'list', 'list groups and who is in them', async (_, options: never) =>
    (await load()).listGroupsCommand(options),
  ).addOption(jsonOption())
}

function defineAccounts(account: Command, define: Define): void {
  const add = define(
    account,
    'add <email>',
    'add a service account and print its credentials',
    async (email, options: never) => (await import('../drive/account.ts')).addAccountCommand(email, options),
  )
  for (const option of accountOptions()) add.addOption(option)
  const remove = define(
    account,
    'remove <email>',
    'remove a service account with its keys and its program',
    async (email, options: never) =>
      (await import('../drive/user.ts')).removeUserCommand(email, options, 'removeAccount'),
  )
  for (const option of removalOptions()) remove.addOption(option)
  define(account, 'list', 'list service accounts', async (_, options: never) =>
    (await import('../drive/account.ts')).listAccountsCommand(options),
  ).addOption(jsonOption())
}

function defineKeys(key: Command, define: Define): void {
  const load = () => import('../drive/account.ts')
  const add = define(
    key,
    'add <account>',
    'add a key to a service account and print its credentials',
    async (email, options: never) => (await load()).addAccountCommand(email, options, 'addKey'),
  )
  for (const option of accountOptions()) add.addOption(option)
  define(
    key,
    'rotate <key>',
    'put another key in the place of one and print its credentials',
    async (kid, options: never) => (await load()).rotateKeyCommand(kid, options),
  ).addOption(urlOption())
  const set = define(key, 'set <key>', 'name a key, or put it out of use', async (kid, options: never) =>
    (await load()).changeKeyCommand(kid, options),
  )
  for (const option of [nameOption(), ...switchOptions(), jsonOption()]) set.addOption(option)
  define(
    key,
    'revoke <key>',
    'revoke a key, and the tokens that were given for it',
    async (kid, options: never) => (await load()).removeKeyCommand(kid, options),
  )
  define(key, 'list', 'list keys, without what they are', async (_, options: never) =>
    (await load()).listKeysCommand(options),
  ).addOption(jsonOption())
}
