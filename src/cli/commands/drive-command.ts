/** `hla drive …`: the file store; everything of it is loaded when it is asked for. */
import type { Command } from 'commander'
import { addExamples } from '../help.ts'
import {
  accountOptions,
  clientOptions,
  copyOption,
  dataOption,
  deepOption,
  graceOption,
  jsonOption,
  memberOptions,
  repairOption,
  type ServeOptions,
  serveOptions,
  tokenOptions,
  userOptions,
} from './drive-options.ts'
import {
  CARE_EXAMPLES,
  GROUP_EXAMPLES,
  ownExamples,
  SERVE_EXAMPLES,
  TOKEN_EXAMPLES,
  USER_EXAMPLES,
} from './drive-examples.ts'
import { defineFileCommands } from './drive-file-commands.ts'

export function defineDriveCommand(drive: Command, done: (status: number) => void): void {
  const define = definer(done)
  const serve = define(drive, 'serve', 'run the file storage service', async (_, options: ServeOptions) => {
    const { serveDrive } = await import('../drive/serve.ts')
    return serveDrive(options)
  })
  for (const option of serveOptions()) serve.addOption(option)
  addExamples(serve, SERVE_EXAMPLES)
  defineFileCommands(drive, done)
  const user = drive.command('user').summary('add, change and list users').description('Users.')
  defineUsers(user, define)
  addExamples(user, USER_EXAMPLES)
  const group = drive.command('group').summary('add, change and list groups').description('Groups of users.')
  defineGroups(group, define)
  addExamples(group, GROUP_EXAMPLES)
  const token = drive.command('token').summary('create, list and revoke tokens').description('Bearer tokens.')
  defineTokens(token, define)
  addExamples(token, TOKEN_EXAMPLES)
  const account = drive.command('account').summary('add service accounts').description('Service accounts.')
  defineAccounts(account, define)
  defineClients(drive.command('client').summary('add and list programs').description('Programs.'), define)
  defineLabels(
    drive.command('label').summary('define and list labels').description('Labels of files.'),
    define,
  )
  defineLimits(
    drive.command('limit').summary('set and list limits').description('Limits of the store.'),
    define,
  )
  defineCare(drive, define)
}

/** Options are what commander makes of those that were added. */
type Run<Options> = (argument: string, options: Options) => Promise<number>
type Define = <Options>(parent: Command, usage: string, summary: string, run: Run<Options>) => Command

function definer(done: (status: number) => void): Define {
  return <Options>(parent: Command, usage: string, summary: string, run: Run<Options>) => {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    const command = parent.command(usage).summary(summary).description(sentence).addOption(dataOption())
    addExamples(command, ownExamples(wordsOf(parent, command)))
    return command.action(async (...given: unknown[]) => {
      const argument = typeof given[0] === 'string' ? given[0] : ''
      // as the options of this command were declared
      done(await run(argument, command.opts() as Options))
    })
  }
}

/** Behind `hla drive`. */
function wordsOf(parent: Command, command: Command): string {
  return parent.name() === 'drive' ? command.name() : `${parent.name()} ${command.name()}`
}

function defineUsers(user: Command, define: Define): void {
  const load = () => import('../drive/user.ts')
  const add = define(user, 'add <email>', 'add a user', async (email, options: never) =>
    (await load()).addUserCommand(email, options),
  )
  const set = define(
    user,
    'set <email>',
    'change the quota or the rights of a user',
    async (email, options: never) => (await load()).changeUserCommand(email, options),
  )
  for (const option of userOptions('new')) add.addOption(option)
  for (const option of userOptions('known')) set.addOption(option)
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
  const set = define(group, 'set <email>', 'change who is in a group', async (email, options: never) =>
    (await load()).changeGroupCommand(email, options),
  )
  for (const option of memberOptions()) set.addOption(option)
  define(group, 'list', 'list groups and who is in them', async (_, options: never) =>
    (await load()).listGroupsCommand(options),
  ).addOption(jsonOption())
}

function defineTokens(token: Command, define: Define): void {
  const load = () => import('../drive/token.ts')
  const create = define(token, 'create', 'create a token and print it', async (_, options: never) =>
    (await load()).createTokenCommand(options),
  )
  for (const option of tokenOptions()) create.addOption(option)
  define(token, 'list', 'list tokens, without what they are', async (_, options: never) =>
    (await load()).listTokensCommand(options),
  ).addOption(jsonOption())
  define(
    token,
    'revoke <token>',
    'revoke a token, or the one of a name in the list',
    async (name, options: never) => (await load()).revokeTokenCommand(name, options),
  )
}

function defineAccounts(account: Command, define: Define): void {
  const add = define(
    account,
    'add <email>',
    'add a service account and print its credentials',
    async (email, options: never) => (await import('../drive/account.ts')).addAccountCommand(email, options),
  )
  for (const option of accountOptions()) add.addOption(option)
}

function defineClients(client: Command, define: Define): void {
  const load = () => import('../drive/client.ts')
  const add = define(client, 'add <id>', 'add a program', async (id, options: never) =>
    (await load()).addClientCommand(id, options),
  )
  const set = define(client, 'set <id>', 'change what is said of a program', async (id, options: never) =>
    (await load()).changeClientCommand(id, options),
  )
  for (const one of [add, set]) for (const option of clientOptions()) one.addOption(option)
  define(client, 'list', 'list programs', async (_, options: never) =>
    (await load()).listClientsCommand(options),
  ).addOption(jsonOption())
}

function defineLabels(label: Command, define: Define): void {
  const load = () => import('../drive/label.ts')
  define(label, 'set <id>', 'define a label, or define it again', async (id, options: never) =>
    (await load()).setLabelCommand(id, options),
  )
    .option('--fields <file>', 'JSON of its fields: id, valueType, choices, maxLength, maxValues')
    .addOption(jsonOption())
  define(label, 'list', 'list labels', async (_, options: never) =>
    (await load()).listLabelsCommand(options),
  ).addOption(jsonOption())
}

function defineLimits(limit: Command, define: Define): void {
  const load = () => import('../drive/limit.ts')
  define(
    limit,
    'set <name=number>',
    'set a limit; name=standard takes that back',
    async (given, options: never) => (await load()).setLimitCommand(given, options),
  ).addOption(jsonOption())
  define(limit, 'list', 'list limits', async (_, options: never) =>
    (await load()).listLimitsCommand(options),
  ).addOption(jsonOption())
}

function defineCare(drive: Command, define: Define): void {
  const load = () => import('../drive/care.ts')
  define(drive, 'status', 'count what there is', async (_, options: never) =>
    (await load()).statusCommand(options),
  ).addOption(jsonOption())
  define(drive, 'fsck', 'check the store, and mend it', async (_, options: never) =>
    (await load()).fsckCommand(options),
  )
    .addOption(deepOption())
    .addOption(repairOption())
    .addOption(jsonOption())
  define(drive, 'gc', 'remove what nothing names any more', async (_, options: never) =>
    (await load()).gcCommand(options),
  )
    .addOption(graceOption())
    .addOption(jsonOption())
  const backup = define(
    drive,
    'backup <folder>',
    'copy the store, also while it is in use',
    async (to, options: never) => (await load()).backupCommand(to, options),
  )
  addExamples(backup.addOption(copyOption()), CARE_EXAMPLES)
  define(drive, 'restore <backup>', 'make a store of a backup', async (from, options: never) =>
    (await load()).restoreCommand(from, options),
  )
}
