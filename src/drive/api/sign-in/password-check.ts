/** Who somebody is, by e-mail address and password; not often wrongly. */
import type { FastifyRequest } from 'fastify'
import { command, OPERATOR } from '../../domain/commands.ts'
import { attemptSubjects } from '../../domain/sign-in/attempts.ts'
import { findSignIn, isPassword } from '../../domain/sign-in/passwords.ts'
import type { DriveContext } from '../requests/call.ts'
import { mustNotBeInBatch } from '../requests/base-url.ts'

export type PasswordCheck =
  | { readonly kind: 'known'; readonly user: number; readonly email: string }
  | { readonly kind: 'wrong' }
  /** Whom a provider has named is not known any more. */
  | { readonly kind: 'over' }
  /** Too often: nothing was looked at. */
  | { readonly kind: 'wait'; readonly seconds: number }

/** Counted as wrong before it is looked at: who asks many times at once gets no more of them. */
export async function checkPassword(
  { store }: DriveContext,
  request: FastifyRequest,
  { email: typed = '', password = '' }: Readonly<Record<string, string | undefined>>,
): Promise<PasswordCheck> {
  mustNotBeInBatch(request)
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

/** In words. */
export function describeCheck(check: Exclude<PasswordCheck, { readonly kind: 'known' }>): string {
  if (check.kind === 'wrong') return 'E-mail address or password is wrong.'
  if (check.kind === 'over') return 'Nobody is signed in any more: sign in again.'
  return `Too many wrong passwords: try again in ${Math.ceil(check.seconds / 60)} minutes.`
}
