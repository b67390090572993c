/**
 * Routes for signing in at an OpenID provider, on the page and for clients: start, return, and choice of the user
 * (docs/adr/accounts.md#openid-provider). [network]
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorMessage, assured } from '../../../../errors.ts'
import { isStorageFailure } from '../../../contract/failure.ts'
import { type UserFacts, findUser, hasPasswords } from '../../../domain/accounts/users.ts'
import { OPERATOR, command } from '../../../domain/commands.ts'
import { sendJson } from '../../answers/json.ts'
import type { OpenIdOptions } from '../../options.ts'
import { type DriveContext, baseUrl, refuseInBatch } from '../../requests/call.ts'
import { queryOf } from '../../requests/parts.ts'
import { readCookie } from '../cookies.ts'
import { type Visit, clearCookie, setCookie } from '../visit.ts'
import { html, sendPage } from '../html.ts'
import { storeName } from '../../../domain/settings.ts'
import { beginSession } from '../sessions.ts'
import { SIGN_IN_LIFE, isProgramRequest, isTooLong, keepPerson } from '../client-login.ts'
import type { AuthorizationServer, Client, ClientAuth, JWKSCacheInput } from 'oauth4webapi'

const START = '/sign-in/openid'
const BACK = `${START}/back`

/** Concurrent sign-ins that talk to the provider. */
const MAX_SIGN_INS = 16

export function addOpenId(app: FastifyInstance, drive: DriveContext): void {
  const { openId } = drive.options
  const open = { config: { isOpen: true } }
  app.get('/sign-in', open, (_, reply) =>
    sendJson(reply, {
      name: storeName(drive.store.read),
      ...(openId === undefined && !hasPasswords(drive.store.read) ? { isNew: true } : {}),
      ...(openId === undefined ? {} : { openId: { name: openId.name, start: START.slice(1) } }),
    }),
  )
  if (openId === undefined) return
  const provider = openIdProvider(openId)
  let count = 0
  const bounded =
    (work: (visit: OpenIdVisit) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      refuseInBatch(request)
      const visit = { drive, request, reply, provider, openId }
      if (count >= MAX_SIGN_INS)
        return sendProblem(visit, 503, 'Too many people are signing in just now: try again.')
      count += 1
      try {
        return await work(visit)
      } finally {
        count -= 1
      }
    }
  app.get(START, open, bounded(beginSignIn))
  app.get(BACK, open, bounded(completeSignIn))
}

interface OpenIdVisit extends Visit {
  readonly provider: OpenIdProvider
  readonly openId: OpenIdOptions
}

/** Fragment that names a route of the page. */
const PLACE = /^#[\w/%.~-]{0,500}$/

/** Target after the sign-in: a route of the page, or an authorization request. */
function readTarget(to: unknown): string {
  return typeof to === 'string' && (PLACE.test(to) || isProgramRequest(to)) ? to : '#'
}

async function beginSignIn(visit: OpenIdVisit): Promise<FastifyReply> {
  const { drive, request, reply, provider, openId } = visit
  const base = baseUrl(request, drive.options)
  const { to, other } = queryOf(request)
  const target = readTarget(to)
  if (isTooLong(target))
    return sendProblem(visit, 400, "The program's sign-in address is too long for this sign-in method.")
  try {
    const { url, attempt } = await provider.begin(`${base}${BACK}`, other !== undefined)
    const value = Buffer.from(JSON.stringify({ ...attempt, target })).toString('base64url')
    setCookie(visit, 'openid', value, SIGN_IN_LIFE)
    return reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .redirect(url.href, 303)
  } catch (error) {
    request.log.warn(`OpenID: ${reasonOf(error)}`)
    return sendProblem(visit, 502, cannotBeAsked(openId, error), target)
  }
}

async function completeSignIn(visit: OpenIdVisit): Promise<FastifyReply> {
  const { drive, request, reply, provider, openId } = visit
  const base = baseUrl(request, drive.options)
  const kept = readAttempt(readCookie(request, 'openid'))
  clearCookie(visit, 'openid')
  if (kept === undefined)
    return sendProblem(visit, 400, 'This sign-in was not started in this browser. Sign in again.')
  const { target } = kept
  const refuse = (status: number, why: string) => sendProblem(visit, status, why, target)
  try {
    const url = new URL(`${base}${request.url}`)
    const { email, isVerified, name } = await provider.finish(url, `${base}${BACK}`, kept)
    if (email === undefined) return refuse(403, `${openId.name} did not send your e-mail address.`)
    if (!isVerified) return refuse(403, `${openId.name} has not verified your address ${email}.`)
    const user = await userFor(visit, email, name)
    if (user === undefined)
      return refuse(403, `No user has the address ${email} here: ask the operator to add you.`)
    if (user.is_disabled === 1) return refuse(403, `The account of ${email} is disabled.`)
    reply.headers({ 'referrer-policy': 'no-referrer' })
    if (isProgramRequest(target)) {
      keepPerson(visit, user.email, target)
      return reply.redirect(`${base}${target}`, 303)
    }
    await beginSession(visit, user.pk, `signed in by ${openId.name}`)
    return reply.redirect(`${base}/#signed-in/${encodeURIComponent(target)}`, 303)
  } catch (error) {
    if (isStorageFailure(error)) return refuse(error.status, error.message)
    request.log.warn(`OpenID: ${reasonOf(error)}`)
    if (error instanceof ProviderAway) return refuse(502, cannotBeAsked(openId, error))
    return refuse(403, `${openId.name} did not sign you in: ${reasonOf(error)}.`)
  }
}

/** Creates an account only if the option is set. */
async function userFor(
  { drive: { store }, openId }: OpenIdVisit,
  email: string,
  name: string | undefined,
): Promise<UserFacts | undefined> {
  const found = findUser(store.read, email)
  if (found !== undefined || !openId.createsUsers) return found
  return command(store, 'addUser', OPERATOR, { email, ...(name === undefined ? {} : { name }) })
}

/** Undefined without a cookie, or if it is invalid. */
function readAttempt(cookie: string | undefined): (OpenIdAttempt & { readonly target: string }) | undefined {
  if (cookie === undefined || cookie === '') return undefined
  try {
    const kept: unknown = JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8'))
    const { state, nonce, verifier, target } = kept as Readonly<Record<string, unknown>>
    if (typeof state !== 'string' || typeof nonce !== 'string' || typeof verifier !== 'string')
      return undefined
    return { state, nonce, verifier, target: readTarget(target) }
  } catch {
    return undefined
  }
}

/** Message on one line, without what was sent to the provider. */
function cannotBeAsked({ name }: OpenIdOptions, error: unknown): string {
  return `${name} is not available at the moment: ${reasonOf(error)}.`
}

function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const more = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : ''
  return `${errorMessage(error)}${more}`.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, 300)
}

/** `target`: target after the sign-in. */
function sendProblem(visit: Visit, status: number, why: string, target = '#'): FastifyReply {
  const back = isProgramRequest(target)
    ? html`<a href="${target}">Back to what the program asks</a>`
    : html`<a href="/">Back to the files</a>`
  return sendPage(visit, {
    title: 'Sign-in failed',
    status,
    body: html`<p role="alert">${why}</p>
      <p>${back}</p>`,
  })
}

/** State of a sign-in that the browser keeps until it returns. */
interface OpenIdAttempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

interface OpenIdPerson {
  readonly email: string | undefined
  readonly isVerified: boolean
  readonly name: string | undefined
}

/**
 * Client of an OpenID provider (OpenID Connect Core 1.0, code flow with PKCE). Requests are limited in time and size,
 * and use TLS unless the provider is on this machine.
 */
interface OpenIdProvider {
  /** URL of the sign-in at the provider; `choosesOther` makes it ask for an account. @throws {Error} no response, or invalid metadata */
  readonly begin: (
    redirect: string,
    choosesOther: boolean,
  ) => Promise<{ readonly url: URL; readonly attempt: OpenIdAttempt }>
  /** `url` is the one to which the browser returned. @throws {Error} refused, or invalid response */
  readonly finish: (url: URL, redirect: string, attempt: OpenIdAttempt) => Promise<OpenIdPerson>
}

/** ms for one response. */
const RESPONSE_TIMEOUT_MS = 5000
/** ms for all requests of one step of a sign-in. */
const BUDGET_MS = 9000
const MAX_RESPONSE_BYTES = 1 << 20
/** ms for which the provider's metadata are cached. */
const CACHE_MS = 60 * 60_000

function openIdProvider({ issuer, clientId, clientSecret }: OpenIdOptions): OpenIdProvider {
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
    [customFetch]: boundedFetch(AbortSignal.timeout(BUDGET_MS)),
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

/** Caches a result for `CACHE_MS` ms; failures are not cached. */
function cached<Found>(find: () => Promise<Found>): () => Promise<Found> {
  let known: { readonly found: Promise<Found>; readonly until: number } | undefined
  return () => {
    if (known !== undefined && known.until > performance.now()) return known.found
    const one = { found: find(), until: performance.now() + CACHE_MS }
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
class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
}

async function readBody(answer: Response, address: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  // fetch yields byte arrays
  for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > MAX_RESPONSE_BYTES)
      throw new Error(`${new URL(address).origin} answers with more than ${MAX_RESPONSE_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const boundedFetch =
  (ended: AbortSignal) =>
  async (address: string, init: RequestInit): Promise<Response> => {
    requirePrivate(new URL(address))
    const signal = AbortSignal.any([AbortSignal.timeout(RESPONSE_TIMEOUT_MS), ended])
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
