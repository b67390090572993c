/** Clients: the programs that hold tokens. The store keeps apart what each client made. */
import { assured } from '../../../errors.ts'
import { type Caller, StorageFailure, notFound } from '../../contract/failure.ts'
import { readApp } from '../../protocol/bodies/app-facts.ts'
import { readRedirect } from '../../protocol/redirects.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { endTokens } from './end-tokens.ts'
import { removeItems } from '../files/remove-items.ts'

/** Client of tokens that name no client. */
export const OWN_CLIENT = 'hla'

export interface ClientFacts {
  readonly pk: number
  readonly id: string
  readonly name: string
  readonly is_disabled: number
  /** JSON array of redirect URIs. */
  readonly redirects: string
  /** Digest; null for a public client, which proves itself with PKCE. */
  readonly secret: string | null
}

const FACTS = 'SELECT pk, id, name, is_disabled, redirects, secret FROM clients'

export interface NewClient {
  readonly id: string
  readonly name?: string | undefined
  /** JSON of `AppFacts`. */
  readonly facts?: string | undefined
  /** Allowed redirect URIs. */
  readonly redirects?: readonly string[] | undefined
}

/** @throws 409 — the client exists; 400 */
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
  /** Disables the client: it has no tokens and gets none, for any user. */
  readonly isDisabled?: boolean | undefined
  /** Digest of the new client secret. */
  readonly secret?: string | undefined
}

/** Undefined fields keep their value. @throws 404 — no such client; 400 */
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
 * Removes a client with its private properties and its application data. Other items it made stay, without a client.
 * @throws 404; 409 — the store's own client, or that of a service account
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

/** Clears every reference, because the key may be assigned again. */
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

/** `location`: the parameter that named it. @throws 404 */
export function clientNamed(db: Database, id: string, location?: string): ClientFacts {
  const client = findClient(db, id)
  if (client === undefined) throw notFound('Client', id, location)
  return client
}

export function findClient(db: Database, id: string): ClientFacts | undefined {
  return db.get<ClientFacts>(`${FACTS} WHERE id = ?`, id)
}

export function clientByKey(db: Database, pk: number): ClientFacts {
  return assured(db.get<ClientFacts>(`${FACTS} WHERE pk = ?`, pk), `there is no client ${pk}`)
}

export function listClients(db: Database): ClientFacts[] {
  return db.all<ClientFacts>(`${FACTS} ORDER BY pk`)
}
