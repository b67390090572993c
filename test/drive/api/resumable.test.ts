/** Resumable uploads with `Content-Range`. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Reply } from '../../support/drive.ts'
import { beginRequest, replyTo } from '../../support/raw-request.ts'
import { GRANULE, startResumable } from '../../support/resumable.ts'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
beforeAll(async () => {
  drive = await serveHere(temp('store'), { maxUpload: 4 * 2 ** 20 })
})
afterAll(() => drive.stop())

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const CONTENT = randomBytes(3 * GRANULE + 777)
const TOTAL = CONTENT.length
const chunk = (from: number, to: number) => CONTENT.subarray(from, to + 1)
const rangeOf = ({ status, headers }: Reply) => [status, headers.get('range')]
const reasonOf = ({ status, json }: Reply) => [status, json.error.errors[0].reason]
const whole = { fileSize: String(TOTAL), md5Checksum: md5(CONTENT) }

describe('an upload', () => {
  test('of which more is held than it is said to have, is refused', async () => {
    const upload = await startResumable(drive, { body: { title: 'less' } })
    expect((await upload.send(`0-${GRANULE - 1}/*`, chunk(0, GRANULE - 1))).status).toBe(308)
    const refused = await upload.send('*/5')
    expect([reasonOf(refused), refused.json.error.message]).toEqual([
      [400, 'invalid'],
      `${GRANULE} bytes have been received already, more than the stated total 5.`,
    ])
    expect(rangeOf(await upload.send('*/*'))).toEqual([308, `bytes=0-${GRANULE - 1}`])
    expect((await upload.send(`*/${GRANULE}`)).status).toBe(200)
  })

  test('of KDE, which opens the session of an existing file by POST, replaces its content', async () => {
    const { id } = (await drive.ask('POST', '/drive/v2/files', { body: { title: 'kde' } })).json
    const path = `/upload/drive/v2/files/${id}`
    const opened = await drive.ask('POST', path, {
      query: { uploadType: 'resumable' },
      body: { title: 'kde 2' },
    })
    expect(opened.status).toBe(200)
    const { pathname, search } = new URL(opened.headers.get('location') ?? '')
    const send = (range: string, body?: Uint8Array) =>
      drive.ask('PUT', `${pathname}${search}`, { body, headers: { 'content-range': `bytes ${range}` } })
    expect((await send(`0-${GRANULE - 1}/*`, chunk(0, GRANULE - 1))).status).toBe(308)
    expect((await send(`${GRANULE}-${TOTAL - 1}/${TOTAL}`, chunk(GRANULE, TOTAL - 1))).json).toMatchObject({
      id,
      title: 'kde 2',
      ...whole,
    })
    // the content itself is sent by PUT
    for (const uploadType of ['media', 'multipart'])
      expect((await drive.ask('POST', path, { query: { uploadType }, body: 'x' })).status).toBe(404)
  })

  test('of Python, interrupted, makes one file', async () => {
    const headers = { 'x-upload-content-type': 'a/b', 'x-upload-content-length': String(TOTAL) }
    const upload = await startResumable(drive, {
      headers,
      body: { title: 'python' },
      query: { fields: 'id,title,fileSize,md5Checksum,mimeType' },
    })
    expect(rangeOf(await upload.send(`*/${TOTAL}`))).toEqual([308, null])
    const first = await upload.send(`0-${GRANULE - 1}/${TOTAL}`, chunk(0, GRANULE - 1))
    expect(rangeOf(first)).toEqual([308, `bytes=0-${GRANULE - 1}`])
    expect([first.text, first.headers.get('location')]).toEqual(['', null])
    expect(rangeOf(await upload.send(`*/${TOTAL}`))).toEqual([308, `bytes=0-${GRANULE - 1}`])
    // a repeated chunk, and one after a gap
    expect(rangeOf(await upload.send(`0-${GRANULE - 1}/${TOTAL}`, chunk(0, GRANULE - 1)))).toEqual([
      308,
      `bytes=0-${GRANULE - 1}`,
    ])
    expect(
      rangeOf(
        await upload.send(`${2 * GRANULE}-${3 * GRANULE - 1}/${TOTAL}`, chunk(2 * GRANULE, 3 * GRANULE - 1)),
      ),
    ).toEqual([308, `bytes=0-${GRANULE - 1}`])
    const last = () => upload.send(`${GRANULE - 5}-${TOTAL - 1}/${TOTAL}`, chunk(GRANULE - 5, TOTAL - 1))
    const { status, json } = await last()
    expect(status).toBe(200)
    expect(json).toEqual({ id: json.id, title: 'python', mimeType: 'a/b', ...whole })
    // the file is created once, however often the client asks
    for (const reply of [await last(), await upload.send(`*/${TOTAL}`), await upload.send('*/*')])
      expect([reply.status, reply.json.id]).toEqual([200, json.id])
  })

  test('of Go makes one file', async () => {
    const upload = await startResumable(drive, { headers: { 'x-upload-content-type': 'a/b' } })
    const post = (range: string, body: Uint8Array) =>
      upload.ask('POST', {
        body,
        headers: { 'content-range': `bytes ${range}`, 'x-guploader-no-308': 'yes' },
      })
    const reply = await post(`0-${2 * GRANULE - 1}/*`, chunk(0, 2 * GRANULE - 1))
    expect(rangeOf(reply)).toEqual([200, `bytes=0-${2 * GRANULE - 1}`])
    expect(reply.headers.get('x-http-status-code-override')).toBe('308')
    const last = await post(`${2 * GRANULE}-${TOTAL - 1}/${TOTAL}`, chunk(2 * GRANULE, TOTAL - 1))
    expect([last.status, last.headers.get('x-http-status-code-override')]).toEqual([200, null])
    expect(last.json).toMatchObject(whole)
  })

  test('whose length turns out to be what is there is ended by a question', async () => {
    const upload = await startResumable(drive)
    await upload.send(`0-${GRANULE - 1}/*`, chunk(0, GRANULE - 1))
    expect((await upload.send(`*/${GRANULE}`)).json).toMatchObject({ fileSize: String(GRANULE) })
  })

  test('in one request needs no range', async () => {
    const upload = await startResumable(drive)
    expect((await upload.ask('PUT', { body: CONTENT })).json).toMatchObject(whole)
  })

  test.for(['bytes 0--1/0', 'bytes */0', undefined])('of nothing: %s', async (range) => {
    const upload = await startResumable(drive, {
      headers: { 'x-upload-content-length': '0' },
      body: { title: 'e' },
    })
    const reply = await upload.ask('PUT', {
      body: '',
      headers: range === undefined ? {} : { 'content-range': range },
    })
    expect(reply.json).toMatchObject({
      title: 'e',
      fileSize: '0',
      md5Checksum: 'd41d8cd98f00b204e9800998ecf8427e',
    })
  })

  test('of new content keeps the file', async () => {
    const { id } = (await drive.ask('POST', '/drive/v2/files', { body: { title: 'u' } })).json
    const upload = await startResumable(drive, { body: { title: 'v', mimeType: null } }, id)
    expect((await upload.send(`0-9/10`, chunk(0, 9))).json).toMatchObject({ id, title: 'v', fileSize: '10' })
    expect((await drive.ask('GET', `/drive/v2/files/${id}/revisions`)).json.items).toHaveLength(2)
  })

  test('by the old address', async () => {
    const query = { uploadType: 'resumable' }
    const { status, headers } = await drive.ask('POST', '/resumable/upload/drive/v2/files', { query })
    expect(status).toBe(200)
    expect(headers.get('location')).toContain(
      '/resumable/upload/drive/v2/files?uploadType=resumable&upload_id=',
    )
  })
})

describe('a chunk', () => {
  test.for([
    [
      'too short and not the last',
      `0-99/${TOTAL}`,
      100,
      'Every chunk except the last must be a multiple of 262144 bytes.',
    ],
    [
      'shorter than its range',
      `0-${GRANULE - 1}/${TOTAL}`,
      100,
      'The body has 100 bytes, its Content-Range 262144.',
    ],
    [
      'longer than its range',
      `0-${GRANULE - 1}/${TOTAL}`,
      GRANULE + 1,
      'The body has 262145 bytes, its Content-Range 262144.',
    ],
    [
      'behind the total',
      `${GRANULE}-${TOTAL}/${TOTAL}`,
      TOTAL + 1 - GRANULE,
      `Invalid Content-Range 'bytes ${GRANULE}-${TOTAL}/${TOTAL}': it ends after the total`,
    ],
    [
      'behind the announced total',
      `0-${2 * TOTAL - 1}/*`,
      2 * TOTAL,
      `The upload was announced with ${TOTAL} bytes.`,
    ],
    [
      'with another total',
      `0-${GRANULE - 1}/${TOTAL + 1}`,
      GRANULE,
      `The upload was announced with ${TOTAL} bytes, now with ${TOTAL + 1}.`,
    ],
    ['with no range', 'x', 1, "Invalid Content-Range 'bytes x': bytes FIRST-LAST/TOTAL expected"],
  ] as const)('%s is refused', async ([, range, length, message]) => {
    const headers = { 'x-upload-content-length': String(TOTAL) }
    const upload = await startResumable(drive, { headers })
    const { status, json } = await upload.send(range, new Uint8Array(length))
    expect([status, json.error.errors[0]]).toEqual([
      400,
      {
        domain: 'global',
        reason: 'invalid',
        message,
        location: 'Content-Range',
        locationType: message.startsWith('Invalid') ? 'header' : 'parameter',
      },
    ])
    expect(rangeOf(await upload.send('*/*'))).toEqual([308, null])
  })

  /** Sends a body of unknown length. */
  const sendOpen = (url: string, range: string, bytes: Uint8Array) => {
    const asked = beginRequest(drive, 'PUT', url, {
      'content-range': `bytes ${range}`,
      'transfer-encoding': 'chunked',
    })
    asked.end(bytes)
    return replyTo(asked)
  }
  test.for([
    ['fewer', GRANULE - 1, 'The body has fewer bytes than its Content-Range.'],
    ['more', GRANULE + 1, `More bytes arrived than the announced ${GRANULE}.`],
  ] as const)('of unknown length with %s bytes than its range is refused', async ([, length, message]) => {
    const upload = await startResumable(drive)
    const { status, text } = await sendOpen(upload.url, `0-${GRANULE - 1}/*`, chunk(0, length - 1))
    expect([status, JSON.parse(text).error.errors[0]]).toEqual([
      400,
      { domain: 'global', reason: 'invalid', message, location: 'Content-Range', locationType: 'parameter' },
    ])
    const again = await sendOpen(upload.url, `0-${GRANULE - 1}/*`, chunk(0, GRANULE - 1))
    expect([again.status, again.headers.range]).toEqual([308, `bytes=0-${GRANULE - 1}`])
  })

  test('that is not a multiple is kept down to one', async () => {
    const upload = await startResumable(drive)
    expect(rangeOf(await upload.send(`0-${GRANULE + 9}/*`, chunk(0, GRANULE + 9)))).toEqual([
      308,
      `bytes=0-${GRANULE - 1}`,
    ])
  })

  test('whose connection breaks is kept down to one', async () => {
    const upload = await startResumable(drive)
    const headers = { 'content-range': `bytes 0-${TOTAL - 1}/${TOTAL}`, 'content-length': String(TOTAL) }
    const asked = beginRequest(drive, 'PUT', upload.url, headers)
    asked.on('error', () => undefined)
    asked.write(chunk(0, 2 * GRANULE + 99))
    await new Promise((over) => setTimeout(over, 200))
    asked.destroy()
    expect(rangeOf(await upload.send(`*/${TOTAL}`))).toEqual([308, `bytes=0-${2 * GRANULE - 1}`])
    const rest = await upload.send(`${2 * GRANULE}-${TOTAL - 1}/${TOTAL}`, chunk(2 * GRANULE, TOTAL - 1))
    expect(rest.json).toMatchObject(whole)
  })

  test('of a second request is the one that counts', async () => {
    const upload = await startResumable(drive)
    const headers = { 'content-range': `bytes 0-${TOTAL - 1}/${TOTAL}`, 'content-length': String(TOTAL) }
    const slow = beginRequest(drive, 'PUT', upload.url, headers)
    const cut = replyTo(slow).catch((error: Error) => error)
    slow.on('error', () => undefined)
    slow.write(chunk(0, GRANULE))
    await new Promise((over) => setTimeout(over, 100))
    expect((await upload.ask('PUT', { body: CONTENT })).json).toMatchObject(whole)
    expect(await cut).toBeInstanceOf(Error)
  })
})

describe('an upload is refused at its beginning', () => {
  test.for([
    [{ body: { parents: [{ id: 'none' }] } }, undefined, 404, 'notFound'],
    [{ headers: { 'x-upload-content-length': String(5 << 20) } }, undefined, 413, 'uploadTooLarge'],
    [{ headers: { 'if-none-match': '*' } }, undefined, 412, 'conditionNotMet'],
    [{ body: { mimeType: 'application/vnd.google-apps.folder' } }, undefined, 400, 'badRequest'],
    [{ body: '{' }, undefined, 400, 'parseError'],
    [{}, 'none', 404, 'notFound'],
  ] as const)('%j', async ([asking, id, status, reason]) => {
    const path = `/upload/drive/v2/files${id === undefined ? '' : `/${id}`}`
    const query = { uploadType: 'resumable' }
    const reply = await drive.ask(id === undefined ? 'POST' : 'PUT', path, { ...asking, query })
    expect(reasonOf(reply)).toEqual([status, reason])
  })
})

describe('the end of an upload', () => {
  test('is DELETE, and then there is none', async () => {
    const upload = await startResumable(drive)
    expect((await upload.ask('DELETE')).status).toBe(499)
    expect(reasonOf(await upload.send('*/*'))).toEqual([410, 'gone'])
    expect(reasonOf(await upload.ask('DELETE'))).toEqual([410, 'gone'])
  })

  test('is 412 where the file has changed since', async () => {
    const { id, etag } = (await drive.ask('POST', '/drive/v2/files', { body: { title: 'u' } })).json
    const upload = await startResumable(drive, { headers: { 'if-match': etag } }, id)
    await drive.ask('PATCH', `/drive/v2/files/${id}`, { body: { title: 'v' } })
    expect(reasonOf(await upload.send('0-0/1', chunk(0, 0)))).toEqual([412, 'conditionNotMet'])
    expect((await upload.send('*/1')).status).toBe(410)
  })

  test('is 400 where the bytes are others than those that were meant', async () => {
    const upload = await startResumable(drive)
    const headers = { 'x-goog-hash': 'md5=AAAAAAAAAAAAAAAAAAAAAA==' }
    expect((await upload.send('0-0/1', chunk(0, 0), headers)).status).toBe(400)
  })

  test('of an upload that never was is 404', async () => {
    const reply = await drive.ask('PUT', '/upload/drive/v2/files', {
      query: { upload_id: 'x' },
      token: undefined,
    })
    expect(reasonOf(reply)).toEqual([404, 'notFound'])
  })
})
