/** The address of a service: its port, the refusals, and the proxy before it. */
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { hostInUrl, isProxy, listen, type Listening } from '../../src/web/listen.ts'

const servers: Listening['server'][] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A service on a plain server. */
function service(): Listening {
  const server = createServer()
  servers.push(server)
  return {
    server,
    listen: (where) =>
      new Promise((listening, reject) => {
        server.once('error', reject).listen(where, () => listening(undefined))
      }),
  }
}

test('has the port that was asked for, and for 0 a free one, which no other gets', async () => {
  const port = await listen(service(), { host: '127.0.0.1', port: 0 })
  expect(port).toBeGreaterThan(0)
  await expect(listen(service(), { host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'io',
    message: `cannot listen on 127.0.0.1:${port}: the port is in use`,
    cause: { code: 'EADDRINUSE' },
  })
})

test('that cannot be had is refused with the reason, an IPv6 address in brackets', async () => {
  const failing = { server: createServer(), listen: () => Promise.reject(new Error('no such address')) }
  await expect(listen(failing, { host: '2001:db8::1', port: 8080 })).rejects.toMatchObject({
    code: 'io',
    message: 'cannot listen on [2001:db8::1]:8080: no such address',
  })
})

test('in an address', () => {
  expect(['::1', 'localhost', '127.0.0.1'].map(hostInUrl)).toEqual(['[::1]', 'localhost', '127.0.0.1'])
})

test('only the next proxy is believed', () => {
  expect([0, 1, 2].map((hop) => isProxy('127.0.0.1', hop))).toEqual([true, false, false])
})
