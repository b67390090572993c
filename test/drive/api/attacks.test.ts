/** Attacks on `hla drive serve`: a paused process, many requests on one connection, slow and compressed bodies. */
import { gzipSync } from 'node:zlib'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connectTo, memoryDuring, oneByteChunks, standStill, statusesIn } from '../../support/attacked.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { GRANULE, startResumable } from '../../support/resumable.ts'

const UPLOAD = '/upload/drive/v2/files?uploadType=media'
const FILES = '/drive/v2/files'

function headOf({ token }: Drive, method: string, path: string, more: string): string {
  return `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${more}\r\n`
}

/** Checks that the service answers and shuts down cleanly. */
async function expectSound(drive: Drive): Promise<void> {
  expect((await drive.ask('GET', '/drive/v2/about')).status).toBe(200)
  expect(await drive.stop()).toBe(0)
  expect(drive.said() + drive.printed()).not.toMatch(/ERR_HTTP_HEADERS_SENT|internal error/)
}

describe('a process that stands still in the middle of an upload', () => {
  const times: [args: string[], ms: number][] = [[['--idle-timeout', '1s'], 1600]]
  if (process.env['HLA_LONG'] !== undefined) times.push([[], 11_000])

  test.for(times)('keeps the whole or nothing of it: %j, %i ms', async ([args, ms]) => {
    const drive = await startDrive({ args })
    const body = 'x'.repeat(100_000)
    const clients = Array.from({ length: 8 }, () => connectTo(drive.url))
    const head = headOf(
      drive,
      'POST',
      UPLOAD,
      `content-type: text/plain\r\ncontent-length: ${body.length}\r\n`,
    )
    for (const { socket } of clients) socket.write(head + body.slice(0, 40_000))
    const upload = await startResumable(drive)
    const whole = `bytes 0-${2 * GRANULE - 1}/${2 * GRANULE}`
    const resumed = connectTo(drive.url)
    resumed.socket.write(
      `PUT ${upload.url.slice(drive.url.length)} HTTP/1.1\r\nhost: x\r\ncontent-range: ${whole}\r\ncontent-length: ${2 * GRANULE}\r\n\r\n`,
    )
    resumed.socket.write(Buffer.alloc(GRANULE + 7))
    await pause(200)
    await standStill(drive.child, ms, () => {
      for (const { socket } of clients.slice(0, 4)) socket.write(body.slice(40_000))
    })
    await pause(100)
    for (const { socket } of clients.slice(0, 4)) socket.end()
    for (const { socket } of clients.slice(4)) if (socket.writable) socket.end(body.slice(40_000))
    resumed.socket.destroy()
    const texts = await Promise.all(clients.map(({ ended }) => ended))
    for (const text of texts) expect(statusesIn(text).length).toBeLessThanOrEqual(1)
    const stored = texts.filter((text) => statusesIn(text)[0] === 200).length
    const { items } = (await drive.ask('GET', FILES)).json as { items: { fileSize: string }[] }
    // every acknowledged file is there; no file is incomplete
    expect(items.length).toBeGreaterThanOrEqual(stored)
    expect(items.filter(({ fileSize }) => fileSize !== String(body.length))).toEqual([])
    // the bytes of the other upload are kept, and it continues
    const asked = () => upload.send('*/*').catch(() => undefined)
    await expect.poll(async () => (await asked())?.status, { timeout: 10_000 }).toBe(308)
    const range = (await upload.send('*/*')).headers.get('range')
    expect([null, `bytes=0-${GRANULE - 1}`]).toContain(range)
    const from = range === null ? 0 : GRANULE
    const rest = new Uint8Array(2 * GRANULE - from)
    expect((await upload.send(`${from}-${2 * GRANULE - 1}/${2 * GRANULE}`, rest)).status).toBe(200)
    await expectSound(drive)
  })
})

describe('many requests on one connection, without waiting', () => {
  test('are answered in their order, and none is lost', async () => {
    const drive = await startDrive()
    const { socket, ended } = connectTo(drive.url)
    const titles = Array.from({ length: 60 }, (_, at) => `piped ${at}`)
    const requests = titles.flatMap((title, at) => {
      const body = JSON.stringify({ title })
      const content = `content of ${title}`
      return [
        headOf(drive, 'POST', `${FILES}?fields=title`, `content-length: ${body.length}\r\n`) + body,
        headOf(drive, 'GET', `${FILES}/missing${at}`, ''),
        headOf(drive, 'POST', `${UPLOAD}&fields=fileSize`, `content-length: ${content.length}\r\n`) + content,
      ]
    })
    socket.write(
      requests.join('') + headOf(drive, 'GET', '/drive/v2/about?fields=kind', 'connection: close\r\n'),
    )
    const text = await ended
    expect(statusesIn(text)).toEqual([...titles.flatMap(() => [200, 404, 200]), 200])
    expect([...text.matchAll(/"title":"(.*?)"/g)].map(([, title]) => title)).toEqual(titles)
    const list = await drive.ask('GET', FILES, { query: { maxResults: 1000 } })
    expect(list.json.items).toHaveLength(2 * titles.length)
    await expectSound(drive)
  })

  test('and behind one that cannot be read nothing more is', async () => {
    const drive = await startDrive()
    const { socket, ended } = connectTo(drive.url)
    const good = headOf(drive, 'GET', '/drive/v2/about', '')
    socket.write(`${good}${good}nonsense\r\n\r\n${good}`)
    expect(statusesIn(await ended)).toEqual([200, 200, 400])
    await expectSound(drive)
  })
})

describe('an upload in chunks of one byte', () => {
  test('takes no more memory than another', async () => {
    const drive = await startDrive()
    const body = oneByteChunks('x'.repeat(400_000))
    const send = async () => {
      const { socket, ended } = connectTo(drive.url)
      socket.write(
        headOf(drive, 'POST', UPLOAD, 'transfer-encoding: chunked\r\nconnection: close\r\n') + body,
      )
      expect(statusesIn(await ended)).toEqual([200])
    }
    await send()
    expect(await memoryDuring(drive.child, send)).toBeLessThan(128)
    await expectSound(drive)
  })

  test('that come one now and then are refused, and what came of a resumable one is kept', async () => {
    const drive = await startDrive({ args: ['--idle-timeout', '1s'] })
    const upload = await startResumable(drive)
    const path = upload.url.slice(drive.url.length)
    const range = `content-range: bytes 0-${2 * GRANULE - 1}/*\r\ncontent-length: ${2 * GRANULE}\r\n`
    const ways: [head: string, begin: Buffer, piece: string][] = [
      [headOf(drive, 'POST', UPLOAD, 'transfer-encoding: chunked\r\n'), Buffer.alloc(0), '1\r\nx\r\n'],
      [headOf(drive, 'PUT', path, range), Buffer.alloc(GRANULE), 'x'],
    ]
    for (const [head, begin, piece] of ways) {
      const { socket, received } = connectTo(drive.url)
      socket.write(head)
      socket.write(begin)
      const dribble = setInterval(() => socket.writable && socket.write(piece), 100)
      await expect.poll(() => statusesIn(received()), { timeout: 15_000 }).toEqual([408])
      clearInterval(dribble)
      socket.destroy()
    }
    // a kept connection may have timed out
    const held = async () => (await upload.send('*/*').catch(() => undefined))?.headers.get('range')
    await expect.poll(held, { timeout: 10_000 }).toBe(`bytes=0-${GRANULE - 1}`)
    expect((await drive.ask('GET', FILES)).json.items).toEqual([])
    await expectSound(drive)
  })

  test('that come at a pace are not', async () => {
    const drive = await startDrive({ args: ['--idle-timeout', '1s'] })
    const { socket, ended } = connectTo(drive.url)
    const piece = 'x'.repeat(500)
    socket.write(
      headOf(drive, 'POST', UPLOAD, `content-length: ${30 * piece.length}\r\nconnection: close\r\n`),
    )
    for (let at = 0; at < 30; at += 1) {
      socket.write(piece)
      await pause(100)
    }
    expect(statusesIn(await ended)).toEqual([200])
    await expectSound(drive)
  })
})

test('a packed body is not unpacked', async () => {
  const drive = await startDrive()
  const body = gzipSync(Buffer.alloc(500_000_000), { level: 1 })
  const headers = { 'content-encoding': 'gzip' }
  const memory = await memoryDuring(drive.child, async () => {
    expect((await drive.ask('POST', FILES, { body, headers })).status).toBeOneOf([400, 413])
    const { json } = await drive.ask('POST', UPLOAD, { body, headers })
    expect(json.fileSize).toBe(String(body.length))
  })
  expect(memory).toBeLessThan(128)
  await expectSound(drive)
})
