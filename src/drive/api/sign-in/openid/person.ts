/**
 * Person that a provider named for one authorization request. The browser keeps it in a cookie until the request is
 * allowed or refused (docs/adr/accounts.md#openid-provider).
 */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findUser } from '../../../domain/accounts/users.ts'
import { type DriveContext, baseUrl, refuseInBatch } from '../../requests/call.ts'
import { readCookie, setCookie } from '../cookies.ts'
import { type Form, signText } from '../html.ts'
import { type PasswordCheck, checkPassword } from '../client-login.ts'

/** Seconds allowed for signing in at the provider, and again for deciding. */
export const SIGN_IN_LIFE = 600

/** Authorization requests to which a browser may return; longer ones do not fit into a cookie. */
const REQUEST = /^\/(?:authorize|device|o\/oauth2\/(?:v2\/)?auth)\?[!-~]*$/
const LONGEST = 2500

export function isProgramRequest(path: string): boolean {
  return REQUEST.test(path)
}

export function isTooLong(path: string): boolean {
  return path.length > LONGEST
}

/** `path` is that of the request; the cookie is valid only for it. */
export function keepPerson(
  drive: DriveContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, path }: { readonly email: string; readonly path: string },
): void {
  const facts = JSON.stringify([email, Date.now() + SIGN_IN_LIFE * 1000])
  const value = `${Buffer.from(facts).toString('base64url')}.${signText(drive, ['person', path, facts])}`
  setCookie(reply, 'person', { value, seconds: SIGN_IN_LIFE, isSecure: isSecure(drive, request) })
}

export function forgetPerson(drive: DriveContext, request: FastifyRequest, reply: FastifyReply): void {
  if (readCookie(request, 'person') === undefined) return
  setCookie(reply, 'person', { value: '', seconds: 0, isSecure: isSecure(drive, request) })
}

/** Address that the provider named for this request. */
export function readPerson(drive: DriveContext, request: FastifyRequest): string | undefined {
  if (drive.options.openId === undefined) return undefined
  const [encoded = '', signature = ''] = readCookie(request, 'person')?.split('.') ?? []
  const facts = Buffer.from(encoded, 'base64url').toString('utf8')
  const [given, expected] = [
    Buffer.from(signature),
    Buffer.from(signText(drive, ['person', request.url, facts])),
  ]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
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

function isSecure({ options }: DriveContext, request: FastifyRequest): boolean {
  return baseUrl(request, options).startsWith('https:')
}
