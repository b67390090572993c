/** Signs in clients by their secret (RFC 6749, 2.3), and users by a password or through an OpenID provider. */
import type { FastifyRequest } from 'fastify'
import { type ClientFacts, findClient } from '../../domain/accounts/clients.ts'
import { digestToken } from '../../domain/accounts/tokens.ts'
import type { Database } from '../../persistence/database/database.ts'
import { type Form, isSame, signText } from './html.ts'
import { OPERATOR, command } from '../../domain/commands.ts'
import { attemptSubjects, describeWait, findSignIn, isPassword } from '../../domain/sign-in/passwords.ts'
import { type DriveContext, refuseInBatch } from '../requests/call.ts'
import { findUser } from '../../domain/accounts/users.ts'
import { readCookie } from './cookies.ts'
import { type Visit, clearCookie, setCookie } from './visit.ts'

/** Errors of the token endpoint (RFC 6749, 5.2; RFC 8628, 3.5). */
type GrantFault =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'

export class GrantError extends Error {
  readonly code: GrantFault

  constructor(code: GrantFault, message: string) {
    super(message)
    this.code = code
  }
}

/** @throws {GrantError} invalid_client */
export function authenticateClient(db: Database, request: FastifyRequest, form: Form): ClientFacts {
  const { id, secret } = readLogin(request, form)
  const client = id === undefined ? undefined : findClient(db, id)
  if (client === undefined || client.is_disabled === 1)
    throw new GrantError(
      'invalid_client',
      'the program is not registered: ask the operator to run hla drive client add',
    )
  if (client.secret !== null && (secret === undefined || !isSame(digestToken(secret), client.secret)))
    throw new GrantError('invalid_client', 'the secret of the program is wrong, or missing')
  return client
}

/** Client that the request names, without authentication. */
export function namedClient(db: Database, request: FastifyRequest, form: Form): ClientFacts | undefined {
  const { id } = readLogin(request, form)
  return id === undefined ? undefined : findClient(db, id)
}

interface Login {
  readonly id: string | undefined
  readonly secret: string | undefined
}

const BASIC = /^Basic +([\w+/=-]+)$/i

function readLogin({ headers }: FastifyRequest, form: Form): Login {
  const [, encoded] = headers.authorization?.match(BASIC) ?? []
  if (encoded === undefined) return { id: form['client_id'], secret: form['client_secret'] }
  const login = Buffer.from(encoded, 'base64').toString('utf8')
  if (!login.includes(':')) return { id: undefined, secret: undefined }
  const colon = login.indexOf(':')
  return { id: decode(login.slice(0, colon)), secret: decode(login.slice(colon + 1)) }
}

/** Decodes form encoding; text that is not encoded is taken literally. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

type PasswordCheck =
  | { readonly kind: 'known'; readonly user: number; readonly email: string }
  | { readonly kind: 'wrong' }
  /** The user named by the provider no longer exists, or the sign-in has expired. */
  | { readonly kind: 'over' }
  /** Too many attempts; the password was not checked. */
  | { readonly kind: 'wait'; readonly seconds: number }

/** Counts the attempt as wrong before checking, so that parallel attempts do not evade the limit. */
export async function checkPassword(
  { store }: DriveContext,
  request: FastifyRequest,
  { email: typed = '', password = '' }: Readonly<Record<string, string | undefined>>,
): Promise<PasswordCheck> {
  refuseInBatch(request)
  const email = typed.trim()
  const subjects = attemptSubjects(email, request.ip)
  const seconds = await command(store, 'countAttempt', OPERATOR, { subjects })
  if (seconds !== undefined) return { kind: 'wait', seconds }
  const found = findSignIn(store.read, email)
  const isRight = await isPassword(password, found?.password ?? null)
  if (found === undefined || !isRight) return { kind: 'wrong' }
  await command(store, 'forgetAttempt', OPERATOR, { subjects })
  return { kind: 'known', user: found.pk, email }
}

/** Message for the user. */
export function describeCheck(check: Exclude<PasswordCheck, { readonly kind: 'known' }>): string {
  if (check.kind === 'wrong') return 'E-mail address or password is wrong.'
  if (check.kind === 'over') return 'You are no longer signed in: sign in again.'
  return describeWait(check.seconds)
}

/** Seconds allowed for signing in at the provider, and again for deciding. */
export const SIGN_IN_LIFE = 600

/** Authorization requests to which a browser may return; longer ones do not fit into a cookie. */
const REQUEST = /^\/(?:authorize|device|o\/oauth2\/(?:v2\/)?auth)\?[!-~]*$/
const MAX_REQUEST_LENGTH = 2500

export function isProgramRequest(path: string): boolean {
  return REQUEST.test(path)
}

export function isTooLong(path: string): boolean {
  return path.length > MAX_REQUEST_LENGTH
}

/**
 * Keeps the person that a provider named for one authorization request, until it is allowed or refused
 * (docs/adr/accounts.md#openid-provider). `path` is that of the request; the cookie is valid only for it.
 */
export function keepPerson(visit: Visit, email: string, path: string): void {
  const facts = JSON.stringify([email, Date.now() + SIGN_IN_LIFE * 1000])
  const value = `${Buffer.from(facts).toString('base64url')}.${signText(visit.drive, ['person', path, facts])}`
  setCookie(visit, 'person', value, SIGN_IN_LIFE)
}

export function forgetPerson(visit: Visit): void {
  if (readCookie(visit.request, 'person') !== undefined) clearCookie(visit, 'person')
}

/** Address that the provider named for this request. */
export function readPerson(drive: DriveContext, request: FastifyRequest): string | undefined {
  if (drive.options.openId === undefined) return undefined
  const [encoded = '', signature = ''] = readCookie(request, 'person')?.split('.') ?? []
  const facts = Buffer.from(encoded, 'base64url').toString('utf8')
  if (!isSame(signature, signText(drive, ['person', request.url, facts]))) return undefined
  const [email, until] = JSON.parse(facts) as [string, number] // keepPerson wrote it
  return until > Date.now() ? email : undefined
}

/** Identifies the sender of a form: by its password, or as the person that the provider named and the form shows. */
export async function checkPerson(
  drive: DriveContext,
  request: FastifyRequest,
  form: Form,
): Promise<PasswordCheck> {
  if (drive.options.openId === undefined || form['password'] !== undefined)
    return checkPassword(drive, request, form)
  refuseInBatch(request)
  const email = readPerson(drive, request)
  const user = email === undefined || email !== form['email'] ? undefined : findUser(drive.store.read, email)
  return user === undefined ? { kind: 'over' } : { kind: 'known', user: user.pk, email: user.email }
}
