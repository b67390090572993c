/**
 * Authorization codes that a client exchanges for tokens: single-use, bound to a client, a redirect URI and a
 * verifier (RFC 6749, 7636).
 */
import { createHash } from 'node:crypto'
import type { Caller, Scope } from '../../contract/failure.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { endTokenByDigest, signInSource } from '../accounts/end-tokens.ts'
import { addToken } from '../accounts/tokens.ts'

/** Request data that a code is bound to. */
export interface CodeFacts {
  readonly redirect: string
  /** S256 challenge; undefined for a client that authenticates with a secret. */
  readonly challenge?: string | undefined
  /** Requested scopes, as the client wrote them. */
  readonly scope: string
  /** True to issue a refresh token too. */
  readonly isLasting: boolean
  /** Digest of the token issued for the code. */
  readonly given?: string | undefined
}

export interface NewCode {
  readonly digest: string
  readonly user: number
  readonly client: number
  readonly scopes: readonly Scope[]
  readonly facts: CodeFacts
}

/** ms: clients redeem a code at once. */
const CODE_LIFE_MS = 120_000

/** @throws 403 — the user or the client is disabled */
export function addCode(tx: Transaction, caller: Caller, { facts, ...code }: NewCode): void {
  addToken(tx, caller, {
    ...code,
    kind: 'code',
    expires: tx.now + CODE_LIFE_MS,
    facts: JSON.stringify(facts),
    source: signInSource(code.user),
  })
}

/** Tokens to be issued: digests, and expiry in ms since 1970. */
export interface NewTokens {
  readonly access: { readonly digest: string; readonly expires: number }
  readonly refresh: { readonly digest: string; readonly expires: number }
}

export interface RedeemCode extends NewTokens {
  readonly digest: string
  readonly client: number
  readonly redirect: string
  readonly verifier: string | undefined
}

/** Scopes of the issued tokens, or the reason for a refusal. */
export type Redeemed = { readonly scope: string; readonly isLasting: boolean } | { readonly refused: string }

interface CodeRow {
  readonly user: number
  readonly client: number
  readonly scopes: string
  readonly expires: number
  readonly facts: string
}

/** A code redeemed twice was intercepted: the tokens issued for it end. */
export function redeemCode(tx: Transaction, caller: Caller, asked: RedeemCode): Redeemed {
  const { digest, client } = asked
  const sql = `SELECT user, client, scopes, expires, facts FROM tokens WHERE digest = ? AND kind = 'code'`
  const row = tx.get<CodeRow>(sql, digest)
  if (row === undefined) return { refused: 'there is no such code' }
  // `addCode` writes this value
  const facts = JSON.parse(row.facts) as CodeFacts
  if (facts.given !== undefined) {
    endTokenByDigest(tx, facts.given)
    return { refused: 'the code was used before: the token issued for it has been revoked' }
  }
  const refused = whyRefused(row, facts, asked, tx.now)
  // any attempt uses the code up, even one with wrong data
  tx.run('UPDATE tokens SET facts = ? WHERE digest = ?', JSON.stringify({ ...facts, given: '' }), digest)
  if (refused !== undefined) return { refused }
  const scopes = row.scopes.split(' ') as Scope[] // addToken wrote them
  const { isLasting, scope } = facts
  const given = addSignedIn(tx, caller, { ...asked, user: row.user, client, scopes, scope, isLasting })
  tx.run('UPDATE tokens SET facts = ? WHERE digest = ?', JSON.stringify({ ...facts, given }), digest)
  return { scope, isLasting }
}

function whyRefused(
  { client, expires }: CodeRow,
  { redirect, challenge }: CodeFacts,
  asked: RedeemCode,
  now: number,
): string | undefined {
  if (expires <= now) return 'the code has expired'
  if (client !== asked.client) return 'the code belongs to another program'
  if (redirect !== asked.redirect) return 'redirect_uri is not the one that the code was sent to'
  if (challenge === undefined)
    return asked.verifier === undefined ? undefined : 'the code was requested without a code_challenge'
  if (asked.verifier === undefined) return 'code_verifier is missing'
  const made = createHash('sha256').update(asked.verifier).digest('base64url')
  return made === challenge ? undefined : 'code_verifier does not fit the code_challenge'
}

export interface SignedIn extends NewTokens {
  readonly user: number
  readonly client: number
  readonly scopes: readonly Scope[]
  readonly scope: string
  readonly isLasting: boolean
}

/** @returns the digest of the token that ends all of them with it */
export function addSignedIn(tx: Transaction, caller: Caller, signedIn: SignedIn): string {
  const { user, client, scopes, scope, isLasting, access, refresh } = signedIn
  const who = { user, client, scopes, facts: JSON.stringify({ scope }) }
  const source = signInSource(user)
  if (!isLasting) {
    addToken(tx, caller, { ...who, ...access, kind: 'access', source })
    return access.digest
  }
  addToken(tx, caller, { ...who, ...refresh, kind: 'refresh', source })
  addToken(tx, caller, { ...who, ...access, kind: 'access', source: refresh.digest })
  return refresh.digest
}
