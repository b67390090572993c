/** Sessions on the store's page: a token in a cookie that scripts cannot read. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { StorageFailure, isStorageFailure } from '../../contract/failure.ts'
import { OWN_CLIENT, findClient } from '../../domain/accounts/clients.ts'
import { digestToken, newToken } from '../../domain/accounts/tokens.ts'
import { OPERATOR, command } from '../../domain/commands.ts'
import { readLimits } from '../../domain/settings.ts'
import { signInSource } from '../../domain/accounts/end-tokens.ts'
import type { DriveContext } from '../requests/call.ts'
import { sendJson } from '../answers/json.ts'
import { readCookie, requirePageRequest } from './cookies.ts'
import { OPEN_FORM, type Visit, clearCookie, setCookie } from './visit.ts'
import { type Html, html, isProven, readForm } from './html.ts'
import { checkPassword, describeCheck, checkPerson, readPerson } from './client-login.ts'

export function addSessions(app: FastifyInstance, drive: DriveContext): void {
  app.post('/sign-in', OPEN_FORM, async (request, reply) => signIn({ drive, request, reply }))
  app.post('/sign-out', OPEN_FORM, async (request, reply) => signOut({ drive, request, reply }))
}

async function signIn(visit: Visit): Promise<FastifyReply> {
  const { drive, request, reply } = visit
  requirePageRequest(request)
  const check = await checkPassword(drive, request, readForm(request))
  if (check.kind !== 'known') throw refused(check)
  const seconds = await beginSession(visit, check.user, 'signed in on the page')
  return sendJson(reply.header('cache-control', 'no-store'), { email: check.email, expiresIn: seconds })
}

/** `label`: that of the session in lists of tokens. @returns the session's length in seconds. @throws 403 — the user is disabled */
export async function beginSession(visit: Visit, user: number, label: string): Promise<number> {
  const { store } = visit.drive
  const token = newToken()
  const seconds = readLimits(store.read)['session-seconds']
  await command(store, 'addToken', OPERATOR, {
    digest: digestToken(token),
    user,
    client: findClient(store.read, OWN_CLIENT)?.pk ?? 0,
    scopes: ['drive', 'drive.apps.readonly'],
    kind: 'access',
    expires: Date.now() + seconds * 1000,
    label,
    source: signInSource(user),
  })
  setCookie(visit, 'session', token, seconds)
  return seconds
}

function refused(check: Parameters<typeof describeCheck>[0]): StorageFailure {
  const text = describeCheck(check)
  if (check.kind !== 'wait') return new StorageFailure(401, 'authError', text)
  return new StorageFailure(429, 'rateLimitExceeded', text, {
    domain: 'usageLimits',
    retryAfter: check.seconds,
  })
}

async function signOut(visit: Visit): Promise<FastifyReply> {
  const { drive, request, reply } = visit
  requirePageRequest(request)
  const token = readCookie(request, 'session')
  const { store, callers } = drive
  if (token !== undefined)
    await command(store, 'revokeToken', OPERATOR, { digest: digestToken(token) }).finally(callers.forget)
  clearCookie(visit, 'session')
  return reply.code(204).send()
}

export interface FormState {
  readonly problem?: string | undefined
  /** Address as typed. */
  readonly email?: string | undefined
  readonly status?: number
}

/** Fields to identify the user, by the provider or by a password, and buttons to allow or refuse. */
export function decisionFields({ drive, request }: Visit, { problem, email = '' }: FormState): Html {
  const person = readPerson(drive, request)
  const alert = problemText(problem)
  if (person === undefined)
    return html`${providerLink(drive, request)}${alert}${credentialFields(email)}${buttons('Sign in and allow')}`
  return html`<p>
      <strong>${drive.options.openId?.name}</strong> says that you are <strong>${person}</strong>.
      <a href="${providerPath(request)}&amp;other=1">Sign in as another user</a>
    </p>
    ${alert}
    <input type="hidden" name="email" value="${person}" />
    ${buttons('Allow')}`
}

/**
 * Carries out what the user decided on such a form: access for `user`, or none. A form that does not count is shown
 * again.
 */
export async function decideForm(
  visit: Visit,
  show: (state: FormState) => FastifyReply | Promise<FastifyReply>,
  carryOut: (user: number | undefined) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const form = readForm(visit.request)
  const again = (problem: string, status: number) => show({ problem, email: form['email'], status })
  if (!isProven(visit, form)) return again('The form was open too long: try again.', 403)
  let user: number | undefined
  if (form['decision'] === 'allow') {
    const check = await checkPerson(visit.drive, visit.request, form)
    if (check.kind !== 'known') return again(describeCheck(check), check.kind === 'wait' ? 429 : 401)
    ;({ user } = check)
  }
  try {
    return await carryOut(user)
  } catch (error) {
    if (!isStorageFailure(error) || error.status !== 403) throw error
    return again('This account is disabled.', 403)
  }
}

function providerLink({ options: { openId } }: DriveContext, request: FastifyRequest): Html | undefined {
  if (openId === undefined) return undefined
  return html`<p><a class="download" href="${providerPath(request)}">Sign in with ${openId.name}</a></p>`
}

/** URL of the sign-in at the provider, which returns to this request. */
function providerPath({ url }: FastifyRequest): string {
  return `/sign-in/openid?to=${encodeURIComponent(url)}`
}

function credentialFields(email: string): Html {
  return html`<label for="email">E-mail address</label>
    <input id="email" name="email" type="email" autocomplete="username" required value="${email}" />
    <label for="password">Password</label>
    <input id="password" name="password" type="password" autocomplete="current-password" required />`
}

function buttons(allow: string): Html {
  return html`<button class="main" name="decision" value="allow">${allow}</button>
    <button name="decision" value="refuse" formnovalidate>Refuse</button>`
}

export function problemText(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p role="alert">${text}</p>`
}
