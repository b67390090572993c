/** Commands that administer a store. */
import { type CommandSpec, commandOf, type Run } from '../../cli/options/declare-command.ts'
import { collect, commaList, duration, size } from '../../cli/options/parsers.ts'
import type { OptionRow } from '../../options/option-row.ts'
import { drive, EXAMPLE_IDS } from './examples.ts'
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
function removal(id: `${'groups' | 'keys' | 'clients' | 'labels'}.delete`): Run<{ readonly data: string }> {
  return async ([name = ''], options) =>
    (await import('./administration/as-operator.ts')).sendAsOperator(options, id, { path: [name] })
}

const NAME = { name: 'name', value: 'name', help: 'display name' } as const
const STORE = [DATA, JSON_OUTPUT] as const

/** Disables or enables a user, a group, a program or a key. */
const SWITCH = [
  {
    name: 'disable',
    help: 'disable the user: tokens, channels and uploads end at once, everything else stays',
  },
  { name: 'enable', help: 'enable the user again' },
] as const satisfies readonly OptionRow[] // prettier-ignore

const USER = [
  { ...NAME, help: 'display name of the user' },
  { name: 'quota', value: 'size', reading: size, help: 'storage limit of the user; 0 means no limit' },
  { name: 'admin', help: 'make the user an administrator' },
  { name: 'password-file', value: 'file', help: 'file with the sign-in password; - reads standard input or asks at a terminal' },
] as const satisfies readonly OptionRow[] // prettier-ignore

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
  {
    usage: 'user',
    summary: 'add, change, list and remove users',
    description: 'Users.',
    commands: [
      commandOf({
        usage: 'add <email>',
        summary: 'add a user',
        options: [DATA, ...USER, JSON_OUTPUT],
        examples: drive(
          'user add dora@lab.example',
          'user add emil@lab.example --name "Emil Ong" --quota 10GiB',
          'user add fay@lab.example --admin',
        ),
        run: async ([email = ''], options) => (await users()).addUserCommand(email, options),
      }),
      commandOf({
        usage: 'set <email>',
        summary: 'change name, quota or rights of a user, or disable the user',
        options: [
          DATA,
          ...USER,
          { name: 'no-admin', help: 'take administrator rights from the user' },
          { name: 'no-password', help: 'remove the password and sign the user out' },
          ...SWITCH,
          JSON_OUTPUT,
        ],
        examples: drive(
          'user set dora@lab.example --name "Dora Ek" --quota 20GiB',
          'user set dora@lab.example --disable',
          'user set dora@lab.example --enable',
        ),
        run: async ([email = ''], options) => (await users()).changeUserCommand(email, options),
      }),
      commandOf({
        usage: 'remove <email>',
        summary: 'remove a user',
        options: REMOVAL,
        examples: drive(
          'user remove emil@lab.example --give-to dora@lab.example',
          'user remove fay@lab.example',
        ),
        run: async ([email = ''], options) => (await users()).removeUserCommand(email, options),
      }),
      commandOf({
        usage: 'list',
        summary: 'list users',
        options: STORE,
        examples: drive('user list', 'user list --json'),
        run: async (_, options) => (await users()).listUsersCommand(options),
      }),
    ],
  },
  {
    usage: 'group',
    summary: 'add, change, list and remove groups',
    description: 'Groups of users.',
    commands: [
      commandOf({
        usage: 'add <email>',
        summary: 'add a group',
        options: [DATA, { ...NAME, help: 'display name of the group' }, JSON_OUTPUT],
        examples: drive('group add night@lab.example --name Night'),
        run: async ([email = ''], options) => (await groups()).addGroupCommand(email, options),
      }),
      commandOf({
        usage: 'set <email>',
        summary: 'change a group, or who is in it',
        options: [
          DATA,
          NAME,
          ...SWITCH,
          { name: 'add', value: 'list', reading: commaList, help: 'members to add' },
          { name: 'remove', value: 'list', reading: commaList, help: 'members to remove' },
          JSON_OUTPUT,
        ],
        examples: drive(
          'group set night@lab.example --add ben@lab.example,dora@lab.example',
          'group set night@lab.example --remove ben@lab.example',
        ),
        run: async ([email = ''], options) => (await groups()).changeGroupCommand(email, options),
      }),
      commandOf({
        usage: 'remove <email>',
        summary: 'remove a group',
        options: [DATA],
        examples: drive('group remove night@lab.example'),
        run: removal('groups.delete'),
      }),
      commandOf({
        usage: 'list',
        summary: 'list groups and their members',
        options: STORE,
        examples: drive('group list'),
        run: async (_, options) => (await groups()).listGroupsCommand(options),
      }),
    ],
  },
  {
    usage: 'token',
    summary: 'create, list and revoke tokens',
    description: 'Bearer tokens.',
    commands: [
      commandOf({
        usage: 'create',
        summary: 'create a token and print it',
        options: [
          DATA,
          { name: 'user', value: 'email', help: 'owner of the key', isRequired: true },
          { ...SCOPES, help: 'what the token allows: drive, drive.readonly, drive.file, …' },
          { name: 'client', value: 'id', help: 'program that uses the token (default: hla)' },
          {
            name: 'expires',
            value: 'time',
            reading: duration,
            help: 'lifetime: 30m, 12h (default: until revoked)',
          },
          { name: 'label', value: 'text', help: 'a note on its purpose' },
          {
            name: 'refresh',
            help: 'create a refresh token, which programs exchange for access tokens at /token',
          },
        ],
        examples: drive(
          'token create --user ben@lab.example --expires 12h > token',
          'token create --user ben@lab.example --scopes drive.readonly > read',
          'token create --user ben@lab.example --refresh > refresh',
        ),
        run: async (_, options) => (await tokens()).createTokenCommand(options),
      }),
      commandOf({
        usage: 'list',
        summary: 'list tokens, without their secrets',
        options: STORE,
        examples: drive('token list'),
        run: async (_, options) => (await tokens()).listTokensCommand(options),
      }),
      commandOf({
        usage: 'revoke <token>',
        summary: 'revoke a token, given in full or by its name in the list',
        options: [DATA],
        examples: drive('token revoke "$(cat token)"', `token revoke ${EXAMPLE_IDS.token}`),
        run: async ([name = ''], options) => (await tokens()).revokeTokenCommand(name, options),
      }),
    ],
  },
  {
    usage: 'account',
    summary: 'add, list and remove service accounts',
    description: 'Service accounts.',
    commands: [
      commandOf({
        usage: 'add <email>',
        summary: 'add a service account and print its credentials',
        options: ACCOUNT,
        examples: drive('account add bot@lab.example --url https://lab.example > bot.json'),
        run: async ([email = ''], options) => (await accounts()).addAccountCommand(email, options),
      }),
      commandOf({
        usage: 'list',
        summary: 'list service accounts',
        options: STORE,
        examples: drive('account list'),
        run: async (_, options) => (await accounts()).listAccountsCommand(options),
      }),
      commandOf({
        usage: 'remove <email>',
        summary: 'remove a service account with its keys and its program',
        options: REMOVAL,
        examples: drive('account remove old-bot@lab.example'),
        run: async ([email = ''], options) =>
          (await users()).removeUserCommand(email, options, 'accounts.delete'),
      }),
    ],
  },
  {
    usage: 'key',
    summary: 'add, list, rotate and revoke keys of service accounts',
    description: 'Keys of service accounts.',
    commands: [
      commandOf({
        usage: 'add <account>',
        summary: 'add a key to a service account and print its credentials',
        options: ACCOUNT,
        examples: drive('key add bot@lab.example --url https://lab.example > key.json'),
        run: async ([email = ''], options) => (await accounts()).addKeyCommand(email, options),
      }),
      commandOf({
        usage: 'list',
        summary: 'list keys, without their secrets',
        options: STORE,
        examples: drive('key list'),
        run: async (_, options) => (await accounts()).listKeysCommand(options),
      }),
      commandOf({
        usage: 'set <key>',
        summary: 'rename, disable or enable a key',
        options: [DATA, NAME, ...SWITCH, JSON_OUTPUT],
        examples: drive(`key set ${EXAMPLE_IDS.key} --disable`, `key set ${EXAMPLE_IDS.key} --enable`),
        run: async ([kid = ''], options) => (await accounts()).changeKeyCommand(kid, options),
      }),
      commandOf({
        usage: 'rotate <key>',
        summary: 'replace a key and print the new credentials',
        options: CREDENTIALS,
        examples: drive(`key rotate ${EXAMPLE_IDS.key} > key.json`),
        run: async ([kid = ''], options) => (await accounts()).rotateKeyCommand(kid, options),
      }),
      commandOf({
        usage: 'revoke <key>',
        summary: 'revoke a key, and the tokens that were issued for it',
        options: [DATA],
        examples: drive(`key revoke ${EXAMPLE_IDS.key}`),
        run: removal('keys.delete'),
      }),
    ],
  },
  {
    usage: 'client',
    summary: 'add, change, list and remove programs',
    description: 'Programs.',
    commands: [
      commandOf({
        usage: 'add <id>',
        summary: 'add a program',
        options: PROGRAM,
        examples: drive('client add typing --name Typing'),
        run: async ([id = ''], options) => (await clients()).addClientCommand(id, options),
      }),
      commandOf({
        usage: 'set <id>',
        summary: 'change the description of a program',
        options: [...PROGRAM, ...SWITCH],
        examples: drive(
          'client set typing --redirect http://localhost --name "Typing desk"',
          'client set typing --disable',
        ),
        run: async ([id = ''], options) => (await clients()).changeClientCommand(id, options),
      }),
      commandOf({
        usage: 'credentials <id>',
        summary: 'create a new secret for a program, replacing the old one, and print the credentials',
        options: CREDENTIALS,
        examples: drive(
          'client set typing --enable',
          'client credentials typing --url https://lab.example > client.json',
        ),
        run: async ([id = ''], options) => (await clients()).clientCredentialsCommand(id, options),
      }),
      commandOf({
        usage: 'list',
        summary: 'list programs',
        options: STORE,
        examples: drive('client list'),
        run: async (_, options) => (await clients()).listClientsCommand(options),
      }),
      commandOf({
        usage: 'remove <id>',
        summary: 'remove a program and its own data',
        options: [DATA],
        examples: drive('client remove typing'),
        run: removal('clients.delete'),
      }),
    ],
  },
  {
    usage: 'label',
    summary: 'define, change, list and remove labels',
    description: 'Labels of files.',
    commands: [
      commandOf({
        usage: 'set <id>',
        summary: 'define a label, or change it',
        options: [
          DATA,
          {
            name: 'fields',
            value: 'file',
            help: 'JSON of its fields: id, valueType, choices, maxLength, maxValues',
          },
          { name: 'rename', value: 'id', help: 'new id of the label' },
          { name: 'disable', help: 'files that have the label keep it; no other file can get it' },
          { name: 'enable', help: 'in use again' },
          JSON_OUTPUT,
        ],
        examples: drive('label set checked --fields fields.json'),
        run: async ([id = ''], options) => (await labels()).setLabelCommand(id, options),
      }),
      commandOf({
        usage: 'list',
        summary: 'list labels',
        options: STORE,
        examples: [
          ['hla drive label list', 'ID       REVISION  FIELDS  DISABLED\nchecked  1         by      false'],
        ],
        run: async (_, options) => (await labels()).listLabelsCommand(options),
      }),
      commandOf({
        usage: 'remove <id>',
        summary: 'remove a label, also from files that have it',
        options: [DATA],
        examples: drive('label remove checked'),
        run: removal('labels.delete'),
      }),
    ],
  },
  {
    usage: 'limit',
    summary: 'set and list limits',
    description: 'Limits of the store.',
    commands: [
      commandOf({
        usage: 'set <name=number>',
        summary: 'set a limit; name=standard resets it',
        options: STORE,
        examples: [
          [
            'hla drive limit set folder-children=20000',
            `NAME             LIMIT   STANDARD  SET   OF
folder-children  20,000  500,000   true  items in a folder`,
          ],
          ...drive('limit set folder-children=standard'),
        ],
        run: async ([limit = ''], options) => (await limits()).setLimitCommand(limit, options),
      }),
      commandOf({
        usage: 'list',
        summary: 'list limits',
        options: STORE,
        examples: drive('limit list'),
        run: async (_, options) => (await limits()).listLimitsCommand(options),
      }),
    ],
  },
]
