/**
 * Person that a provider named for one authorization request. The browser keeps it in a cookie until the request is
 * allowed or refused (docs/adr/accounts.md#openid-provider).
 */
import type { FastifyRequest } from 'fastify'
import { findUser } from '../../../domain/accounts/users.ts'
import { type DriveContext, refuseInBatch } from '../../requests/call.ts'
import { readCookie } from '../cookies.ts'
import { type Visit, clearCookie, setCookie } from '../visit.ts'
import { type Form, isSame, signText } from '../html.ts'
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
