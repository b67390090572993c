/** Whom a provider has named for one request of a program: kept by the browser until that request is allowed or refused (docs/adr/accounts.md#openid-provider). */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findUser } from '../../../domain/accounts/users.ts'
import { type DriveContext, baseUrl, mustNotBeInBatch } from '../../requests/call.ts'
import { readCookie, setCookie } from '../cookies.ts'
import { type Form, signText } from '../html.ts'
import { type PasswordCheck, checkPassword } from '../client-login.ts'

/** Seconds that somebody may take at the provider, and then to allow. */
export const LIFE = 600

/** Requests of programs that a browser is sent back to; longer ones fit into no cookie. */
const REQUEST = /^\/(?:authorize|device|o\/oauth2\/(?:v2\/)?auth)\?[!-~]*$/
const LONGEST = 2500

export function isProgramRequest(path: string): boolean {
  return REQUEST.test(path)
}

export function isTooLong(path: string): boolean {
  return path.length > LONGEST
}

/** `path`: that of the request, and of no other. */
export function keepPerson(
  drive: DriveContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, path }: { readonly email: string; readonly path: string },
): void {
  const facts = JSON.stringify([email, Date.now() + LIFE * 1000])
  const value = `${Buffer.from(facts).toString('base64url')}.${signText(drive, ['person', path, facts])}`
  setCookie(reply, 'person', { value, seconds: LIFE, isSecure: isSecure(drive, request) })
}

export function forgetPerson(drive: DriveContext, request: FastifyRequest, reply: FastifyReply): void {
  if (readCookie(request, 'person') === undefined) return
  setCookie(reply, 'person', { value: '', seconds: 0, isSecure: isSecure(drive, request) })
}

/** The address of whom the provider has named for this request. */
export function readPerson(drive: DriveContext, request: FastifyRequest): string | undefined {
  if (drive.options.openId === undefined) return undefined
  const [encoded = '', signature = ''] = readCookie(request, 'person')?.split('.') ?? []
  const facts = Buffer.from(encoded, 'base64url').toString('utf8')
  const [given, expected] = [
    Buffer.from(signature),
    Buffer.from(signText(drive, ['person', request.url, facts])),
  ]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const [email, until] = JSON.parse(facts) as [string, number] // as keepPerson wrote it
  return until > Date.now() ? email : undefined
}

/** Who sends a form: by a password in it, or as the one whom the provider has named and whom the form shows. */
export async function checkPerson(
  drive: DriveContext,
  request: FastifyRequest,
  form: Form,
): Promise<PasswordCheck> {
  if (drive.options.openId === undefined || form['password'] !== undefined)
    return checkPassword(drive, request, form)
  mustNotBeInBatch(request)
  const email = readPerson(drive, request)
  const user = email === undefined || email !== form['email'] ? undefined : findUser(drive.store.read, email)
  return user === undefined ? { kind: 'over' } : { kind: 'known', user: user.pk, email: user.email }
}

function isSecure({ options }: DriveContext, request: FastifyRequest): boolean {
  return baseUrl(request, options).startsWith('https:')
}
