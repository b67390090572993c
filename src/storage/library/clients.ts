/** The programs that hold tokens; what a program made is told apart by it. */
import type { Caller } from '../model/caller.ts'
import { notFound, StorageFailure } from '../model/failure.ts'
import { readAppFacts } from '../query/app-facts.ts'
import type { Database, Transaction } from '../store/database.ts'

/** Tokens that name no program are this one's. */
export const OWN_CLIENT = 'hla'

export interface ClientFacts {
  readonly pk: number
  readonly id: string
  readonly name: string
}

export interface NewClient {
  readonly id: string
  readonly name?: string | undefined
  /** JSON of `AppFacts`. */
  readonly facts?: string | undefined
}

/** @throws 409 — there is one; 400 */
export function addClient(
  tx: Transaction,
  _caller: Caller,
  { id, name = id, facts = '{}' }: NewClient,
): ClientFacts {
  if (findClient(tx, id) !== undefined)
    throw new StorageFailure(409, 'duplicate', `There is a client ${id} already.`)
  const checked = JSON.stringify(readAppFacts(facts))
  const { lastKey } = tx.run('INSERT INTO clients(id, name, facts) VALUES (?, ?, ?)', id, name, checked)
  return { pk: lastKey, id, name }
}

/** What is undefined stays. @throws 404 — there is none; 400 */
export function changeClient(tx: Transaction, _caller: Caller, { id, name, facts }: NewClient): ClientFacts {
  const client = findClient(tx, id)
  if (client === undefined) throw notFound('Client', id)
  if (name !== undefined) tx.run('UPDATE clients SET name = ? WHERE pk = ?', name, client.pk)
  if (facts !== undefined)
    tx.run('UPDATE clients SET facts = ? WHERE pk = ?', JSON.stringify(readAppFacts(facts)), client.pk)
  return { ...client, name: name ?? client.name }
}

export function findClient(db: Database, id: string): ClientFacts | undefined {
  return db.get<ClientFacts>('SELECT pk, id, name FROM clients WHERE id = ?', id)
}

export function listClients(db: Database): ClientFacts[] {
  return db.all<ClientFacts>('SELECT pk, id, name FROM clients ORDER BY pk')
}
