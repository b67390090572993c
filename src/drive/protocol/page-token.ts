/** Page tokens: signed positions in a list, valid for the same request only (spec 1). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalid, type StorageFailure } from '../contract/failure.ts'
import type { Method } from '../contract/methods.ts'
import type { ParameterValues } from '../contract/parameter.ts'

/** Sort keys of the last item returned, with any keys that make them unique. */
export type PagePosition = readonly (string | number | null)[]

/** Request to which a token is bound. */
export interface PageScope {
  readonly method: Method
  /** Public id of the user. */
  readonly user: string
  /** Path parameters, in the order of the path. */
  readonly path: readonly string[]
  readonly values: ParameterValues
}

const TAG_BYTES = 16
const MAX_TOKEN_LENGTH = 32_768
/** Parameters that may differ from page to page. */
const FREE: ReadonlySet<string> = new Set(['pageToken', 'maxResults'])

export function writePageToken(key: Uint8Array, scope: PageScope, position: PagePosition): string {
  const said = Buffer.from(JSON.stringify(position))
  return Buffer.concat([signToken(key, scope, said), said]).toString('base64url')
}

/** @throws {StorageFailure} 400 invalid, location pageToken — tampered with, or of another request */
export function readPageToken(key: Uint8Array, scope: PageScope, token: string): PagePosition {
  if (token.length > MAX_TOKEN_LENGTH) throw invalidToken()
  const bytes = Buffer.from(token, 'base64url')
  const said = bytes.subarray(TAG_BYTES)
  const tag = bytes.subarray(0, TAG_BYTES)
  // other characters are skipped, and the last one has unused bits: only one spelling is accepted
  if (tag.length < TAG_BYTES || bytes.toString('base64url') !== token) throw invalidToken()
  if (!timingSafeEqual(tag, signToken(key, scope, said))) throw invalidToken()
  // the signature proves that `writePageToken` wrote it
  return JSON.parse(said.toString()) as PagePosition
}

/** A page token of changes is the number of the next change. @throws {StorageFailure} as `readPageToken` */
export function readChangeToken(token: string): number {
  const number = /^\d{1,16}$/.test(token) ? Number(token) : Number.NaN
  if (!Number.isSafeInteger(number)) throw invalidToken()
  return number
}

export function invalidToken(): StorageFailure {
  return invalid('Invalid page token', 'pageToken')
}

function signToken(key: Uint8Array, { method, user, path, values }: PageScope, said: Uint8Array): Uint8Array {
  // binds only the operation's own parameters: common ones such as fields and prettyPrint may differ
  const texts = new Map(Object.entries(values).filter(([name]) => isBound(method, name)))
  const bound = [...texts.keys()].toSorted().map((name) => [name, texts.get(name)])
  const scope = JSON.stringify(['page', method.id, user, path, bound])
  return createHmac('sha256', key).update(scope).update('\0').update(said).digest().subarray(0, TAG_BYTES)
}

function isBound(method: Method, name: string): boolean {
  return !FREE.has(name) && [...method.parameters.keys()].some((known) => known === name)
}
