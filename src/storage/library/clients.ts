/** The programs that hold tokens; what a program made is told apart by it. */
import type { Caller } from '../model/caller.ts'
import { StorageFailure } from '../model/failure.ts'
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
}

/** @throws 409 — there is one */
export function addClient(tx: Transaction, _caller: Caller, { id, name = id }: NewClient): ClientFacts {
  if (findClient(tx, id) !== undefined)
    throw new StorageFailure(409, 'duplicate', `There is a client ${id} already.`)
  const { lastKey } = tx.run('INSERT INTO clients(id, name) VALUES (?, ?)', id, name)
  return { pk: lastKey, id, name }
}

export function findClient(db: Database, id: string): ClientFacts | undefined {
  return db.get<ClientFacts>('SELECT pk, id, name FROM clients WHERE id = ?', id)
}

export function listClients(db: Database): ClientFacts[] {
  return db.all<ClientFacts>('SELECT pk, id, name FROM clients ORDER BY pk')
}
