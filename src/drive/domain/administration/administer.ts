/** Administrative commands: all steps succeed or none, and each is recorded with its actor. */
import { type Caller, StorageFailure, lacksScope, noPermission } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import type { Store } from '../../persistence/store.ts'
import { addAccount, addKey, changeKey, removeAccount, removeKey, rotateKey } from '../accounts/accounts.ts'
import { OWN_CLIENT, addClient, changeClient, findClient, removeClient } from '../accounts/clients.ts'
import { removeUser } from '../accounts/remove-user.ts'
import { addToken, requireLiveToken, revokeToken } from '../accounts/tokens.ts'
import { addUser, changeUser } from '../accounts/users.ts'
import { requireVisibleFile } from '../access/access.ts'
import { addGroup, addMembers, changeGroup, removeGroup, removeMembers } from '../access/groups.ts'
import { putLabel, removeLabel } from '../labels/labels.ts'
import { readLimits, setLimit, setName } from '../settings.ts'
import { setPassword } from '../sign-in/passwords.ts'
import { signInSource } from '../accounts/end-tokens.ts'

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
  setName,
}

export type AdministrativeName = keyof typeof ADMINISTRATIVE
export type StepInput<Name extends AdministrativeName> = Parameters<(typeof ADMINISTRATIVE)[Name]>[2]
export type StepResult<Name extends AdministrativeName> = ReturnType<(typeof ADMINISTRATIVE)[Name]>

export type AdministrativeStep = {
  readonly [Name in AdministrativeName]: { readonly command: Name; readonly input: StepInput<Name> }
}[AdministrativeName]

export interface Administering {
  readonly steps: readonly AdministrativeStep[]
}

/** @returns the result of the last step. @throws 403; 409 — no administrator would be left; failures of the steps */
export function administer(tx: Transaction, caller: Caller, { steps }: Administering): unknown {
  const isOperator = caller.user === 0
  if (!isOperator) {
    requireLiveToken(tx, caller)
    mustAdminister(tx, caller)
  }
  let result: unknown
  for (const step of steps) {
    recordStep(tx, caller, step)
    result = runStep(tx, caller, step)
  }
  // the operator can always make another administrator
  if (!isOperator && !hasAdministrator(tx))
    throw new StorageFailure(409, 'conflict', 'The store would have no administrator left.')
  return result
}

function runStep(tx: Transaction, caller: Caller, { command, input }: AdministrativeStep): unknown {
  // `AdministrativeStep` pairs each command with its own input
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

/** Fields left out of the records: secrets, their digests, and keys without meaning outside the store. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'hash', 'digest', 'publicKey', 'secret', 'facts', 'pk', 'user', 'client', 'next', 'source', 'renewed',
]) // prettier-ignore

interface RecordedStep {
  readonly command: string
  readonly input: object
}

/** Records the step before it runs, because a removal deletes its subject. */
function recordStep(tx: Transaction, { user }: Caller, { command, input }: RecordedStep): void {
  const given = new Map<string, unknown>(Object.entries(input))
  const detail = Object.fromEntries(
    [...given].filter(([name, value]) => !LEFT_OUT.has(name) && value !== undefined),
  )
  if (given.has('hash')) detail['password'] = given.get('hash') === null ? 'removed' : 'set'
  const owner = command === 'addToken' || command === 'revokeToken' ? ownerNamed(tx, given) : undefined
  if (owner !== undefined) detail['user'] = owner
  const sql = 'INSERT INTO administration(at, actor, command, subject, detail) VALUES (?, ?, ?, ?, ?)'
  tx.run(sql, tx.now, user, command, subjectNamed(tx, given), JSON.stringify(detail))
}

/** Length of the digest prefix that names a token. */
const TOKEN_NAME_LENGTH = 10

function subjectNamed(db: Database, given: ReadonlyMap<string, unknown>): string {
  const { pk, digest } = { pk: given.get('pk'), digest: given.get('digest') }
  if (typeof pk === 'number') return addressNamed(db, pk) ?? ''
  if (typeof digest === 'string') return digest.slice(0, TOKEN_NAME_LENGTH)
  const [name] = ['email', 'group', 'kid', 'id', 'name'].map((one) => given.get(one)).filter(isText)
  return name ?? ''
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Address of a token's owner. */
function ownerNamed(db: Database, given: ReadonlyMap<string, unknown>): string | undefined {
  const { user, digest } = { user: given.get('user'), digest: given.get('digest') }
  if (typeof user === 'number') return addressNamed(db, user)
  const sql = 'SELECT p.email FROM tokens t JOIN principals p ON p.pk = t.user WHERE t.digest = ?'
  return isText(digest) ? db.get<{ email: string }>(sql, digest)?.email : undefined
}

function addressNamed(db: Database, pk: number): string | undefined {
  return db.get<{ email: string | null }>('SELECT email FROM principals WHERE pk = ?', pk)?.email ?? undefined
}

const DAY_MS = 86_400_000

/** @returns the number of records deleted */
export function purgeRecords(tx: Transaction, most: number): number {
  const end = tx.now - readLimits(tx)['administration-days'] * DAY_MS
  const sql =
    'DELETE FROM administration WHERE pk IN (SELECT pk FROM administration WHERE at < ? ORDER BY pk LIMIT ?)'
  return tx.run(sql, end, most).changes
}

const MAY = `kind = 'user' AND is_admin = 1 AND is_known = 1 AND is_disabled = 0`

export function isAdministrator(db: Database, caller: Caller): boolean {
  const { user } = caller
  return isOwn(db, caller) && db.get(`SELECT 1 FROM principals WHERE pk = ? AND ${MAY}`, user) !== undefined
}

/** @throws 403 */
export function mustAdminister(db: Database, caller: Caller): void {
  if (isAdministrator(db, caller)) return
  throw new StorageFailure(
    403,
    'forbidden',
    'Only an administrator who is signed in on the page of the store can do this.',
  )
}

interface AskedAccesses {
  readonly file?: string | undefined
  readonly user?: string | undefined
}

/** Administrators see all accesses; the owner of a file, or an organizer of its shared drive, those to it. @throws 403, 404 */
export function mustSeeAccesses(db: Database, caller: Caller, { file, user }: AskedAccesses): void {
  if (file === undefined || user !== undefined || isAdministrator(db, caller))
    return mustAdminister(db, caller)
  if (!caller.scopes.includes('drive')) throw lacksScope()
  const { role, id } = requireVisibleFile(db, caller, file, 'file')
  if (role !== 'owner' && role !== 'organizer') throw noPermission(id)
}

/** True for tokens that the operator or an administrator made for the store's own client, or that a sign-in on the page gave. */
function isOwn(db: Database, { user, client, scopes, via = [] }: Caller): boolean {
  const source = via[1]
  if (source !== undefined && source !== signInSource(user)) return false
  return scopes.includes('drive') && findClient(db, OWN_CLIENT)?.pk === client
}

function hasAdministrator(db: Database): boolean {
  return db.get(`SELECT 1 FROM principals WHERE ${MAY} LIMIT 1`) !== undefined
}
