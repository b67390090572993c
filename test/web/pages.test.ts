/** Files of the pages: packed for browsers that take it, and sent once. */
import Fastify from 'fastify'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { addPages, missingPage } from '../../src/web/pages.ts'

function newPages() {
  const app = Fastify()
  addPages(app, 'dist/page', { '/page.js': ['page.js', 'text/javascript'] })
  return (headers: Readonly<Record<string, string>> = {}) => app.inject({ url: '/page.js', headers })
}

test.for(['gzip', 'gzip, deflate, br', 'br;q=1.0, GZIP;q=0.5'])(
  '%s: the file is packed',
  async (accepted) => {
    const ask = newPages()
    const [plain, packed] = [await ask(), await ask({ 'accept-encoding': accepted })]
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': plain.headers['content-type'],
    })
    expect(packed.headers['vary']).toContain('Accept-Encoding')
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(plain.headers['etag']).toMatch(/^"[\w-]{22}"$/)
    expect(packed.headers['etag']).toBe(`${plain.headers['etag']?.slice(0, -1)}-gzip"`)
  },
)

test.for([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br'])(
  '%s: it is not',
  async (accepted) => {
    const { headers } = await newPages()(accepted === undefined ? {} : { 'accept-encoding': accepted })
    expect([headers['content-encoding'], headers['vary']]).toEqual([undefined, 'Accept-Encoding'])
  },
)

test('what a browser has in this form is not sent again', async () => {
  const ask = newPages()
  for (const form of [{}, { 'accept-encoding': 'gzip' }]) {
    const { headers } = await ask(form)
    const again = await ask({ ...form, 'if-none-match': String(headers['etag']) })
    expect([again.statusCode, again.rawPayload.length, again.headers['etag']]).toEqual([
      304,
      0,
      headers['etag'],
    ])
  }
})

test.for([
  [undefined, '/page.js', 'img-src data:'],
  [false, '/page.js', 'img-src data:'],
  [true, '/page.js', 'img-src data: blob:; frame-src blob:'],
  [true, '/a/none', 'img-src data:'],
] as const)(
  'a page loads nothing from elsewhere; contents of its own: %s at %s',
  async ([showsContents, url, images]) => {
    const app = Fastify()
    const options = showsContents === undefined ? undefined : { showsContents }
    addPages(app, 'dist/page', { '/page.js': ['page.js', 'text/javascript'] }, options)
    const showMissing = missingPage('dist/page', 'missing.html')
    app.setNotFoundHandler((request, reply) => showMissing(reply, 404, request.url))
    const { headers } = await app.inject(url)
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; ${images}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    )
  },
)

const SECURITY = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
}

test('a file has its type, and is asked for again each time', async () => {
  const { headers } = await newPages()()
  expect(headers).toMatchObject({ ...SECURITY, 'content-type': 'text/javascript; charset=utf-8' })
  const again = await newPages()({ 'if-none-match': '*' })
  expect(again.statusCode).toBe(304)
})

test.for([
  ['/none', './'],
  ['/a/', '../'],
  ['/a/none', '../'],
  ['/a/b/none', '../../'],
] as const)('the page at the unknown address %s leads to %s', async ([url, up]) => {
  const app = Fastify()
  const showMissing = missingPage('dist/page', 'missing.html')
  app.setNotFoundHandler((request, reply) => showMissing(reply, 410, request.url))
  const { statusCode, headers, body } = await app.inject(url)
  expect(statusCode).toBe(410)
  expect(headers).toMatchObject({ ...SECURITY, 'content-type': 'text/html; charset=utf-8' })
  expect(body).not.toContain('{up}')
  const links = [...body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)
  const own = links.filter((link) => !link.startsWith('data:'))
  expect(own.every((link) => link.startsWith(up) && !link.startsWith(`${up}../`))).toBe(true)
  expect(own).toContain(`${up}page.css`)
})
