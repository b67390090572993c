/** Notification receivers that never answer: their messages time out, and those to other receivers arrive meanwhile. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function receiver(take: RequestListener): Promise<number> {
  const server = createServer(take)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // a server on a port has an address
  return (server.address() as AddressInfo).port
}

test('keep nobody else waiting, and are asked again', async () => {
  const hanging: IncomingMessage[] = []
  const closed: number[] = []
  const ports = await Promise.all(
    Array.from({ length: 6 }, () =>
      receiver((request) => {
        const began = performance.now()
        hanging.push(request)
        request.socket.once('close', () => closed.push(performance.now() - began))
      }),
    ),
  )
  const taken: string[] = []
  const good = await receiver((request, response) => {
    taken.push(String(request.headers['x-goog-channel-id']))
    response.end()
  })
  const folder = temp('store')
  const drive = await startDrive({ folder, args: ['--allow-local-notifications', '--access-log', 'off'] })
  const hla = (...words: string[]) => callHla(['drive', ...words, '--data', folder], { cwd: folder })
  await hla('user', 'add', 'bo@example.org')
  const other = (await hla('token', 'create', '--user', 'bo@example.org')).stdout.trim()
  // more channels, on several hosts, than one user may have messages in flight
  const ids = Array.from({ length: 48 }, (_, at) => `hangs-${at}`)
  await Promise.all(ids.map((id, at) => watch(drive, id, ports[at % ports.length] ?? 0)))
  await expect.poll(() => hanging.length, { timeout: 10_000 }).toBe(32)
  await watch(drive, 'others', good, other)
  await expect.poll(() => taken, { timeout: 5000 }).toContain('others')
  expect((await drive.ask('POST', '/drive/v2/files', { body: { title: 'x' } })).status).toBe(200)
  // the first time out, and more are sent
  await expect.poll(() => closed.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(32)
  expect(Math.max(...closed.slice(0, 32))).toBeLessThan(15_000)
  await expect.poll(() => hanging.length, { timeout: 20_000 }).toBeGreaterThan(48)
  expect(await drive.stop()).toBe(0)
})

async function watch(drive: Drive, id: string, port: number, token = drive.token): Promise<void> {
  const body = { id, type: 'web_hook', address: `http://127.0.0.1:${port}/` }
  expect((await drive.ask('POST', '/drive/v2/changes/watch', { body, token })).status).toBe(200)
}
