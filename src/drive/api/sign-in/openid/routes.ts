/**
 * Routes for signing in at an OpenID provider, on the page and for clients: start, return, and choice of the user
 * (docs/adr/accounts.md#openid-provider). [network]
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorMessage } from '../../../../errors.ts'
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
import { SIGN_IN_LIFE, isProgramRequest, isTooLong, keepPerson } from './person.ts'
import { type OpenIdAttempt, type OpenIdProvider, ProviderAway, openIdProvider } from './provider.ts'

const START = '/sign-in/openid'
const BACK = `${START}/back`

/** Concurrent sign-ins that talk to the provider. */
const MOST = 16

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
      if (count >= MOST) return sendProblem(visit, 503, 'Too many people are signing in just now: try again.')
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

/** Fragment that names a place of the page. */
const PLACE = /^#[\w/%.~-]{0,500}$/

/** Target after the sign-in: a place of the page, or an authorization request. */
function readPlace(to: unknown): string {
  return typeof to === 'string' && (PLACE.test(to) || isProgramRequest(to)) ? to : '#'
}

async function beginSignIn(visit: OpenIdVisit): Promise<FastifyReply> {
  const { drive, request, reply, provider, openId } = visit
  const base = baseUrl(request, drive.options)
  const { to, other } = queryOf(request)
  const place = readPlace(to)
  if (isTooLong(place))
    return sendProblem(visit, 400, "The program's sign-in address is too long for this sign-in method.")
  try {
    const { url, attempt } = await provider.begin(`${base}${BACK}`, other !== undefined)
    const value = Buffer.from(JSON.stringify({ ...attempt, place })).toString('base64url')
    setCookie(visit, 'openid', value, SIGN_IN_LIFE)
    return reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .redirect(url.href, 303)
  } catch (error) {
    request.log.warn(`OpenID: ${reasonOf(error)}`)
    return sendProblem(visit, 502, cannotBeAsked(openId, error), place)
  }
}

async function completeSignIn(visit: OpenIdVisit): Promise<FastifyReply> {
  const { drive, request, reply, provider, openId } = visit
  const base = baseUrl(request, drive.options)
  const kept = readAttempt(readCookie(request, 'openid'))
  clearCookie(visit, 'openid')
  if (kept === undefined)
    return sendProblem(visit, 400, 'This sign-in was not started in this browser. Sign in again.')
  const { place } = kept
  const refuse = (status: number, why: string) => sendProblem(visit, status, why, place)
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
    if (isProgramRequest(place)) {
      keepPerson(visit, user.email, place)
      return reply.redirect(`${base}${place}`, 303)
    }
    await beginSession(visit, user.pk, `signed in by ${openId.name}`)
    return reply.redirect(`${base}/#signed-in/${encodeURIComponent(place)}`, 303)
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
function readAttempt(cookie: string | undefined): (OpenIdAttempt & { readonly place: string }) | undefined {
  if (cookie === undefined || cookie === '') return undefined
  try {
    const kept: unknown = JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8'))
    const { state, nonce, verifier, place } = kept as Readonly<Record<string, unknown>>
    if (typeof state !== 'string' || typeof nonce !== 'string' || typeof verifier !== 'string')
      return undefined
    return { state, nonce, verifier, place: readPlace(place) }
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

/** `place`: target after the sign-in. */
function sendProblem(visit: Visit, status: number, why: string, place = '#'): FastifyReply {
  const back = isProgramRequest(place)
    ? html`<a href="${place}">Back to what the program asks</a>`
    : html`<a href="/">Back to the files</a>`
  return sendPage(visit, {
    title: 'Sign-in failed',
    status,
    body: html`<p role="alert">${why}</p>
      <p>${back}</p>`,
  })
}
