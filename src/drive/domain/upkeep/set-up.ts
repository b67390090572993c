/** The first contents of a new store: its secret keys, a client, an owner and the owner's token. */
import { randomBytes } from 'node:crypto'
import type { Caller } from '../../contract/caller.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { addClient, OWN_CLIENT } from '../accounts/clients.ts'
import { isSetUp, writeSetting } from '../settings.ts'
import { addToken } from '../accounts/tokens.ts'
import { addUser } from '../accounts/users.ts'

export interface SetUp {
  /** Of the owner, who is an administrator. */
  readonly email: string
  /** Of the owner's token. */
  readonly digest: string
}

/** @returns false if the store was set up before: nothing is changed */
export function setUp(tx: Transaction, caller: Caller, { email, digest }: SetUp): boolean {
  if (isSetUp(tx)) return false
  for (const name of ['id-key', 'page-key'] as const)
    writeSetting(tx, name, randomBytes(32).toString('base64url'))
  const client = addClient(tx, caller, { id: OWN_CLIENT }).pk
  const user = addUser(tx, caller, { email, isAdmin: true }).pk
  addToken(tx, caller, {
    digest,
    user,
    client,
    // together they open every operation
    scopes: ['drive', 'drive.apps.readonly'],
    kind: 'access',
    expires: tx.now + 30 * 86_400_000,
    label: 'made at first start',
  })
  return true
}
