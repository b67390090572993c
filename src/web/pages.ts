/** Serves the built pages and their files to browsers.  [disk] */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { packageText } from '../package-root.ts'
import { addVary } from './vary.ts'

/** Address -> file and type. */
export type PageFiles = Readonly<Record<string, readonly [file: string, type: string]>>

/**
 * Pages need no token, even where requests do. `folder` is below that of the package.
 * `showsContents` allows images and documents that the page itself has fetched.
 */
export function addPages(
  app: FastifyInstance,
  folder: string,
  files: PageFiles,
  { showsContents = false } = {},
): void {
  const security = securityHeaders(showsContents)
  for (const [url, [file, type]] of Object.entries(files)) {
    const text = packageText(folder, file)
    const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    let packed: Buffer | undefined
    app.get(url, { config: { isOpen: true } }, (request, reply) => {
      const isPacked = GZIP.test(request.headers['accept-encoding'] ?? '')
      // each form has a tag of its own
      const etag = isPacked ? `"${digest}-gzip"` : `"${digest}"`
      reply.headers({ ...security, etag, 'cache-control': 'no-cache' })
      addVary(reply, 'Accept-Encoding')
      if (['*', etag].includes(request.headers['if-none-match'] ?? '')) return reply.code(304).send()
      reply.type(`${type}; charset=utf-8`)
      if (!isPacked) return reply.send(text)
      return reply.header('content-encoding', 'gzip').send((packed ??= gzipSync(text)))
    })
  }
}

/** Accept-Encoding of clients that take gzip. */
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** Sends `file` to a browser at an unknown address. `{up}` in it becomes the relative path to the first page. */
export function missingPage(
  folder: string,
  file: string,
): (reply: FastifyReply, status: number, path: string) => FastifyReply {
  const text = packageText(folder, file)
  const security = securityHeaders(false)
  return (reply, status, path) => {
    // relative, for a proxy that serves this under a subpath
    const up = '../'.repeat(path.split('/').length - 2) || './'
    return reply
      .code(status)
      .headers({ ...security, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(text.replaceAll('{up}', up))
  }
}

/** Content-Security-Policy that allows no other hosts, no inline code and no text as HTML (Trusted Types). */
function securityHeaders(showsContents: boolean) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    ...(showsContents ? ['img-src data: blob:', 'frame-src blob:'] : ['img-src data:']),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}
