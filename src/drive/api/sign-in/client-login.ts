/** Which program asks, and whether it proves that: by its secret, where it has one (RFC 6749, 2.3). */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type ClientFacts, findClient } from '../../domain/accounts/clients.ts'
import { digestToken } from '../../domain/accounts/tokens.ts'
import type { Database } from '../../persistence/database/database.ts'
import { GrantError } from '../open/grant-error.ts'
import type { Form } from './forms.ts'

/** @throws {GrantError} invalid_client */
export function authenticateClient(db: Database, request: FastifyRequest, form: Form): ClientFacts {
  const { id, secret } = readLogin(request, form)
  const client = id === undefined ? undefined : findClient(db, id)
  if (client === undefined || client.is_disabled === 1)
    throw new GrantError(
      'invalid_client',
      'the program is not known: its operator adds it by hla drive client add',
    )
  if (client.secret !== null && !isSecret(secret, client.secret))
    throw new GrantError('invalid_client', 'the secret of the program is wrong, or missing')
  return client
}

/** The one that it says it is, if there is one. */
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
  const [, encoded] = BASIC.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return { id: form['client_id'], secret: form['client_secret'] }
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return { id: undefined, secret: undefined }
  return { id: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) }
}

/** As forms encode it; who sends it as it is meant that. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function isSecret(given: string | undefined, digest: string): boolean {
  if (given === undefined) return false
  const [made, expected] = [Buffer.from(digestToken(given)), Buffer.from(digest)]
  return made.length === expected.length && timingSafeEqual(made, expected)
}
