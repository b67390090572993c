/** Commands that administer a store. */
import { type CommandSpec, late } from '../../cli/options/declare-command.ts'
import { collect, commaList, duration, size } from '../../cli/options/parsers.ts'
import type { OptionRow } from '../../options/option-row.ts'
import type { RemovalId, RemovalOptions } from './administration/as-operator.ts'
import { command, EXAMPLE_IDS, group } from './store-command.ts'
import { JSON_OUTPUT, SCOPES } from './options/file-options.ts'
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

const NAME = { name: 'name', value: 'name', help: 'display name' } as const
const STORE = [DATA, JSON_OUTPUT] as const

/** Disables or enables a user, a group, a program or a key. */
const SWITCH = [
  { name: 'disable', help: 'disable the user: tokens, channels and uploads end at once, everything else stays' },
  { name: 'enable', help: 'enable the user again' },
] as const satisfies readonly OptionRow[] // prettier-ignore

const USER = [
  { ...NAME, help: 'display name of the user' },
  { name: 'quota', value: 'size', reading: size, help: 'storage limit of the user; 0 means no limit' },
  { name: 'admin', help: 'make the user an administrator' },
  { name: 'password-file', value: 'file', help: 'file with the sign-in password; - reads standard input or asks at a terminal' },
] as const satisfies readonly OptionRow[] // prettier-ignore

const CHANGED_USER = [
  DATA,
  ...USER,
  { name: 'no-admin', help: 'take administrator rights from the user' },
  { name: 'no-password', help: 'remove the password and sign the user out' },
  ...SWITCH,
  JSON_OUTPUT,
] as const satisfies readonly OptionRow[]

const CHANGED_GROUP = [
  DATA,
  NAME,
  ...SWITCH,
  { name: 'add', value: 'list', reading: commaList, help: 'members to add' },
  { name: 'remove', value: 'list', reading: commaList, help: 'members to remove' },
  JSON_OUTPUT,
] as const satisfies readonly OptionRow[]

const TOKEN = [
  DATA,
  { name: 'user', value: 'email', help: 'owner of the key', isRequired: true },
  { ...SCOPES, help: 'what the token allows: drive, drive.readonly, drive.file, …' },
  { name: 'client', value: 'id', help: 'program that uses the token (default: hla)' },
  { name: 'expires', value: 'time', reading: duration, help: 'lifetime: 30m, 12h (default: until revoked)' },
  { name: 'label', value: 'text', help: 'a note on its purpose' },
  { name: 'refresh', help: 'create a refresh token, which programs exchange for access tokens at /token' },
] as const satisfies readonly OptionRow[]

const LABEL = [
  DATA,
  { name: 'fields', value: 'file', help: 'JSON of its fields: id, valueType, choices, maxLength, maxValues' },
  { name: 'rename', value: 'id', help: 'new id of the label' },
  { name: 'disable', help: 'files that have the label keep it; no other file can get it' },
  { name: 'enable', help: 'in use again' },
  JSON_OUTPUT,
] as const satisfies readonly OptionRow[]

/** Removal of a user or a service account. */
const REMOVAL = [
  DATA,
  { name: 'give-to', value: 'email', help: 'the user who gets the files, and the shared drives that have no other organizer' },
  { name: 'delete-files', help: 'delete the files of the user' },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** For credentials of a program or a service account. */
const CREDENTIALS = [
  DATA,
  { name: 'url', value: 'url', help: 'address of the service, written into the credentials', default: 'http://127.0.0.1:8090' },
] as const satisfies readonly OptionRow[] // prettier-ignore
const ACCOUNT = [
  ...CREDENTIALS,
  { name: 'impersonate', help: 'the key may request tokens of other users' },
] as const satisfies readonly OptionRow[] // prettier-ignore
const PROGRAM = [
  DATA,
  NAME,
  { name: 'app', value: 'file', help: 'JSON file with members of the resource drive#app: its types and addresses' },
  { name: 'redirect', value: 'url', reading: collect, help: 'redirect URI of the program after sign-in (repeatable); http://localhost allows any port' },
  JSON_OUTPUT,
] as const satisfies readonly OptionRow[] // prettier-ignore

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
