/** Proxies that the environment names: which names are addresses, and the message about one that does not answer. */
import { afterEach, expect, test, vi } from 'vitest'
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
