/** Proxies that the environment names: which names are addresses, and the message about one that does not answer. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openDispatcher, ProxyError } from '../../src/io/dispatcher.ts'

const NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']

async function openWith(variable: string, value: string): Promise<void> {
  for (const name of NAMES) vi.stubEnv(name, name === variable ? value : undefined)
  await (await openDispatcher({ connectTimeout: 100 })).close()
}

afterEach(() => void vi.unstubAllEnvs())

test('a proxy that does not answer is named without its password', () => {
  const cause = new Error('refused')
  expect(new ProxyError('http://user:secret@proxy.example:3128/', cause)).toMatchObject({
    name: 'ProxyError',
    message: 'the proxy http://proxy.example:3128 does not answer: refused',
    proxy: 'http://proxy.example:3128',
    cause,
  })
})

test.for([
  ['HTTP_PROXY', 'ftp://user:secret@proxy.example'],
  ['HTTPS_PROXY', 'x http://proxy.example'],
  ['http_proxy', 'http://'],
  ['https_proxy', 'file:///proxy'],
  ['HTTP_PROXY', 'xhttp://proxy.example'],
  ['HTTP_PROXY', 'httpss://proxy.example'],
] as const)('%s=%s is no proxy', async ([variable, value]) => {
  const name = variable.toUpperCase()
  await expect(openWith(variable, value)).rejects.toMatchObject({
    code: 'usage',
    message: `${name} is not the address of a proxy`,
    hint: `${name}=http://proxy.example.org:3128, or NO_PROXY='*' for none`,
  })
})

test.for([
  ['HTTP_PROXY', ''],
  ['HTTPS_PROXY', '  '],
  ['HTTP_PROXY', 'proxy.example:3128'],
  ['HTTPS_PROXY', ' https://proxy.example '],
  ['https_proxy', 'http://user:secret@proxy.example'],
] as const)('%s=%j is one, or none', async ([variable, value]) => {
  await expect(openWith(variable, value)).resolves.toBeUndefined()
})

/** Address of a server that answers every request with the address in it. */
async function openEcho(): Promise<string> {
  const server = createServer((request, response) => response.end(request.url))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // a TCP server's address is an object
  return `http://127.0.0.1:${port}`
}

test('requests go to the server itself, or to the proxy that a variable names', async () => {
  const echo = await openEcho()
  const ask = async (origin: string) => {
    const dispatcher = await openDispatcher({ connectTimeout: 1000 })
    onTestFinished(() => dispatcher.close())
    const { body } = await dispatcher.request({ origin, path: '/x', method: 'GET' })
    return body.text()
  }
  for (const name of [...NAMES, 'NO_PROXY', 'no_proxy']) vi.stubEnv(name, undefined)
  expect(await ask(echo)).toBe('/x')
  vi.stubEnv('HTTPS_PROXY', echo)
  expect(await ask(echo)).toBe('/x')
  vi.stubEnv('HTTP_PROXY', ` ${echo.replace('http://', '')} `)
  expect(await ask('http://ard.example')).toBe('http://ard.example/x')
  // the name in small letters comes first
  vi.stubEnv('http_proxy', echo)
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1')
  expect(await ask('http://ard.example')).toBe('http://ard.example/x')
  vi.stubEnv('http_proxy', 'http://user:secret@127.0.0.1:1')
  await expect(ask('http://ard.example')).rejects.toMatchObject({
    name: 'ProxyError',
    message: 'the proxy http://127.0.0.1:1 does not answer: connect ECONNREFUSED 127.0.0.1:1',
  })
})
