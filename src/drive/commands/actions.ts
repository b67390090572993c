/** Actions of the `hla drive` commands. Store modules are loaded on demand, as is this list. */
import type { Actions } from '../../cli/commands/actions.ts'

/** Adapts `run`, which takes the first argument and the declared options. */
function on(run: (argument: string, options: never) => Promise<number>): Actions[string] {
  return ([argument = ''], command) => run(argument, command.opts() as never)
}

/** Adapts `run`, which takes all arguments. */
function onAll(run: (words: readonly string[], options: never) => Promise<number>): Actions[string] {
  return (words, command) => run(words, command.opts() as never)
}

/** Asks, as the operator, to remove what the argument names. */
function removal(id: `${'groups' | 'keys' | 'clients' | 'labels'}.delete`): Actions[string] {
  return on(async (name, options) =>
    (await import('./administration/as-operator.ts')).sendAsOperator(options, id, { path: [name] }),
  )
}

const files = () => import('./files/commands.ts')
const users = () => import('./administration/user.ts')
const groups = () => import('./administration/group.ts')
const tokens = () => import('./administration/token.ts')
const accounts = () => import('./administration/account.ts')
const clients = () => import('./administration/client.ts')
const labels = () => import('./administration/label.ts')
const limits = () => import('./administration/limit.ts')
const care = () => import('./administration/care.ts')

export const DRIVE_ACTIONS: Actions = {
  'drive serve': on(async (_, options) => (await import('../serve/serve.ts')).serveDrive(options)),
  'drive login': on(async (word, options) => (await import('./files/login.ts')).loginCommand(word, options)),
  'drive logout': on(async (word, options) =>
    (await import('./files/login.ts')).logoutCommand(word, options),
  ),
  'drive ls': onAll(async (paths, options) => (await files()).lsCommand(paths, options)),
  'drive get': on(async (path, options) => (await files()).getCommand(path, options)),
  'drive put': onAll(async (words, options) => (await files()).putCommand(words, options)),
  'drive rm': onAll(async (paths, options) => (await files()).rmCommand(paths, options)),
  'drive mv': onAll(async (words, options) => (await files()).mvCommand(words, options)),
  'drive cp': onAll(async (words, options) => (await files()).cpCommand(words, options)),
  'drive mkdir': onAll(async (paths, options) => (await files()).mkdirCommand(paths, options)),
  'drive search': onAll(async (words, options) => (await files()).searchCommand(words, options)),
  'drive trash': onAll(async (paths, options) => (await files()).trashCommand(paths, options)),
  'drive untrash': onAll(async (paths, options) => (await files()).untrashCommand(paths, options)),
  'drive empty-trash': onAll(async (words, options) => (await files()).emptyTrashCommand(words, options)),
  'drive sync': onAll(async (words, options) => (await import('./sync/sync.ts')).syncCommand(words, options)),
  'drive log': on(async (path, options) => (await files()).logCommand(path, options)),
  'drive share': on(async (path, options) => (await files()).shareCommand(path, options)),
  'drive link list': on(async (_, options) => (await files()).listLinksCommand(options)),
  'drive rule add': on(async (path, options) => (await files()).addRuleCommand(path, options)),
  'drive rule list': on(async (path, options) => (await files()).listRulesCommand(path, options)),
  'drive rule remove': on(async (id, options) => (await files()).removeRuleCommand(id, options)),
  'drive user add': on(async (email, options) => (await users()).addUserCommand(email, options)),
  'drive user set': on(async (email, options) => (await users()).changeUserCommand(email, options)),
  'drive user remove': on(async (email, options) => (await users()).removeUserCommand(email, options)),
  'drive user list': on(async (_, options) => (await users()).listUsersCommand(options)),
  'drive group add': on(async (email, options) => (await groups()).addGroupCommand(email, options)),
  'drive group set': on(async (email, options) => (await groups()).changeGroupCommand(email, options)),
  'drive group remove': removal('groups.delete'),
  'drive group list': on(async (_, options) => (await groups()).listGroupsCommand(options)),
  'drive token create': on(async (_, options) => (await tokens()).createTokenCommand(options)),
  'drive token list': on(async (_, options) => (await tokens()).listTokensCommand(options)),
  'drive token revoke': on(async (name, options) => (await tokens()).revokeTokenCommand(name, options)),
  'drive account add': on(async (email, options) => (await accounts()).addAccountCommand(email, options)),
  'drive account remove': on(async (email, options) =>
    (await users()).removeUserCommand(email, options, 'accounts.delete'),
  ),
  'drive account list': on(async (_, options) => (await accounts()).listAccountsCommand(options)),
  'drive key add': on(async (email, options) => (await accounts()).addKeyCommand(email, options)),
  'drive key rotate': on(async (kid, options) => (await accounts()).rotateKeyCommand(kid, options)),
  'drive key set': on(async (kid, options) => (await accounts()).changeKeyCommand(kid, options)),
  'drive key revoke': removal('keys.delete'),
  'drive key list': on(async (_, options) => (await accounts()).listKeysCommand(options)),
  'drive client add': on(async (id, options) => (await clients()).addClientCommand(id, options)),
  'drive client set': on(async (id, options) => (await clients()).changeClientCommand(id, options)),
  'drive client credentials': on(async (id, options) =>
    (await clients()).clientCredentialsCommand(id, options),
  ),
  'drive client remove': removal('clients.delete'),
  'drive client list': on(async (_, options) => (await clients()).listClientsCommand(options)),
  'drive label set': on(async (id, options) => (await labels()).setLabelCommand(id, options)),
  'drive label remove': removal('labels.delete'),
  'drive label list': on(async (_, options) => (await labels()).listLabelsCommand(options)),
  'drive limit set': on(async (given, options) => (await limits()).setLimitCommand(given, options)),
  'drive limit list': on(async (_, options) => (await limits()).listLimitsCommand(options)),
  'drive status': on(async (_, options) => (await care()).statusCommand(options)),
  'drive fsck': on(async (_, options) => (await care()).fsckCommand(options)),
  'drive gc': on(async (_, options) => (await care()).gcCommand(options)),
  'drive backup': on(async (to, options) => (await care()).backupCommand(to, options)),
  'drive restore': on(async (from, options) => (await care()).restoreCommand(from, options)),
}
