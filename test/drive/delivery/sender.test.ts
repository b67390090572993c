/** Deliveries and their allowed receivers, with real servers on this machine. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Delivery } from '../../../src/drive/domain/channels/notifications.ts'
import type { FoundAddress } from '../../../src/drive/delivery/notification-address.ts'
import { openSender, type DeliveryOutcome } from '../../../src/drive/delivery/deliverer.ts'
import { type Hooks, startHooks } from '../../support/hooks.ts'

const message = (address: string): Delivery => ({
  pk: 1,
  channel: 1,
  user: 1,
  number: 7,
  state: 'update',
  changed: 'content,parents',
  attempts: 0,
  id: 'c-1',
  address,
  token: 'a token',
  resource: 'r-1',
  uri: 'https://drive.example.org/drive/v2/files/x?alt=json',
  expires: Date.parse('2026-12-24T12:00:00Z'),
})

let hooks: Hooks
let other: Hooks
beforeAll(async () => {
  other = await startHooks()
  hooks = await startHooks(({ path }) => {
    if (path === '/slow') return new Promise((resolve) => setTimeout(() => resolve(200), 2000))
    if (path === '/moved') return { status: 302, headers: { location: `${other.url}/secret` } }
    return Number(path.slice(1)) || 200
  })
})

interface Trial {
  readonly allowsLocal?: boolean
  readonly found?: readonly FoundAddress[] | Error
  readonly of?: Partial<Delivery>
}

async function sent(address: string, { allowsLocal = true, found = [], of = {} }: Trial = {}) {
  let asked = 0
  const resolve = () => {
    asked += 1
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found)
  }
  const sender = await openSender({ allowsLocal, timeout: 500, perHost: 2, resolve })
  const outcome = await sender.send({ ...message(address), ...of }, new AbortController().signal)
  await sender.close()
  return { outcome, asked }
}

const at = (address: string): FoundAddress => ({ address, family: address.includes(':') ? 6 : 4 })

test('a message is its headers', async () => {
  await sent(`${hooks.url}/hook`)
  expect(hooks.taken.at(-1)).toMatchObject({
    path: '/hook',
    body: '',
    headers: {
      'content-length': '0',
      'content-type': 'application/json; utf-8',
      'user-agent': 'hla-drive',
      'x-goog-channel-id': 'c-1',
      'x-goog-channel-token': 'a token',
      'x-goog-channel-expiration': 'Thu, 24 Dec 2026 12:00:00 GMT',
      'x-goog-message-number': '7',
      'x-goog-resource-id': 'r-1',
      'x-goog-resource-state': 'update',
      'x-goog-resource-uri': 'https://drive.example.org/drive/v2/files/x?alt=json',
      'x-goog-changed': 'content,parents',
    },
  })
})

test('a message of a change has a body, and one without a token or differences has no header of them', async () => {
  await sent(`${hooks.url}/hook`, { of: { state: 'change', token: null, changed: null } })
  const { body, headers = {} } = hooks.taken.at(-1) ?? {}
  expect(body).toBe('{"kind":"drive#changes"}')
  expect(headers).toMatchObject({ 'x-goog-resource-state': 'change', 'content-length': '24' })
  expect(['x-goog-channel-token', 'x-goog-changed'].filter((name) => name in headers)).toEqual([])
})

test.for([200, 404, 500])('102 is taken, whatever follows: %i', async (status) => {
  const server = createServer((_, response) => {
    response.writeProcessing()
    setTimeout(() => response.writeHead(status).end(), 50)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  expect((await sent(`http://127.0.0.1:${port}/`)).outcome).toBe('done')
  server.close()
})

test('102 is taken, though the connection then breaks', async () => {
  const server = createServer((request, response) => {
    response.writeProcessing(() => setTimeout(() => request.socket.destroy(), 20))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  expect((await sent(`http://127.0.0.1:${port}/`)).outcome).toBe('done')
  server.close()
})

test.for<[number, DeliveryOutcome]>([
  [15_000, 'done'],
  [17_000, 'again'],
])('an answer with %i bytes of headers: %s', async ([size, outcome]) => {
  const server = createServer((_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(size) }).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  expect((await sent(`http://127.0.0.1:${port}/`)).outcome).toBe(outcome)
  server.close()
})

describe('an answer', () => {
  test.for<[number | string, DeliveryOutcome]>([
    [200, 'done'],
    [201, 'done'],
    [202, 'done'],
    [204, 'done'],
    [500, 'again'],
    [502, 'again'],
    [503, 'again'],
    [504, 'again'],
    ['slow', 'again'],
    [203, 'dropped'],
    [304, 'dropped'],
    [400, 'dropped'],
    [401, 'dropped'],
    [404, 'dropped'],
    [410, 'dropped'],
    [429, 'dropped'],
    [501, 'dropped'],
    ['moved', 'dropped'],
  ])('%s: %s', async ([path, outcome]) => expect((await sent(`${hooks.url}/${path}`)).outcome).toBe(outcome))

  test('that leads elsewhere leads nowhere', async () => {
    await sent(`${hooks.url}/moved`)
    expect(other.connections()).toBe(0)
  })
})

describe('without a connection', () => {
  test.for<[string, Trial, DeliveryOutcome]>([
    // no server listens on this port
    ['http://127.0.0.1:1/', {}, 'again'],
    // the name resolves to an address of this machine or its network, at least once
    ['https://hooks.example.org:PORT/', { allowsLocal: false, found: [at('127.0.0.1')] }, 'again'],
    ['https://hooks.example.org:PORT/', { allowsLocal: false, found: [at('::1')] }, 'again'],
    ['https://hooks.example.org:PORT/', { allowsLocal: false, found: [at('::ffff:127.0.0.1')] }, 'again'],
    ['https://hooks.example.org:PORT/', { allowsLocal: false, found: [at('10.0.0.1')] }, 'again'],
    ['https://hooks.example.org:PORT/', { allowsLocal: false, found: [at('169.254.169.254')] }, 'again'],
    ['https://hooks.example.org:PORT/', { allowsLocal: false, found: [at('fd00::1')] }, 'again'],
    ['https://hooks.example.org:PORT/', { found: [at('127.0.0.1'), at('10.0.0.1')] }, 'again'],
    ['https://hooks.example.org:PORT/', { found: [at('8.8.8.8'), at('192.168.1.1')] }, 'again'],
    ['https://hooks.example.org:PORT/', { found: [] }, 'again'],
    ['https://hooks.example.org:PORT/', { found: new Error('ENOTFOUND') }, 'again'],
    // plain HTTP requires an address of this machine, whatever the name
    ['http://localhost:PORT/', { found: [at('8.8.8.8')] }, 'again'],
    ['http://localhost:PORT/', { allowsLocal: false, found: [at('127.0.0.1')] }, 'again'],
    // an IP address, for example of a channel that was opened when these were allowed
    ['http://127.0.0.1:PORT/', { allowsLocal: false }, 'dropped'],
    ['https://127.0.0.1:PORT/', { allowsLocal: false }, 'dropped'],
    ['https://[::ffff:127.0.0.1]:PORT/', {}, 'dropped'],
  ])('%s %j: %s', async ([address, trial, outcome]) => {
    const before = hooks.connections()
    expect((await sent(address.replace('PORT', String(hooks.port)), trial)).outcome).toBe(outcome)
    expect(hooks.connections()).toBe(before)
  })
})

test('messages to one receiver share a connection where it is allowed one', async () => {
  const before = hooks.connections()
  const sender = await openSender({ allowsLocal: true, timeout: 500, perHost: 1 })
  const { signal } = new AbortController()
  const outcomes: DeliveryOutcome[] = []
  for (let number = 1; number <= 3; number += 1)
    outcomes.push(await sender.send({ ...message(`${hooks.url}/200`), number }, signal))
  await sender.close()
  expect([outcomes, hooks.connections() - before]).toEqual([['done', 'done', 'done'], 1])
})

test('a name is looked up once, and what was found is connected to', async () => {
  const { outcome, asked } = await sent(`http://localhost:${hooks.port}/200`, { found: [at('127.0.0.1')] })
  expect({ outcome, asked }).toEqual({ outcome: 'done', asked: 1 })
  expect(hooks.taken.at(-1)?.headers.host).toBe(`localhost:${hooks.port}`)
})
