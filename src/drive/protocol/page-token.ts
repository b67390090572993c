/** Page tokens: where a list goes on, signed and good for the same request only (spec 1). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalid, type StorageFailure } from '../contract/failure.ts'
import type { Method } from '../contract/methods.ts'
import type { ParameterValues } from '../contract/parameter.ts'

/** The sort keys of the last item that was given, and whatever makes them unique. */
export type PagePosition = readonly (string | number | null)[]

/** What a token is bound to, besides the key. */
export interface PageScope {
  readonly method: Method
  /** The id of the user that the interface shows. */
  readonly user: string
  /** In the order of the path. */
  readonly path: readonly string[]
  readonly values: ParameterValues
}

const TAG_BYTES = 16
const LONGEST = 32_768
/** They may differ from page to page. */
const FREE: ReadonlySet<string> = new Set(['pageToken', 'maxResults'])

export function writePageToken(key: Uint8Array, scope: PageScope, position: PagePosition): string {
  const said = Buffer.from(JSON.stringify(position))
  return Buffer.concat([signToken(key, scope, said), said]).toString('base64url')
}

/** @throws {StorageFailure} 400 invalid, location pageToken — tampered with, or of another request */
export function readPageToken(key: Uint8Array, scope: PageScope, token: string): PagePosition {
  if (token.length > LONGEST || !/^[\w-]+$/.test(token)) throw invalidToken()
  const bytes = Buffer.from(token, 'base64url')
  const said = bytes.subarray(TAG_BYTES)
  const tag = bytes.subarray(0, TAG_BYTES)
  // the last character has bits that are dropped: one token, one spelling
  if (tag.length < TAG_BYTES || bytes.toString('base64url') !== token) throw invalidToken()
  if (!timingSafeEqual(tag, signToken(key, scope, said))) throw invalidToken()
  // it is ours, so it is what we wrote
  return JSON.parse(said.toString()) as PagePosition
}

/** The token of a list of changes is the number of the change that comes next. @throws {StorageFailure} as `readPageToken` */
export function readChangeToken(token: string): number {
  const number = /^\d{1,16}$/.test(token) ? Number(token) : Number.NaN
  if (!Number.isSafeInteger(number)) throw invalidToken()
  return number
}

export function invalidToken(): StorageFailure {
  return invalid('Invalid page token', 'pageToken')
}

function signToken(key: Uint8Array, { method, user, path, values }: PageScope, said: Uint8Array): Uint8Array {
  // only the operation's own parameters: fields, prettyPrint and the like may differ too
  const bound = Object.entries(values).filter(([name]) => isBound(method, name))
  const scope = JSON.stringify(['page', method.id, user, path, bound.toSorted(byName)])
  return createHmac('sha256', key).update(scope).update('\0').update(said).digest().subarray(0, TAG_BYTES)
}

function isBound(method: Method, name: string): boolean {
  return !FREE.has(name) && [...method.parameters.keys()].some((known) => known === name)
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b)
}
