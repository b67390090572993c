/** Who signed in on the page of the store: a token in a cookie that no script reads. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { StorageFailure } from '../../contract/failure.ts'
import { findClient, OWN_CLIENT } from '../../domain/accounts/clients.ts'
import { digestToken, newToken } from '../../domain/accounts/tokens.ts'
import { command, OPERATOR } from '../../domain/commands.ts'
import { readLimits } from '../../domain/limits.ts'
import { signInSource } from '../../domain/sign-in/sign-ins.ts'
import { baseUrl } from '../requests/base-url.ts'
import type { DriveContext } from '../requests/call.ts'
import { sendJson } from '../answers/json.ts'
import { readCookie, setCookie } from './cookies.ts'
import { readForm } from './forms.ts'
import { mustBePage } from './page-request.ts'
import { checkPassword, describeCheck } from './password-check.ts'

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
  mustBePage(request)
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
  /** For lists of tokens. */
  readonly label: string
}

/** @returns seconds that it lasts. @throws 403 — the user is disabled */
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
  mustBePage(request)
  const token = readCookie(request, 'session')
  if (token !== undefined) {
    await command(drive.store, 'revokeToken', OPERATOR, { digest: digestToken(token) })
    drive.callers.forget()
  }
  setCookie(reply, 'session', { value: '', seconds: 0, isSecure: isSecure(drive, request) })
  return reply.code(204).send()
}

function isSecure({ options }: DriveContext, request: FastifyRequest): boolean {
  return baseUrl(request, options).startsWith('https:')
}
