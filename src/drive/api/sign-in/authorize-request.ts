/** What a program asks a browser to ask for (RFC 6749, 4.1.1; RFC 7636): checked before anybody is asked or sent anywhere. */
import type { FastifyRequest } from 'fastify'
import type { Scope } from '../../contract/caller.ts'
import { type ClientFacts, findClient } from '../../domain/accounts/clients.ts'
import { readScopes } from '../../domain/accounts/tokens.ts'
import type { Database } from '../../persistence/database/database.ts'
import { isKnownRedirect } from '../../protocol/redirects.ts'

export interface AuthorizeRequest {
  readonly client: ClientFacts
  readonly redirect: string
  readonly state: string | undefined
  readonly scopes: readonly Scope[]
  /** In the words of the program. */
  readonly scope: string
  readonly challenge: string | undefined
  readonly isLasting: boolean
}

export type CheckedRequest =
  | { readonly kind: 'asked'; readonly asked: AuthorizeRequest }
  /** Who is sent back is told by whoever asked. */
  | { readonly kind: 'back'; readonly redirect: string; readonly answer: Answer }
  /** Nobody is sent to an address that is not known. */
  | { readonly kind: 'stays'; readonly why: string }

type Answer = Readonly<Record<string, string | undefined>>

const PARAMETERS = [
  'client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method', 'access_type', 'prompt',
] as const // prettier-ignore

const CHALLENGE = /^[\w-]{43}$/

export function checkAuthorize(db: Database, request: FastifyRequest): CheckedRequest {
  const query = request.query as Record<string, unknown> // as fastify parses it
  const twice = PARAMETERS.find((name) => Array.isArray(query[name]))
  if (twice !== undefined) return { kind: 'stays', why: `The address of this page has ${twice} twice.` }
  const given = (name: (typeof PARAMETERS)[number]) => {
    const value = query[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const id = given('client_id')
  const client = id === undefined ? undefined : findClient(db, id)
  if (client === undefined || client.is_disabled === 1)
    return { kind: 'stays', why: 'The program that sent you here is not known to this store.' }
  const redirect = given('redirect_uri') ?? ''
  // as `readRedirect` let them in
  if (!isKnownRedirect(JSON.parse(client.redirects) as string[], redirect))
    return { kind: 'stays', why: `${client.name} asks to send you to an address that it is not known by.` }
  const state = given('state')
  const back = (error: string, why: string): CheckedRequest => ({
    kind: 'back',
    redirect,
    answer: { error, error_description: why, state },
  })
  if (given('response_type') !== 'code')
    return back('unsupported_response_type', 'response_type must be code')
  const scope = given('scope') ?? ''
  const scopes = readScopes(scope)
  if (scopes.length === 0) return back('invalid_scope', 'scope names nothing of this store')
  const [challenge, method] = [given('code_challenge'), given('code_challenge_method')]
  if (challenge === undefined && (client.secret === null || method !== undefined))
    return back('invalid_request', 'code_challenge is missing: a program without a secret needs one (PKCE)')
  if (challenge !== undefined && (method !== 'S256' || !CHALLENGE.test(challenge)))
    return back('invalid_request', 'code_challenge must be one of code_challenge_method=S256')
  if (given('prompt') === 'none') return back('login_required', 'somebody has to sign in')
  const isLasting = given('access_type') !== 'online'
  const known = scope.split(/\s+/).filter((word) => readScopes(word).length > 0)
  const asked = { client, redirect, state, scopes, scope: known.join(' '), challenge, isLasting }
  return { kind: 'asked', asked }
}
