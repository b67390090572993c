/** What administrators and the operator change of a store: together or not at all, and written down with who did it. */
import type { Caller } from '../../contract/caller.ts'
import { StorageFailure } from '../../contract/failure.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import type { Store } from '../../persistence/store.ts'
import { addAccount, addKey, changeKey, removeAccount, removeKey, rotateKey } from '../accounts/accounts.ts'
import { addClient, changeClient, removeClient } from '../accounts/clients.ts'
import { removeUser } from '../accounts/remove-user.ts'
import { addToken, mustBeGood, revokeToken } from '../accounts/tokens.ts'
import { addUser, changeUser } from '../accounts/users.ts'
import { addGroup, addMembers, changeGroup, removeGroup, removeMembers } from '../access/groups.ts'
import { putLabel, removeLabel } from '../labels/label-definitions.ts'
import { setLimit } from '../limits.ts'
import { setPassword } from '../sign-in/passwords.ts'
import { hasAdministrator, mustAdminister } from './administrators.ts'
import { recordStep } from './record.ts'

export const ADMINISTRATIVE = {
  addUser,
  changeUser,
  removeUser,
  addGroup,
  addMembers,
  removeMembers,
  changeGroup,
  removeGroup,
  addClient,
  changeClient,
  removeClient,
  addAccount,
  removeAccount,
  addKey,
  changeKey,
  rotateKey,
  removeKey,
  addToken,
  revokeToken,
  setPassword,
  putLabel,
  removeLabel,
  setLimit,
}

export type AdministrativeName = keyof typeof ADMINISTRATIVE
export type StepInput<Name extends AdministrativeName> = Parameters<(typeof ADMINISTRATIVE)[Name]>[2]

/** One command with its input. */
export type AdministrativeStep = {
  readonly [Name in AdministrativeName]: { readonly command: Name; readonly input: StepInput<Name> }
}[AdministrativeName]

export interface Administering {
  readonly steps: readonly AdministrativeStep[]
}

/** @returns what the last step does. @throws 403; 409 — no administrator would be left; what a step refuses */
export function administer(tx: Transaction, caller: Caller, { steps }: Administering): unknown {
  const isOperator = caller.user === 0
  if (!isOperator) {
    mustBeGood(tx, caller)
    mustAdminister(tx, caller)
  }
  let result: unknown
  for (const step of steps) {
    recordStep(tx, caller, step)
    result = runStep(tx, caller, step)
  }
  // the operator can make another
  if (!isOperator && !hasAdministrator(tx))
    throw new StorageFailure(409, 'conflict', 'The store would have no administrator left.')
  return result
}

function runStep(tx: Transaction, caller: Caller, { command, input }: AdministrativeStep): unknown {
  // the input is that of the command which stands beside it
  const run = ADMINISTRATIVE[command] as (tx: Transaction, caller: Caller, input: unknown) => unknown
  return run(tx, caller, input)
}

/** Resolves when the change is on disk. */
export function administerStore<Result>(
  store: Store,
  caller: Caller,
  ...steps: readonly AdministrativeStep[]
): Promise<Result> {
  return store.write('administer', caller, { steps } satisfies Administering)
}
