/** Commands that administer a store. */
import { type CommandSpec, late } from '../../cli/options/declare-command.ts'
import type { RemovalId } from './administration/as-operator.ts'
import { command, EXAMPLE_IDS, group } from './store-command.ts'
import {
  ACCOUNT,
  CHANGED_GROUP,
  CHANGED_USER,
  CREDENTIALS,
  LABEL,
  NAME,
  PROGRAM,
} from './options/administrator-options.ts'
import { REMOVAL, type RemovalOptions, STORE, SWITCH, TOKEN, USER } from './options/administrator-options.ts'
import { JSON_OUTPUT } from './options/file-options.ts'
import { DATA } from './options/serve-options.ts'

const users = () => import('./administration/user.ts')
const groups = () => import('./administration/group.ts')
const tokens = () => import('./administration/token.ts')
const accounts = () => import('./administration/account.ts')
const clients = () => import('./administration/client.ts')
const labels = () => import('./administration/label.ts')
const limits = () => import('./administration/limit.ts')

/** Asks, as the operator, to remove what the argument names. */
function removal(id: RemovalId) {
  return async (name: string, options: RemovalOptions) =>
    (await import('./administration/as-operator.ts')).removeAsOperator(id, name, options)
}

export const ADMINISTRATOR_COMMANDS: readonly CommandSpec[] = [
  group('user', 'add, change, list and remove users', 'Users.', [
    command('add <email>', 'add a user', [DATA, ...USER, JSON_OUTPUT], late(users, 'addUserCommand'), [
      'user add dora@lab.example',
      'user add emil@lab.example --name "Emil Ong" --quota 10GiB',
      'user add fay@lab.example --admin',
    ]),
    command('set <email>', 'change name, quota or rights of a user, or disable the user', CHANGED_USER, late(users, 'changeUserCommand'), [
      'user set dora@lab.example --name "Dora Ek" --quota 20GiB',
      'user set dora@lab.example --disable',
      'user set dora@lab.example --enable',
    ]),
    command('remove <email>', 'remove a user', REMOVAL, removal('users.delete'), [
      'user remove emil@lab.example --give-to dora@lab.example',
      'user remove fay@lab.example',
    ]),
    command('list', 'list users', STORE, late(users, 'listUsersCommand'), ['user list', 'user list --json']),
  ]),
  group('group', 'add, change, list and remove groups', 'Groups of users.', [
    command('add <email>', 'add a group', [DATA, { ...NAME, help: 'display name of the group' }, JSON_OUTPUT], late(groups, 'addGroupCommand'), [
      'group add night@lab.example --name Night',
    ]),
    command('set <email>', 'change a group, or who is in it', CHANGED_GROUP, late(groups, 'changeGroupCommand'), [
      'group set night@lab.example --add ben@lab.example,dora@lab.example',
      'group set night@lab.example --remove ben@lab.example',
    ]),
    command('remove <email>', 'remove a group', [DATA], removal('groups.delete'), ['group remove night@lab.example']),
    command('list', 'list groups and their members', STORE, late(groups, 'listGroupsCommand'), ['group list']),
  ]),
  group('token', 'create, list and revoke tokens', 'Bearer tokens.', [
    command('create', 'create a token and print it', TOKEN, late(tokens, 'createTokenCommand'), [
      'token create --user ben@lab.example --expires 12h > token',
      'token create --user ben@lab.example --scopes drive.readonly > read',
      'token create --user ben@lab.example --refresh > refresh',
    ]),
    command('list', 'list tokens, without their secrets', STORE, late(tokens, 'listTokensCommand'), ['token list']),
    command('revoke <token>', 'revoke a token, given in full or by its name in the list', [DATA], late(tokens, 'revokeTokenCommand'), [
      'token revoke "$(cat token)"',
      `token revoke ${EXAMPLE_IDS.token}`,
    ]),
  ]),
  group('account', 'add, list and remove service accounts', 'Service accounts.', [
    command('add <email>', 'add a service account and print its credentials', ACCOUNT, late(accounts, 'addAccountCommand'), [
      'account add bot@lab.example --url https://lab.example > bot.json',
    ]),
    command('list', 'list service accounts', STORE, late(accounts, 'listAccountsCommand'), ['account list']),
    command('remove <email>', 'remove a service account with its keys and its program', REMOVAL, removal('accounts.delete'), [
      'account remove old-bot@lab.example',
    ]),
  ]),
  group('key', 'add, list, rotate and revoke keys of service accounts', 'Keys of service accounts.', [
    command('add <account>', 'add a key to a service account and print its credentials', ACCOUNT, late(accounts, 'addKeyCommand'), [
      'key add bot@lab.example --url https://lab.example > key.json',
    ]),
    command('list', 'list keys, without their secrets', STORE, late(accounts, 'listKeysCommand'), ['key list']),
    command('set <key>', 'rename, disable or enable a key', [DATA, NAME, ...SWITCH, JSON_OUTPUT], late(accounts, 'changeKeyCommand'), [
      `key set ${EXAMPLE_IDS.key} --disable`,
      `key set ${EXAMPLE_IDS.key} --enable`,
    ]),
    command('rotate <key>', 'replace a key and print the new credentials', CREDENTIALS, late(accounts, 'rotateKeyCommand'), [
      `key rotate ${EXAMPLE_IDS.key} > key.json`,
    ]),
    command('revoke <key>', 'revoke a key, and the tokens that were issued for it', [DATA], removal('keys.delete'), [
      `key revoke ${EXAMPLE_IDS.key}`,
    ]),
  ]),
  group('client', 'add, change, list and remove programs', 'Programs.', [
    command('add <id>', 'add a program', PROGRAM, late(clients, 'addClientCommand'), ['client add typing --name Typing']),
    command('set <id>', 'change the description of a program', [...PROGRAM, ...SWITCH], late(clients, 'changeClientCommand'), [
      'client set typing --redirect http://localhost --name "Typing desk"',
      'client set typing --disable',
    ]),
    command('credentials <id>', 'create a new secret for a program, replacing the old one, and print the credentials', CREDENTIALS, late(clients, 'clientCredentialsCommand'), [
      'client set typing --enable',
      'client credentials typing --url https://lab.example > client.json',
    ]),
    command('list', 'list programs', STORE, late(clients, 'listClientsCommand'), ['client list']),
    command('remove <id>', 'remove a program and its own data', [DATA], removal('clients.delete'), ['client remove typing']),
  ]),
  group('label', 'define, change, list and remove labels', 'Labels of files.', [
    command('set <id>', 'define a label, or change it', LABEL, late(labels, 'setLabelCommand'), [
      'label set checked --fields fields.json',
    ]),
    command('list', 'list labels', STORE, late(labels, 'listLabelsCommand'), [
      ['label list', 'ID       REVISION  FIELDS  DISABLED\nchecked  1         by      false'],
    ]),
    command('remove <id>', 'remove a label, also from files that have it', [DATA], removal('labels.delete'), ['label remove checked']),
  ]),
  group('limit', 'set and list limits', 'Limits of the store.', [
    command('set <name=number>', 'set a limit; name=standard resets it', STORE, late(limits, 'setLimitCommand'), [
      ['limit set folder-children=20000', `NAME             LIMIT   STANDARD  SET   OF
folder-children  20,000  500,000   true  items in a folder`],
      'limit set folder-children=standard',
    ]),
    command('list', 'list limits', STORE, late(limits, 'listLimitsCommand'), ['limit list']),
  ]),
] // prettier-ignore
