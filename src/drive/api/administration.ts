/** What the operator asks of the service that holds the store, rather than writing beside it: it waits for no lock, and is known at once. */
import { OPERATOR } from '../domain/commands.ts'
import {
  ADMINISTRATIVE,
  type AdministrativeName,
  type AdministrativeStep,
  administerStore,
} from '../domain/administration/administer.ts'
import { forgetUsers } from '../domain/accounts/user-view.ts'
import { tidy } from '../domain/upkeep/tidy.ts'
import { invalid } from '../contract/failure.ts'
import type { DriveContext } from './requests/call.ts'

export type Administered =
  | { readonly command: AdministrativeName; readonly input: unknown }
  | { readonly task: 'gc'; readonly grace: number | undefined }

/** @throws 400 — the operator has no such command; what the command refuses */
export async function administer(
  { store, callers }: Pick<DriveContext, 'store' | 'callers'>,
  asked: Administered,
): Promise<unknown> {
  if ('task' in asked) return tidy(store, { grace: asked.grace })
  const { command, input } = asked
  if (!Object.hasOwn(ADMINISTRATIVE, command)) throw invalid(`There is no command ${command}.`)
  try {
    // as whoever asks by the socket has put them together
    return await administerStore(store, OPERATOR, { command, input } as AdministrativeStep)
  } finally {
    callers.forget()
    // one of them may have another name
    forgetUsers(store.read)
  }
}
