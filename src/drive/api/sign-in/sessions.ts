/** Sessions on the store's page: a token in a cookie that scripts cannot read. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { StorageFailure } from '../../contract/failure.ts'
import { OWN_CLIENT, findClient } from '../../domain/accounts/clients.ts'
import { digestToken, newToken } from '../../domain/accounts/tokens.ts'
import { OPERATOR, command } from '../../domain/commands.ts'
import { readLimits } from '../../domain/settings.ts'
import { signInSource } from '../../domain/sign-in/sign-ins.ts'
import { type DriveContext, baseUrl } from '../requests/call.ts'
import { sendJson } from '../answers/json.ts'
import { readCookie, setCookie } from './cookies.ts'
import { type Html, html, readForm } from './html.ts'
import { requirePageRequest } from './page-request.ts'
import { checkPassword, describeCheck } from './client-login.ts'
import { readPerson } from './openid/person.ts'

export function addSessions(app: FastifyInstance, drive: DriveContext): void {
  const open = { config: { isOpen: true }, bodyLimit: 65_536 }
  app.post('/sign-in', open, async (request, reply) => signIn(drive, request, reply))
  app.post('/sign-out', open, async (request, reply) => signOut(drive, request, reply))
}

async function signIn(
  drive: DriveContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  requirePageRequest(request)
  const check = await checkPassword(drive, request, readForm(request))
  if (check.kind !== 'known') throw refused(check)
  const seconds = await beginSession(drive, request, reply, {
    user: check.user,
    label: 'signed in on the page',
  })
  return sendJson(reply.header('cache-control', 'no-store'), { email: check.email, expiresIn: seconds })
}

export interface NewSession {
  readonly user: number
  /** Label in lists of tokens. */
  readonly label: string
}

/** @returns the session's length in seconds. @throws 403 — the user is disabled */
export async function beginSession(
  drive: DriveContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, label }: NewSession,
): Promise<number> {
  const { store } = drive
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
  setCookie(reply, 'session', { value: token, seconds, isSecure: isSecure(drive, request) })
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

async function signOut(
  drive: DriveContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  requirePageRequest(request)
  const token = readCookie(request, 'session')
  const { store, callers } = drive
  if (token !== undefined)
    await command(store, 'revokeToken', OPERATOR, { digest: digestToken(token) }).finally(callers.forget)
  setCookie(reply, 'session', { value: '', seconds: 0, isSecure: isSecure(drive, request) })
  return reply.code(204).send()
}

function isSecure({ options }: DriveContext, request: FastifyRequest): boolean {
  return baseUrl(request, options).startsWith('https:')
}

export interface FormState {
  readonly problem?: string | undefined
  /** Address as typed. */
  readonly email?: string | undefined
  readonly status?: number
}

/** Fields to identify the user, by the provider or by a password, and buttons to allow or refuse. */
export function decisionFields(
  drive: DriveContext,
  request: FastifyRequest,
  { problem, email = '' }: FormState,
): Html {
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
