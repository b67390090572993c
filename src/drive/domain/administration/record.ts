/** What was administered, when, and by whom: kept in the store, in the transaction of the change, and never with a secret. */
import type { Caller } from '../../contract/caller.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { readLimits } from '../limits.ts'

/** What is a secret or proves one, and keys that mean nothing outside. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'hash', 'digest', 'publicKey', 'secret', 'facts', 'pk', 'user', 'client', 'next', 'source', 'renewed',
]) // prettier-ignore

export interface RecordedStep {
  readonly command: string
  readonly input: object
}

/** Before the step is run: afterwards what it is about may be gone. */
export function recordStep(tx: Transaction, { user }: Caller, { command, input }: RecordedStep): void {
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

/** Characters of a token's digest by which it is named. */
const TOKEN_NAME = 10

function subjectNamed(db: Database, given: ReadonlyMap<string, unknown>): string {
  const { pk, digest } = { pk: given.get('pk'), digest: given.get('digest') }
  if (typeof pk === 'number') return addressNamed(db, pk) ?? ''
  if (typeof digest === 'string') return digest.slice(0, TOKEN_NAME)
  const [name] = ['email', 'group', 'kid', 'id', 'name'].map((one) => given.get(one)).filter(isText)
  return name ?? ''
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Of a token. */
function ownerNamed(db: Database, given: ReadonlyMap<string, unknown>): string | undefined {
  const { user, digest } = { user: given.get('user'), digest: given.get('digest') }
  if (typeof user === 'number') return addressNamed(db, user)
  const sql = 'SELECT p.email FROM tokens t JOIN principals p ON p.pk = t.user WHERE t.digest = ?'
  return isText(digest) ? db.get<{ email: string }>(sql, digest)?.email : undefined
}

function addressNamed(db: Database, pk: number): string | undefined {
  return db.get<{ email: string | null }>('SELECT email FROM principals WHERE pk = ?', pk)?.email ?? undefined
}

const DAY = 86_400_000

/** @returns how many went */
export function purgeRecords(tx: Transaction, most: number): number {
  const end = tx.now - readLimits(tx)['administration-days'] * DAY
  const sql =
    'DELETE FROM administration WHERE pk IN (SELECT pk FROM administration WHERE at < ? ORDER BY pk LIMIT ?)'
  return tx.run(sql, end, most).changes
}
