/** What a browser is shown: the page, the description of the interface, and their parts, as they were built.  [disk] */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { packagePath } from '../package-root.ts'

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html'],
  '/docs': ['docs.html', 'text/html'],
  '/page.css': ['page.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
  '/docs.js': ['docs.js', 'text/javascript'],
}

/** Nothing of another host, nothing inline, and no text that becomes HTML. */
const SECURITY = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Everybody sees the page, also where a token is needed to ask something. */
export function addPages(app: FastifyInstance): void {
  for (const [url, [file, type]] of Object.entries(FILES)) {
    const text = readFileSync(packagePath('dist/page', file))
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    app.get(url, { config: { isOpen: true } }, (request, reply) => {
      reply.headers({ ...SECURITY, etag, 'cache-control': 'no-cache' })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type(`${type}; charset=utf-8`).send(text)
    })
  }
}
