/** A batch whose client does not read: the service stops when the send buffer is full, and when the client leaves. */
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'

const PAIRS = 50
let drive: Drive
beforeAll(async () => {
  drive = await startDrive()
  // a response of 1.5 MB
  const body = { title: 'large', description: 'd'.repeat(25_000) }
  for (let at = 0; at < 60; at++) await drive.ask('POST', '/drive/v2/files', { body })
})

const made = async () =>
  (await drive.ask('GET', '/drive/v2/files', { query: { q: "title = 'made'", maxResults: 1000 } })).json.items
    .length as number

const part = (head: string, body = '') =>
  `--b\r\ncontent-type: application/http\r\n\r\n${head}\r\ncontent-length: ${body.length}\r\ncontent-type: application/json\r\n\r\n${body}\r\n`

/** Waits until the count has not changed for 500 ms. */
async function settled(): Promise<number> {
  for (let before = -1; ;) {
    const now = await made()
    if (now === before) return now
    before = now
    await new Promise((over) => setTimeout(over, 500))
  }
}

test('is left at what is sent', async () => {
  const pair =
    part('POST /drive/v2/files HTTP/1.1', '{"title":"made"}') +
    part('GET /drive/v2/files?q=title%3D%27large%27&maxResults=1000&fields=* HTTP/1.1')
  const body = `${pair.repeat(PAIRS)}--b--\r\n`
  const { hostname, port } = new URL(drive.url)
  const client = connect(Number(port), hostname).pause()
  client.on('error', () => undefined)
  client.write(
    `POST /batch/drive/v2 HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${drive.token}\r\n` +
      `content-type: multipart/mixed; boundary=b\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await expect.poll(made, { timeout: 20_000 }).toBeGreaterThan(0)
  const waiting = await settled()
  expect(waiting).toBeLessThan(PAIRS / 2)
  client.destroy()
  // one more request was already running
  expect(await settled()).toBeLessThanOrEqual(waiting + 1)
})
