/** HTML pages that the service renders without scripts; inserted text is escaped. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse } from 'node:querystring'
import { setting, storeName } from '../../domain/settings.ts'
import { newSecret } from '../../protocol/ids.ts'
import type { DriveContext } from '../requests/call.ts'
import { bodyOf } from '../requests/parts.ts'
import { readCookie } from './cookies.ts'
import { type Visit, setCookie } from './visit.ts'

/** Text that is already HTML. */
export interface Html {
  readonly html: string
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

type Part = string | Html | undefined | readonly Html[]

/** Template tag that escapes all parts except `Html`. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, at) => `${text}${formatPart(parts[at])}`).join('') }
}

function formatPart(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string') return part.replaceAll(/[&<>"']/g, (sign) => ESCAPED[sign] ?? '')
  if ('html' in part) return part.html
  return part.map((one) => one.html).join('')
}

export interface PageAnswer {
  readonly title: string
  readonly body: Html
  readonly status?: number
  /** Origin that a form may redirect to, besides this service. */
  readonly leadsTo?: string | undefined
}

export function sendPage(
  { drive, reply }: Visit,
  { title, body, status = 200, leadsTo }: PageAnswer,
): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    // browsers apply form-action to redirects after a form too
    `form-action 'self'${leadsTo === undefined ? '' : ` ${leadsTo}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const name = storeName(drive.store.read) ?? 'Files'
  // scripts of other origins must not read the form
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers')
  return reply
    .code(status)
    .headers({
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(pageHtml(name, title, body).html)
}

function pageHtml(name: string, title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${name}</title>
        <link rel="stylesheet" href="/page.css" />
        <link rel="stylesheet" href="/drive.css" />
      </head>
      <body>
        <header>
          <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" />
            <path d="M10 6v20M22 6v20M10 12h12M10 20h12" />
          </svg>
          <h1>${name}</h1>
        </header>
        <main>
          <section id="sign-in">
            <h2>${title}</h2>
            ${body}
          </section>
        </main>
      </body>
    </html> `
}

export type Form = Readonly<Record<string, string | undefined>>

/** Parses a form; of a repeated name the first value counts. */
export function readForm(request: FastifyRequest): Form {
  const form = parse(Buffer.from(bodyOf(request) ?? '').toString('utf8'))
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
}

/** Seconds that a form stays valid. */
const FORM_LIFE_SECONDS = 3600

/** Hidden field that protects a form against forged requests. */
export function formProof(visit: Visit): Html {
  const { drive, request } = visit
  const value = readCookie(request, 'form') ?? newSecret()
  setCookie(visit, 'form', value, FORM_LIFE_SECONDS)
  return html`<input type="hidden" name="proof" value="${signText(drive, ['form', value, request.url])}" />`
}

export function isProven({ drive, request }: Visit, { proof = '' }: Form): boolean {
  const cookie = readCookie(request, 'form')
  return cookie !== undefined && isSame(proof, signText(drive, ['form', cookie, request.url]))
}

/** Compares a secret or signature without telling by the time how much of it is right. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Signs with a key of the store. The first text names the purpose. */
export function signText({ store }: Pick<DriveContext, 'store'>, texts: readonly string[]): string {
  const key = Buffer.from(setting(store.read, 'page-key'), 'base64url')
  return createHmac('sha256', key).update(JSON.stringify(texts)).digest('base64url')
}
