/**
 * Client of an OpenID provider (OpenID Connect Core 1.0, code flow with PKCE). Requests are limited in time and size,
 * and use TLS unless the provider is on this machine. [network]
 */
import { assured } from '../../../../errors.ts'
import type { AuthorizationServer, Client, ClientAuth, JWKSCacheInput } from 'oauth4webapi'
import type { OpenIdOptions } from '../../options.ts'

/** State of a sign-in that the browser keeps until it returns. */
export interface OpenIdAttempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface OpenIdPerson {
  readonly email: string | undefined
  readonly isVerified: boolean
  readonly name: string | undefined
}

export interface OpenIdProvider {
  /** URL of the sign-in at the provider; `choosesOther` makes it ask for an account. @throws {Error} no response, or invalid metadata */
  readonly begin: (
    redirect: string,
    choosesOther: boolean,
  ) => Promise<{ readonly url: URL; readonly attempt: OpenIdAttempt }>
  /** `url` is the one to which the browser returned. @throws {Error} refused, or invalid response */
  readonly finish: (url: URL, redirect: string, attempt: OpenIdAttempt) => Promise<OpenIdPerson>
}

/** ms for one response. */
const PATIENCE = 5000
/** ms for all requests of one step of a sign-in. */
const BUDGET = 9000
const MAX_BYTES = 1 << 20
/** ms for which the provider's metadata are cached. */
const BELIEVED = 60 * 60_000

export function openIdProvider({ issuer, clientId, clientSecret }: OpenIdOptions): OpenIdProvider {
  const asking = { issuer: new URL(issuer), client: { client_id: clientId }, secret: clientSecret, keys: {} }
  const server = cached(() => discover(asking))
  return {
    async begin(redirect, choosesOther) {
      const oauth = await import('oauth4webapi')
      const { authorization_endpoint: endpoint = '' } = await server()
      const attempt = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      }
      const url = new URL(endpoint)
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirect,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
        ...(choosesOther ? { prompt: 'select_account' } : {}),
      }
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
      return { url, attempt }
    },
    finish: async (url, redirect, attempt) =>
      fetchPerson(asking, await server(), { url, redirect, ...attempt }),
  }
}

interface Asking {
  readonly issuer: URL
  readonly client: Client
  readonly secret: string | undefined
  /** Cache that is filled with the provider's keys. */
  readonly keys: JWKSCacheInput
}

async function fetching({ issuer, keys }: Asking) {
  const { allowInsecureRequests, customFetch, jwksCache } = await import('oauth4webapi')
  return {
    [customFetch]: boundedFetch(AbortSignal.timeout(BUDGET)),
    [allowInsecureRequests]: issuer.protocol === 'http:',
    [jwksCache]: keys,
  }
}

async function discover(asking: Asking): Promise<AuthorizationServer> {
  const { discoveryRequest, processDiscoveryResponse } = await import('oauth4webapi')
  const answer = await discoveryRequest(asking.issuer, { algorithm: 'oidc', ...(await fetching(asking)) })
  const found = await processDiscoveryResponse(asking.issuer, answer)
  for (const endpoint of [found.authorization_endpoint, found.token_endpoint, found.jwks_uri])
    requirePrivate(new URL(endpoint ?? ''))
  return found
}

/** Caches a result for `BELIEVED` ms; failures are not cached. */
function cached<Found>(find: () => Promise<Found>): () => Promise<Found> {
  let known: { readonly found: Promise<Found>; readonly until: number } | undefined
  return () => {
    if (known !== undefined && known.until > performance.now()) return known.found
    const one = { found: find(), until: performance.now() + BELIEVED }
    known = one
    one.found.catch(() => {
      if (known === one) known = undefined
    })
    return one.found
  }
}

interface WayBack extends OpenIdAttempt {
  readonly url: URL
  readonly redirect: string
}

async function fetchPerson(
  asking: Asking,
  server: AuthorizationServer,
  { url, redirect, state, nonce, verifier }: WayBack,
): Promise<OpenIdPerson> {
  const oauth = await import('oauth4webapi')
  const { client } = asking
  const more = await fetching(asking)
  const code = oauth.validateAuthResponse(server, client, url, state)
  const proof = await clientProof(asking, server)
  const answer = await oauth.authorizationCodeGrantRequest(server, client, proof, code, redirect, verifier, more) // prettier-ignore
  const checks = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, checks)
  await oauth.validateApplicationLevelSignature(server, answer, more)
  const claims = assured(oauth.getValidatedIdTokenClaims(tokens), 'the answer has no ID token')
  if (claims['email'] !== undefined || server.userinfo_endpoint === undefined) return readPerson(claims)
  const told = await oauth.userInfoRequest(server, client, tokens.access_token, more)
  return readPerson(await oauth.processUserInfoResponse(server, client, claims.sub, told))
}

async function clientProof({ secret }: Asking, server: AuthorizationServer): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await import('oauth4webapi')
  if (secret === undefined) return None()
  const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = server
  return ways.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

function readPerson({
  email,
  email_verified: isVerified,
  name,
}: Readonly<Record<string, unknown>>): OpenIdPerson {
  return {
    email: typeof email === 'string' ? email : undefined,
    isVerified: isVerified === true,
    name: typeof name === 'string' && name !== '' ? name : undefined,
  }
}

/** True if no one can read the traffic on the way. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Applied to the endpoints in the provider's metadata too. */
function requirePrivate(url: URL): void {
  if (!isPrivate(url)) throw new Error(`${url.origin} is an address without TLS`)
}

/** The provider does not answer, or not in time; a later sign-in may succeed. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
}

async function readBody(answer: Response, address: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  // fetch yields byte arrays
  for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > MAX_BYTES)
      throw new Error(`${new URL(address).origin} answers with more than ${MAX_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const boundedFetch =
  (ended: AbortSignal) =>
  async (address: string, init: RequestInit): Promise<Response> => {
    requirePrivate(new URL(address))
    const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE), ended])
    const away = (cause: unknown): never => {
      throw new ProviderAway(`${new URL(address).origin} does not answer`, { cause })
    }
    const answer = await fetch(address, { ...init, redirect: 'manual', signal }).catch(away)
    const body = await readBody(answer, address).catch((error: unknown) =>
      signal.aborted ? away(error) : Promise.reject(error as Error),
    )
    const { status, headers } = answer
    return new Response(body.length === 0 ? null : body, { status, headers })
  }
