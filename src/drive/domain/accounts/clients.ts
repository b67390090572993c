/** The programs that hold tokens; what a program made is told apart by it. */
import { type Caller, StorageFailure, notFound } from '../../contract/failure.ts'
import { type AppFacts, readApp, readAppFacts, textsIn } from '../../protocol/bodies/app-facts.ts'
import { readRedirect } from '../../protocol/redirects.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { endTokens } from './ended.ts'
import { removeItems } from '../files/remove-items.ts'
import { readScopes } from './tokens.ts'

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

export interface AppView {
  readonly id: string
  readonly name: string
  /** What the operator said of it. */
  readonly facts: AppFacts
  /** It holds a token of the caller's. */
  readonly isAuthorized: boolean
  /** With such a token it sees files that it did not make. */
  readonly hasWideScope: boolean
}

interface AppSearch {
  /** Without the dot. */
  readonly extensions: readonly string[]
  readonly mimes: readonly string[]
}

/** Those that hold tokens of the caller's or are installed for everybody; of these, with a search, those that open any of it. */
export function listApps(db: Database, caller: Caller, { extensions, mimes }: AppSearch): AppView[] {
  const apps = findApps(db, caller).filter(
    ({ isAuthorized, facts }) => isAuthorized || facts['installed'] === true,
  )
  if (extensions.length + mimes.length === 0) return apps
  return apps.filter(
    ({ facts }) => opens(facts, extensions, 'FileExtensions') || opens(facts, mimes, 'MimeTypes'),
  )
}

/** Any that there is. */
export function findApp(db: Database, caller: Caller, id: string): AppView | undefined {
  return findApps(db, caller).find((app) => app.id === id)
}

function opens(facts: AppFacts, wanted: readonly string[], what: 'FileExtensions' | 'MimeTypes'): boolean {
  const known = new Set(
    textsIn(facts, `primary${what}`, `secondary${what}`).map((text) => text.toLowerCase()),
  )
  return wanted.some((one) => known.has(one.toLowerCase()))
}

interface AppRow {
  readonly id: string
  readonly name: string
  readonly facts: string
  readonly scopes: string | null
}

const APPS = `SELECT id, name, facts, (SELECT group_concat(scopes, ' ') FROM tokens
  WHERE user = ?1 AND client = clients.pk AND (expires IS NULL OR expires > ?2)) AS scopes FROM clients ORDER BY pk`

function findApps(db: Database, { user }: Caller): AppView[] {
  return db.all<AppRow>(APPS, user, Date.now()).map(({ id, name, facts, scopes }) => ({
    id,
    name,
    facts: readAppFacts(facts),
    isAuthorized: scopes !== null,
    hasWideScope: readScopes(scopes ?? '').some((scope) => scope === 'drive' || scope === 'drive.readonly'),
  }))
}
