/** What the operator asks of the service that holds the store, rather than writing beside it: it waits for no lock, and is known at once. */
import { type CommandName, OPERATOR } from '../domain/commands.ts'
import { forgetUsers } from '../domain/accounts/user-view.ts'
import { tidy } from '../domain/upkeep/tidy.ts'
import { invalid } from '../contract/failure.ts'
import type { DriveContext } from './requests/call.ts'

export type Administered =
  | { readonly command: CommandName; readonly input: unknown }
  | { readonly task: 'gc'; readonly grace: number | undefined }

/** Of the commands those that no request runs, or none for a user. */
const COMMANDS: ReadonlySet<string> = new Set<CommandName>([
  'addUser', 'changeUser', 'removeUser', 'addGroup', 'changeGroup', 'removeGroup', 'addMembers', 'removeMembers', 'addClient',
  'changeClient', 'removeClient', 'addAccount', 'removeAccount', 'addKey', 'changeKey', 'rotateKey', 'removeKey', 'addToken',
  'revokeToken', 'putLabel', 'removeLabel', 'setLimit',
]) // prettier-ignore

/** @throws 400 — the operator has no such command; what the command refuses */
export async function administer(
  { store, callers }: Pick<DriveContext, 'store' | 'callers'>,
  asked: Administered,
): Promise<unknown> {
  if ('task' in asked) return tidy(store, { grace: asked.grace })
  const { command, input } = asked
  if (!COMMANDS.has(command)) throw invalid(`There is no command ${command}.`)
  try {
    return await store.write(command, OPERATOR, input)
  } finally {
    callers.forget()
    // one of them may have another name
    forgetUsers(store.read)
  }
}
