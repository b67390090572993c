/** Services behind a proxy, which variables name as for curl. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openRemote } from '../../src/remote/remote.ts'
import { download } from '../../src/reference/published/url-files.ts'
import { freePort } from '../support/free-port.ts'

const VERSION = { ipd_version: 3580, pyard_version: '2.3.1' }
const ARD = { gl_string: 'A*01:01', reduction_method: 'lgx' }

const open: Server[] = []
beforeEach(() => {
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'])
    vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A proxy that answers for every service, and what was asked. */
async function proxy() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    request.resume()
    response.end(JSON.stringify(request.url?.endsWith('/version') ? VERSION : { ard: 'A*01:01' }))
  })
  server.on('connect', ({ url }: IncomingMessage, socket) => {
    asked.push(`CONNECT ${url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  open.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return { asked, address: `127.0.0.1:${port}` }
}

async function ask(url: string) {
  const remote = await openRemote({ url, retries: 0 })
  try {
    return await remote.executor.execute('redux', ARD)
  } finally {
    await remote.close()
  }
}

test.for([
  ['http_proxy', 'ADDRESS', ''],
  ['HTTP_PROXY', 'http://ADDRESS', ''],
  ['http_proxy', 'http://me:s3cret@ADDRESS/', ` Basic ${btoa('me:s3cret')}`],
] as const)('%s=%s: requests without TLS go through it without a tunnel', async ([name, value, login]) => {
  const { asked, address } = await proxy()
  vi.stubEnv(name, value.replace('ADDRESS', address))
  expect(await ask('http://ard.example/hla')).toMatchObject({ ard: 'A*01:01' })
  expect(asked).toEqual([
    `GET http://ard.example/hla/version${login}`,
    `POST http://ard.example/hla/redux${login}`,
  ])
})

test('requests with TLS take a tunnel', async () => {
  const { asked, address } = await proxy()
  vi.stubEnv('https_proxy', address)
  await expect(ask('https://ard.example')).rejects.toMatchObject({ code: 'remote' })
  expect(asked).toEqual(['CONNECT ard.example:443'])
})

test('no_proxy goes around it', async () => {
  const { asked, address } = await proxy()
  const { asked: direct, address: service } = await proxy()
  vi.stubEnv('http_proxy', address)
  vi.stubEnv('no_proxy', '127.0.0.1')
  await ask(`http://${service}`)
  expect([asked, direct]).toEqual([[], ['GET /version', 'POST /redux']])
})

test.for(['http://ard.example', 'https://ard.example'])(
  'a proxy that is down is named, not the service %s, and never its password',
  async (url) => {
    const port = await freePort()
    vi.stubEnv('http_proxy', `me:s3cret@127.0.0.1:${port}`)
    await expect(ask(url)).rejects.toMatchObject({
      code: 'remote',
      message: `cannot reach ${url}: the proxy http://127.0.0.1:${port} does not answer: connection refused (1 attempt)`,
      hint: 'to connect without the proxy, put NO_PROXY=ard.example before the command',
    })
    await expect(download(`${url}/a`)).rejects.toMatchObject({
      message: expect.stringContaining(`the proxy http://127.0.0.1:${port} does not answer`),
    })
  },
)

test('a variable that names no proxy is an error', async () => {
  vi.stubEnv('http_proxy', 'ftp://me:s3cret@proxy')
  await expect(ask('http://ard.example')).rejects.toMatchObject({
    code: 'usage',
    message: 'HTTP_PROXY is not the address of a proxy',
  })
})
