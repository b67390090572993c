/** The programs that hold tokens; what a program made is told apart by it. */
import type { Caller } from '../../contract/caller.ts'
import { notFound, StorageFailure } from '../../contract/failure.ts'
import { readApp } from '../../protocol/bodies/app-facts.ts'
import { readRedirect } from '../../protocol/redirects.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { endTokens } from './end-access.ts'
import { removeItems } from '../files/remove-items.ts'

/** Tokens that name no program are this one's. */
export const OWN_CLIENT = 'hla'

export interface ClientFacts {
  readonly pk: number
  readonly id: string
  readonly name: string
  readonly is_disabled: number
  /** JSON of addresses. */
  readonly redirects: string
  /** Digest; null: it has none, and proves itself by what it asked with. */
  readonly secret: string | null
}

const FACTS = 'SELECT pk, id, name, is_disabled, redirects, secret FROM clients'

export interface NewClient {
  readonly id: string
  readonly name?: string | undefined
  /** JSON of `AppFacts`. */
  readonly facts?: string | undefined
  /** Where people who sign in to it are sent back to. */
  readonly redirects?: readonly string[] | undefined
}

/** @throws 409 — there is one; 400 */
export function addClient(
  tx: Transaction,
  _caller: Caller,
  { id, name: given, facts = '{}', redirects = [] }: NewClient,
): ClientFacts {
  if (findClient(tx, id) !== undefined)
    throw new StorageFailure(409, 'duplicate', `There is a client ${id} already.`)
  const app = readApp(facts)
  const name = given ?? app.name ?? id
  const checked = JSON.stringify(app.facts)
  const sql = 'INSERT INTO clients(id, name, facts, redirects) VALUES (?, ?, ?, ?)'
  tx.run(sql, id, name, checked, JSON.stringify(redirects.map(readRedirect)))
  return clientNamed(tx, id)
}

export interface ClientChanges extends NewClient {
  /** Has no token and gets none, of whatever user. */
  readonly isDisabled?: boolean | undefined
  /** Digest of what it proves itself with from now on. */
  readonly secret?: string | undefined
}

/** What is undefined stays. @throws 404 — there is none; 400 */
export function changeClient(
  tx: Transaction,
  _caller: Caller,
  { id, name: given, facts, isDisabled, redirects, secret }: ClientChanges,
): ClientFacts {
  const client = clientNamed(tx, id)
  const app = facts === undefined ? undefined : readApp(facts)
  const name = given ?? app?.name
  if (name !== undefined) tx.run('UPDATE clients SET name = ? WHERE pk = ?', name, client.pk)
  if (app !== undefined)
    tx.run('UPDATE clients SET facts = ? WHERE pk = ?', JSON.stringify(app.facts), client.pk)
  if (redirects !== undefined) {
    const known = JSON.stringify(redirects.map(readRedirect))
    tx.run('UPDATE clients SET redirects = ? WHERE pk = ?', known, client.pk)
  }
  if (secret !== undefined) tx.run('UPDATE clients SET secret = ? WHERE pk = ?', secret, client.pk)
  if (isDisabled !== undefined) {
    tx.run('UPDATE clients SET is_disabled = ? WHERE pk = ?', Number(isDisabled), client.pk)
    if (isDisabled) endTokens(tx, 'client', client.pk)
  }
  return clientNamed(tx, id)
}

/**
 * With what only it could read: its properties, and the data that it kept for users. What else it made is nobody's program's.
 * @throws 404; 409 — the program of tokens that name none, or of a service account
 */
export function removeClient(tx: Transaction, _caller: Caller, { id }: { readonly id: string }): void {
  const { pk } = clientNamed(tx, id)
  const isOfAccount = tx.get('SELECT 1 FROM account_keys WHERE client = ?', pk) !== undefined
  if (id === OWN_CLIENT || isOfAccount)
    throw new StorageFailure(409, 'conflict', `The client ${id} cannot be removed while it is used.`)
  endTokens(tx, 'client', pk)
  const roots = tx.all<{ root: number; user: number }>(
    'SELECT root, user FROM app_roots WHERE client = ?',
    pk,
  )
  for (const { root, user } of roots) removeItems(tx, [root], user)
  for (const sql of LEFTOVERS) tx.run(sql, pk)
}

/** The key may be given again. */
const LEFTOVERS = [
  'DELETE FROM app_roots WHERE client = ?',
  'DELETE FROM device_requests WHERE client = ?',
  'DELETE FROM properties WHERE app = ?',
  'DELETE FROM deliveries WHERE channel IN (SELECT pk FROM channels WHERE client = ?)',
  'DELETE FROM channels WHERE client = ?',
  'UPDATE files SET client = 0 WHERE client = ?',
  'UPDATE changes SET client = 0 WHERE client = ?',
  'UPDATE uploads SET client = 0 WHERE client = ?',
  'DELETE FROM clients WHERE pk = ?',
]

function clientNamed(db: Database, id: string): ClientFacts {
  const client = findClient(db, id)
  if (client === undefined) throw notFound('Client', id)
  return client
}

export function findClient(db: Database, id: string): ClientFacts | undefined {
  return db.get<ClientFacts>(`${FACTS} WHERE id = ?`, id)
}

export function clientByKey(db: Database, pk: number): ClientFacts {
  const client = db.get<ClientFacts>(`${FACTS} WHERE pk = ?`, pk)
  if (client === undefined) throw new Error(`there is no client ${pk}`)
  return client
}

export function listClients(db: Database): ClientFacts[] {
  return db.all<ClientFacts>(`${FACTS} ORDER BY pk`)
}
