/** A range of a content's file as a stream, read to its end, left and cut short. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { finished } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openFile } from '../../../src/drive/persistence/contents/places/folder-place.ts'
import { LostObject } from '../../../src/drive/persistence/contents/places/place.ts'
import { tempFolder } from '../../support/temp.ts'

const PIECE = 512 << 10
const BYTES = randomBytes(9 * PIECE + 12_345)
const path = tempFolder()('content')
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const ranges = [
  { start: 0, end: BYTES.length - 1 },
  { start: 3, end: 3 },
  { start: 17, end: PIECE + 16 },
  { start: PIECE - 1, end: 4 * PIECE },
  { start: 5 * PIECE, end: BYTES.length - 1 },
]

let server: Server
let answers: (answer: ServerResponse) => Promise<unknown>

beforeAll(async () => {
  writeFileSync(path, BYTES)
  server = createServer((_request, answer) => void answers(answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const open = (range = ranges[0] ?? { start: 0, end: 0 }) => openFile(path, BYTES.length, range)
const sendRange = (range?: (typeof ranges)[number]) => {
  answers = async (answer) => {
    const bytes = await open(range)
    // as Fastify does
    finished(answer, () => bytes.destroy())
    bytes.pipe(answer)
  }
}

function asked(): Socket {
  const { port } = server.address() as AddressInfo // the server listens on a port
  return connect(port, '127.0.0.1').setNoDelay(true)
}

/** The bytes after the head. `pause`: ms to wait after every eighth chunk. */
async function received(pause = 0): Promise<Buffer> {
  const socket = asked()
  socket.write('GET / HTTP/1.0\r\n\r\n')
  const chunks: Buffer[] = []
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer) // no encoding is set
    if (pause > 0 && chunks.length % 8 === 0) await wait(pause)
  }
  const all = Buffer.concat(chunks)
  return all.subarray(all.indexOf('\r\n\r\n') + 4)
}

/** Whether this process has the file open. */
function isOpen(): boolean {
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      return false
    }
  })
}
const isLinux = process.platform === 'linux'

test.each(ranges)('an answer gets the bytes from $start to $end, in order', async (range) => {
  sendRange(range)
  expect(digest(await received())).toBe(digest(BYTES.subarray(range.start, range.end + 1)))
})

test('one who reads slowly gets the same, and so do many at once', async () => {
  sendRange()
  const all = await Promise.all([received(2), received(), received(1), received()])
  expect(new Set(all.map(digest))).toEqual(new Set([digest(BYTES)]))
  if (isLinux) await vi.waitFor(() => expect(isOpen()).toBe(false))
})

test.each(ranges)(
  'whoever is no answer gets the bytes from $start to $end as of any stream',
  async (range) => {
    const found = await buffer(await open(range))
    expect(digest(found)).toBe(digest(BYTES.subarray(range.start, range.end + 1)))
  },
)

test.runIf(isLinux)('when the other side leaves, the file is closed', async () => {
  sendRange()
  const socket = asked()
  socket.write('GET / HTTP/1.0\r\n\r\n')
  await once(socket, 'data')
  expect(isOpen()).toBe(true)
  socket.destroy()
  await vi.waitFor(() => expect(isOpen()).toBe(false))
})

test('a file that ends too soon is an error of the stream, not an end', async () => {
  let failed: Promise<unknown[]> | undefined
  answers = async (answer) => {
    const bytes = await open()
    failed = new Promise((resolve) => finished(bytes, (...why) => resolve(why)))
    truncateSync(path, 6 * PIECE)
    bytes.pipe(answer)
    await failed
    answer.destroy()
  }
  expect((await received()).length).toBeLessThanOrEqual(6 * PIECE)
  expect(String((await failed)?.[0])).toContain('before it should')
  writeFileSync(path, BYTES)
})

test('a file that ends a byte too soon is an error that says where', async () => {
  const bytes = await open()
  truncateSync(path, BYTES.length - 1)
  await expect(buffer(bytes)).rejects.toThrow(
    new Error(`a content ends at ${BYTES.length - 1} before it should`),
  )
  await expect(open({ start: 0, end: 0 })).rejects.toThrow(
    new LostObject(`the content ${path} has ${BYTES.length - 1} bytes instead of ${BYTES.length}`),
  )
  writeFileSync(path, BYTES)
  const none = { start: 0, end: 0 }
  await expect(openFile(`${path}/x`, 5, none)).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(openFile(`${path}x`, 5, none)).rejects.toThrow(
    new LostObject(`the content ${path}x is not there`),
  )
})
