/** `hla drive …`: the file store; everything of it is loaded when it is asked for. */
import type { Command } from 'commander'
import { addExamples } from '../help.ts'
import {
  clientOptions,
  copyOption,
  deepOption,
  fromOption,
  graceOption,
  jsonOption,
  repairOption,
  type ServeOptions,
  serveOptions,
  switchOptions,
  tokenOptions,
} from './drive-options.ts'
import { CARE_EXAMPLES, SERVE_EXAMPLES, TOKEN_EXAMPLES } from './drive-examples.ts'
import { type Define, definer } from './drive-define.ts'
import { defineFileCommands } from './drive-file-commands.ts'
import { definePeople, defineServiceAccounts } from './drive-people-commands.ts'

export function defineDriveCommand(drive: Command, done: (status: number) => void): void {
  const define = definer(done)
  const serve = define(drive, 'serve', 'run the file storage service', async (_, options: ServeOptions) => {
    const { serveDrive } = await import('../drive/serve.ts')
    return serveDrive(options)
  })
  for (const option of serveOptions()) serve.addOption(option)
  addExamples(serve, SERVE_EXAMPLES)
  defineFileCommands(drive, done)
  definePeople(drive, define)
  const token = drive.command('token').summary('create, list and revoke tokens').description('Bearer tokens.')
  defineTokens(token, define)
  addExamples(token, TOKEN_EXAMPLES)
  defineServiceAccounts(drive, define)
  const client = drive.command('client').summary('add, change, list and remove programs')
  defineClients(client.description('Programs.'), define)
  const label = drive.command('label').summary('define, change, list and remove labels')
  defineLabels(label.description('Labels of files.'), define)
  defineLimits(
    drive.command('limit').summary('set and list limits').description('Limits of the store.'),
    define,
  )
  defineCare(drive, define)
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

function defineClients(client: Command, define: Define): void {
  const load = () => import('../drive/client.ts')
  const add = define(client, 'add <id>', 'add a program', async (id, options: never) =>
    (await load()).addClientCommand(id, options),
  )
  const set = define(client, 'set <id>', 'change what is said of a program', async (id, options: never) =>
    (await load()).changeClientCommand(id, options),
  )
  for (const one of [add, set]) for (const option of clientOptions()) one.addOption(option)
  for (const option of switchOptions()) set.addOption(option)
  define(client, 'remove <id>', 'remove a program, and what it kept for itself', async (id, options: never) =>
    (await load()).removeClientCommand(id, options),
  )
  define(client, 'list', 'list programs', async (_, options: never) =>
    (await load()).listClientsCommand(options),
  ).addOption(jsonOption())
}

function defineLabels(label: Command, define: Define): void {
  const load = () => import('../drive/label.ts')
  const set = define(label, 'set <id>', 'define a label, or change it', async (id, options: never) =>
    (await load()).setLabelCommand(id, options),
  )
  set.option('--fields <file>', 'JSON of its fields: id, valueType, choices, maxLength, maxValues')
  set.option('--rename <id>', 'the id that it has from now on')
  set.option('--disable', 'files that have it show it; it is put on no other')
  set.option('--enable', 'in use again').addOption(jsonOption())
  define(label, 'remove <id>', 'remove a label, from files that have it, too', async (id, options: never) =>
    (await load()).removeLabelCommand(id, options),
  )
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
    .addOption(fromOption())
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
