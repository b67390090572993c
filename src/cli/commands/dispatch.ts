/** From a command that was declared to what it does. */
import type { Command } from 'commander'
import { writeAll } from '../../io/stdout.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import { EXIT } from '../exit-status.ts'
import type { VerifyOptions } from '../options/declare/provenance.ts'
import type { ServeOptions } from '../options/declare/serve.ts'
import type { GlobalOptions } from '../options/options.ts'
import { applySettings } from '../run/settings.ts'
import type { Actions } from './actions.ts'
import { DATA_ACTIONS } from './data.ts'
import { runOperationCommand } from './operation.ts'
import { runPipeCommand } from './pipe.ts'

/** `run` is given the first argument, and the options as they were declared. */
function on(run: (argument: string, options: never) => Promise<number>): Actions[string] {
  return ([argument = ''], command) => run(argument, command.opts() as never)
}

/** `run` is given all arguments. */
function onAll(run: (words: readonly string[], options: never) => Promise<number>): Actions[string] {
  return (words, command) => run(words, command.opts() as never)
}

const files = () => import('../run/files/commands.ts')
const users = () => import('../run/drive/user.ts')
const groups = () => import('../run/drive/group.ts')
const tokens = () => import('../run/drive/token.ts')
const accounts = () => import('../run/drive/account.ts')
const clients = () => import('../run/drive/client.ts')
const labels = () => import('../run/drive/label.ts')
const limits = () => import('../run/drive/limit.ts')
const care = () => import('../run/drive/care.ts')

/** Everything of the store is loaded when it is asked for. */
const DRIVE_ACTIONS: Actions = {
  'drive serve': on(async (_, options) => (await import('../run/drive/serve.ts')).serveDrive(options)),
  'drive ls': onAll(async (paths, options) => (await files()).lsCommand(paths, options)),
  'drive get': on(async (path, options) => (await files()).getCommand(path, options)),
  'drive put': onAll(async (words, options) => (await files()).putCommand(words, options)),
  'drive rm': onAll(async (paths, options) => (await files()).rmCommand(paths, options)),
  'drive log': on(async (path, options) => (await files()).logCommand(path, options)),
  'drive share': on(async (path, options) => (await files()).shareCommand(path, options)),
  'drive watch': onAll(async (words, options) =>
    (await import('../run/watch/watch.ts')).watchCommand(words, options),
  ),
  'drive user add': on(async (email, options) => (await users()).addUserCommand(email, options)),
  'drive user set': on(async (email, options) => (await users()).changeUserCommand(email, options)),
  'drive user remove': on(async (email, options) => (await users()).removeUserCommand(email, options)),
  'drive user list': on(async (_, options) => (await users()).listUsersCommand(options)),
  'drive group add': on(async (email, options) => (await groups()).addGroupCommand(email, options)),
  'drive group set': on(async (email, options) => (await groups()).changeGroupCommand(email, options)),
  'drive group remove': on(async (email, options) => (await groups()).removeGroupCommand(email, options)),
  'drive group list': on(async (_, options) => (await groups()).listGroupsCommand(options)),
  'drive token create': on(async (_, options) => (await tokens()).createTokenCommand(options)),
  'drive token list': on(async (_, options) => (await tokens()).listTokensCommand(options)),
  'drive token revoke': on(async (name, options) => (await tokens()).revokeTokenCommand(name, options)),
  'drive account add': on(async (email, options) => (await accounts()).addAccountCommand(email, options)),
  'drive account remove': on(async (email, options) =>
    (await users()).removeUserCommand(email, options, 'removeAccount'),
  ),
  'drive account list': on(async (_, options) => (await accounts()).listAccountsCommand(options)),
  'drive key add': on(async (email, options) =>
    (await accounts()).addAccountCommand(email, options, 'addKey'),
  ),
  'drive key rotate': on(async (kid, options) => (await accounts()).rotateKeyCommand(kid, options)),
  'drive key set': on(async (kid, options) => (await accounts()).changeKeyCommand(kid, options)),
  'drive key revoke': on(async (kid, options) => (await accounts()).removeKeyCommand(kid, options)),
  'drive key list': on(async (_, options) => (await accounts()).listKeysCommand(options)),
  'drive client add': on(async (id, options) => (await clients()).addClientCommand(id, options)),
  'drive client set': on(async (id, options) => (await clients()).changeClientCommand(id, options)),
  'drive client remove': on(async (id, options) => (await clients()).removeClientCommand(id, options)),
  'drive client list': on(async (_, options) => (await clients()).listClientsCommand(options)),
  'drive label set': on(async (id, options) => (await labels()).setLabelCommand(id, options)),
  'drive label remove': on(async (id, options) => (await labels()).removeLabelCommand(id, options)),
  'drive label list': on(async (_, options) => (await labels()).listLabelsCommand(options)),
  'drive limit set': on(async (given, options) => (await limits()).setLimitCommand(given, options)),
  'drive limit list': on(async (_, options) => (await limits()).listLimitsCommand(options)),
  'drive status': on(async (_, options) => (await care()).statusCommand(options)),
  'drive fsck': on(async (_, options) => (await care()).fsckCommand(options)),
  'drive gc': on(async (_, options) => (await care()).gcCommand(options)),
  'drive backup': on(async (to, options) => (await care()).backupCommand(to, options)),
  'drive restore': on(async (from, options) => (await care()).restoreCommand(from, options)),
}

const settings = () => import('../run/config/config-command.ts')

const ACTIONS: Actions = {
  ...DATA_ACTIONS,
  ...DRIVE_ACTIONS,
  pipe: (_, command) => runPipeCommand(command.opts<GlobalOptions>()),
  serve: async (_, command) => (await import('../run/serve/serve.ts')).serve(command.opts<ServeOptions>()),
  'provenance verify': async ([file = ''], command) =>
    (await import('../run/provenance/verify.ts')).verifyProvenance(file, command.opts<VerifyOptions>()),
  'config list': async (words, command) => (await settings()).listSettings(words, command.opts()),
  'config get': async (words, command) => (await settings()).getSetting(words, command.opts()),
  'config set': async (words, command) => (await settings()).setSetting(words, command.opts()),
  'config unset': async (words, command) => (await settings()).unsetSetting(words, command.opts()),
  'config path': async (words, command) => (await settings()).printPath(words, command.opts()),
  'config check': async (words, command) => (await settings()).checkFiles(words, command.opts()),
  async completion([shell]) {
    const { COMPLETION_SCRIPTS } = await import('../../manual/completion/scripts.ts')
    // one of the choices of its argument
    writeAll(1, COMPLETION_SCRIPTS[shell as keyof typeof COMPLETION_SCRIPTS])
    return EXIT.ok
  },
  man: async (words) => (await import('../run/manual/show.ts')).showPage(words),
}

/** They are about settings, or answer the same whatever these are. */
const WITHOUT_SETTINGS = /^(?:config|completion|man)\b/

/** Gives the commands of a program what they do; `words` are the command line. The exit status goes to `done`. */
export function addActions(program: Command, words: readonly string[], done: (status: number) => void): void {
  for (const [command, path] of leaves(program)) {
    const operation = OPERATIONS.find(({ name }) => name === path)
    const action = ACTIONS[path]
    command.action(async (...given: unknown[]) => {
      if (!WITHOUT_SETTINGS.test(path)) await applySettings(command)
      if (operation !== undefined) return done(await runOperationCommand(command, operation, given, words))
      if (action === undefined) throw new Error(`the command ${path} does nothing`)
      // the arguments, then the options and the command
      const texts = given.slice(0, command.registeredArguments.length).flat()
      done(
        await action(
          texts.filter((one) => typeof one === 'string'),
          command,
        ),
      )
    })
  }
}

/** Commands that have none below them, with their words. */
function leaves(command: Command, path: readonly string[] = []): [Command, string][] {
  if (command.commands.length === 0) return [[command, path.join(' ')]]
  return command.commands.flatMap((one) => leaves(one, [...path, one.name()]))
}
