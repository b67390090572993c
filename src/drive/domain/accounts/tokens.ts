/** Bearer tokens, stored as digests: reading the store does not reveal a usable token. */
import { createHash } from 'node:crypto'
import { type Caller, SCOPES, type Scope, StorageFailure, invalid } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { newSecret } from '../../protocol/ids.ts'
import { endTokenByDigest, signInSource } from './end-tokens.ts'
import { ensureAppRoot } from './users.ts'

/** Digest by which the store finds a token. */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** A token of 192 random bits. Its name, the beginning of its digest, is typed on command lines: no "-" begins it. */
export function newToken(): string {
  const token = `hla_${newSecret()}`
  return digestToken(token).startsWith('-') ? newToken() : token
}

/** Reads scopes by their last path part, and ignores unknown ones. */
export function readScopes(text: string): Scope[] {
  const words = text.split(/[\s,]+/).map((word) => word.slice(word.lastIndexOf('/') + 1))
  return SCOPES.filter((scope) => words.includes(scope))
}

/** The words that name scopes, as they are written: what an answer says was granted. */
export function scopeWords(text: string): string {
  return text
    .split(/[\s,]+/)
    .filter((word) => readScopes(word).length > 0)
    .join(' ')
}

export interface NewToken {
  readonly digest: string
  readonly user: number
  readonly client: number
  readonly scopes: readonly Scope[]
  readonly kind: 'access' | 'refresh' | 'code'
  /** ms since 1970; undefined: never. */
  readonly expires?: number | undefined
  readonly label?: string | undefined
  /** Parent: digest of a refresh token, or a key as `keySource` names it. The token ends when its parent does. */
  readonly source?: string | undefined
  /** JSON of further facts. */
  readonly facts?: string | undefined
  /** New expiry of the refresh token `source`, if a sign-in gave it. */
  readonly renewed?: number | undefined
}

/** ms: longest lifetime of a token with an expiry. */
const CENTURY_MS = 100 * 365 * 86_400_000

/** @throws 400, 403 */
export function addToken(tx: Transaction, _caller: Caller, token: NewToken): void {
  const { digest, user, client, scopes, kind, expires = null, label = null, source = null } = token
  const { facts = '{}', renewed } = token
  if (scopes.length === 0) throw invalid('A token needs a scope.')
  if (expires !== null && expires > tx.now + CENTURY_MS)
    throw invalid('A token that expires can be valid for a hundred years at most.')
  requireEnabled(tx, token)
  const sql = `INSERT INTO tokens(digest, user, client, scopes, kind, expires, created, label, source, facts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  tx.run(sql, digest, user, client, scopes.join(' '), kind, expires, tx.now, label, source, facts)
  if (renewed !== undefined)
    tx.run(`UPDATE tokens SET expires = ? WHERE digest = ? AND source LIKE 'sign-in:%'`, renewed, source)
  ensureAppRoot(tx, user, client)
}

const OPEN = `SELECT 1 FROM principals p JOIN clients c WHERE p.pk = ?1 AND c.pk = ?2 AND p.is_known = 1
  AND p.is_disabled + c.is_disabled = 0 AND (?3 IS NULL OR EXISTS (SELECT 1 FROM tokens WHERE digest = ?3)
  OR EXISTS (SELECT 1 FROM account_keys k JOIN principals a ON a.pk = k.user WHERE 'key:' || k.kid = ?3
    AND k.is_disabled + a.is_disabled = 0))`

/** @throws 403 — the user, client or key is disabled, or the token's source is gone */
function requireEnabled(tx: Transaction, { user, client, source }: NewToken): void {
  const needed = source === signInSource(user) ? null : (source ?? null)
  if (tx.get(OPEN, user, client, needed) === undefined)
    throw new StorageFailure(403, 'disabled', 'The user, the program or the key is disabled.')
}

/** Ends a token as `endTokenByDigest` does. */
export function revokeToken(tx: Transaction, _caller: Caller, { digest }: { readonly digest: string }): void {
  endTokenByDigest(tx, digest)
}

export interface FoundToken {
  readonly caller: Caller
  /** ms since 1970 */
  readonly expires: number | undefined
  /** JSON. */
  readonly facts: string
}

/** Finds a token, expired ones included. */
export function findToken(
  db: Database,
  digest: string,
  kind: NewToken['kind'] = 'access',
): FoundToken | undefined {
  const sql = 'SELECT user, client, scopes, expires, source, facts FROM tokens WHERE digest = ? AND kind = ?'
  const row = db.get<TokenRow>(sql, digest, kind)
  if (row === undefined) return undefined
  const { user, client, expires, source } = row
  const via = source === null ? [digest] : [digest, source]
  const caller = { user, client, scopes: readScopes(row.scopes), via }
  return { caller, expires: expires ?? undefined, facts: row.facts }
}

interface TokenRow {
  readonly user: number
  readonly client: number
  readonly scopes: string
  readonly expires: number | null
  readonly source: string | null
  readonly facts: string
}

/** Checks the token again in the writer, before something begins that outlives the request. @throws 401 — revoked meanwhile */
export function requireLiveToken(tx: Transaction, { via = [] }: Caller): void {
  const [digest] = via
  if (digest === undefined || tx.get('SELECT 1 FROM tokens WHERE digest = ?', digest) !== undefined) return
  throw new StorageFailure(401, 'authError', 'Invalid Credentials', { location: 'Authorization' })
}

export interface TokenFacts {
  readonly digest: string
  readonly email: string
  readonly client: string
  readonly scopes: string
  readonly kind: string
  readonly expires: number | null
  readonly created: number
  readonly label: string | null
}

/** Selects `TokenFacts`, with the user as `p` and the client as `c`; callers append joins and the WHERE clause. */
export const TOKEN_FACTS = `SELECT t.digest, p.email, c.id AS client, t.scopes, t.kind, t.expires, t.created, t.label
  FROM tokens t`
