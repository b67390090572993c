/** Uploads that are too large or too slow. */
import { once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import { printedBy } from '../../support/call-hla.ts'
import { type Drive, type Reply, startDrive } from '../../support/drive.ts'
import { beginRequest, replyTo } from '../../support/raw-request.ts'
import { GRANULE, startResumable } from '../../support/resumable.ts'

const FILES = '/upload/drive/v2/files'
const MIB = 1024 * 1024

let drive: Drive
beforeAll(async () => {
  drive = await startDrive({ args: ['--idle-timeout', '2500ms'] })
  const owner = ['--data', drive.folder, '--quota', '1MiB', 'owner@localhost']
  await printedBy(['drive', 'user', 'set', ...owner], { cwd: drive.folder })
})

const reasonOf = ({ status, json }: Pick<Reply, 'status' | 'json'>) => [status, json.error.errors[0].reason]
const FULL = [403, 'storageQuotaExceeded']
const usedOf = async () => Number((await drive.ask('GET', '/drive/v2/about')).json.quotaBytesUsed)

describe('more than the quota is refused', () => {
  test('before it comes, where its length is known', async () => {
    expect(reasonOf(await drive.ask('POST', FILES, { body: new Uint8Array(MIB + 1) }))).toEqual(FULL)
    const headers = { 'x-upload-content-length': String(MIB + 1) }
    const query = { uploadType: 'resumable' }
    expect(reasonOf(await drive.ask('POST', FILES, { headers, query }))).toEqual(FULL)
  })

  test('while it comes', async () => {
    const asked = beginRequest(drive, 'POST', FILES, { 'content-type': 'a/b' })
    asked.on('error', () => undefined)
    const reply = replyTo(asked)
    asked.write(new Uint8Array(MIB + 1))
    const { status, text } = await reply
    expect(reasonOf({ status, json: JSON.parse(text) })).toEqual(FULL)
    asked.destroy()
    const upload = await startResumable(drive)
    const sent = await upload.send(`0-${5 * GRANULE - 1}/*`, new Uint8Array(5 * GRANULE))
    expect(reasonOf(sent)).toEqual(FULL)
  })

  test('in several uploads at once', async () => {
    const [first, other] = [await startResumable(drive), await startResumable(drive)]
    const three = new Uint8Array(3 * GRANULE)
    const range = `0-${three.length - 1}/*`
    expect((await first.send(range, three)).status).toBe(308)
    expect(await usedOf()).toBe(three.length)
    expect(reasonOf(await other.send(range, three))).toEqual(FULL)
    expect((await first.ask('DELETE')).status).toBe(499)
    expect(await usedOf()).toBe(0)
  })

  test('in several requests at once, of which none has ended; and what is given up makes room', async () => {
    const most = 700 * 1024
    const begin = async () => {
      const headers = { 'content-type': 'a/b', 'content-length': String(most), expect: '100-continue' }
      const asked = beginRequest(drive, 'POST', FILES, headers)
      asked.on('error', () => undefined)
      asked.flushHeaders()
      const reply = replyTo(asked).then(({ status, text }) => ({ status, json: JSON.parse(text) }))
      const isLetIn = await Promise.race([once(asked, 'continue').then(() => true), reply.then(reasonOf)])
      return { asked, isLetIn, reply }
    }
    const first = await begin()
    expect(first.isLetIn).toBe(true)
    expect((await begin()).isLetIn).toEqual(FULL)
    first.asked.destroy()
    let again = await begin()
    while (again.isLetIn !== true) again = await begin()
    again.asked.end(new Uint8Array(most))
    const { status, json } = await again.reply
    expect(status).toBe(200)
    await drive.ask('DELETE', `/drive/v2/files/${json.id}`)
  })

  test('and what replaces may be as large as what it replaces', async () => {
    const body = new Uint8Array(MIB)
    const { id } = (await drive.ask('POST', FILES, { body })).json
    expect(await usedOf()).toBe(MIB)
    expect(reasonOf(await drive.ask('PUT', `${FILES}/${id}`, { body }))).toEqual(FULL)
    const query = { newRevision: false }
    expect((await drive.ask('PUT', `${FILES}/${id}`, { body, query })).status).toBe(200)
    await drive.ask('DELETE', `/drive/v2/files/${id}`)
    expect(await usedOf()).toBe(0)
  })
})

test('who sends nothing is cut off, and what came is kept', async () => {
  const upload = await startResumable(drive)
  const headers = { 'content-range': `bytes 0-${3 * GRANULE - 1}/*`, 'content-length': String(3 * GRANULE) }
  const asked = beginRequest(drive, 'PUT', upload.url, headers)
  const cut = replyTo(asked).catch((error: Error) => error)
  asked.write(new Uint8Array(GRANULE + 5))
  expect(await cut).toBeInstanceOf(Error)
  expect((await upload.send('*/*')).headers.get('range')).toBe(`bytes=0-${GRANULE - 1}`)
})
