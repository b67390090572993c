/** Forms: read, and proven to be one that this service gave to the same browser for the same address. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse } from 'node:querystring'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setting } from '../../domain/settings.ts'
import { newSecret } from '../../protocol/ids.ts'
import { baseUrl } from '../requests/base-url.ts'
import type { DriveContext } from '../requests/call.ts'
import { readCookie, setCookie } from './cookies.ts'
import { type Html, html } from './html.ts'

export type Form = Readonly<Record<string, string | undefined>>

/** Of a name that is there twice the first. */
export function readForm({ body }: FastifyRequest): Form {
  // as our parser leaves it
  const bytes = body as Uint8Array | undefined
  const form = parse(bytes === undefined ? '' : Buffer.from(bytes).toString('utf8'))
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
}

/** Seconds that a form may stay open. */
const FORM_LIFE = 3600

/** The field that proves it. */
export function formProof(drive: DriveContext, request: FastifyRequest, reply: FastifyReply): Html {
  const value = readCookie(request, 'form') ?? newSecret()
  const isSecure = baseUrl(request, drive.options).startsWith('https:')
  setCookie(reply, 'form', { value, seconds: FORM_LIFE, isSecure })
  return html`<input type="hidden" name="proof" value="${sign(drive, request, value)}" />`
}

export function isProven(drive: DriveContext, request: FastifyRequest, { proof = '' }: Form): boolean {
  const cookie = readCookie(request, 'form')
  if (cookie === undefined) return false
  const [given, expected] = [Buffer.from(proof), Buffer.from(sign(drive, request, cookie))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function sign(drive: DriveContext, { url }: FastifyRequest, cookie: string): string {
  return signText(drive, ['form', cookie, url])
}

/** With a key that all servers of the store have. The first text says what the others are. */
export function signText({ store }: DriveContext, texts: readonly string[]): string {
  const key = Buffer.from(setting(store.read, 'page-key'), 'base64url')
  return createHmac('sha256', key).update(JSON.stringify(texts)).digest('base64url')
}
