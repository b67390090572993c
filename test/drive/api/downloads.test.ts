/** Downloads: the whole content, a range, or an error. */
import { beforeAll, describe, expect, test } from 'vitest'
import { storeFolder } from '../../../src/drive/persistence/folder.ts'
import { openForWriting } from '../../../src/drive/persistence/database/open-database.ts'
import { type Asking, type Drive, startDrive } from '../../support/drive.ts'

let drive: Drive
let small: { id: string; downloadUrl: string; webContentLink: string }
let empty: { id: string }
let large: { id: string }
const LARGE = Buffer.alloc(100_000, 'HLA-A*02:01 ')

const put = async (body: string | Uint8Array, slug: string) =>
  (
    await drive.ask('POST', '/upload/drive/v2/files', {
      body,
      headers: { slug, 'content-type': 'text/html' },
    })
  ).json
const get = (id: string, asking: Asking = {}, method = 'GET') =>
  drive.ask(method, `/drive/v2/files/${id}`, { query: { alt: 'media' }, ...asking })

beforeAll(async () => {
  drive = await startDrive()
  ;[small, empty, large] = await Promise.all([
    put('0123456789', 'a(1) ü.html'),
    put('', 'empty'),
    put(LARGE, 'large'),
  ])
})

// this writes to the database beside the service
test('a type that no header can hold is not sent', async () => {
  const { id } = await put('x', 'odd type')
  const beside = await openForWriting(storeFolder(drive.folder).database)
  beside.run('UPDATE files SET mime = ? WHERE id = ?', 'text/plain; charset=€', id)
  beside.close()
  const { status, headers } = await get(id)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
})

test('the whole comes with what tells its state', async () => {
  const { status, text, headers } = await get(small.id)
  expect([status, text]).toEqual([200, '0123456789'])
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html',
    'content-length': '10',
    'accept-ranges': 'bytes',
    'x-goog-hash': 'md5=eB5eJF1ptWaXm4bijSPyxw==',
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
    etag: '"84d89877f0d4041efb6bf91a16f0248f"',
  })
  expect(headers.get('content-disposition')).toBeNull()
  expect(Date.parse(headers.get('last-modified') ?? '')).toBeGreaterThan(0)
})

test('HEAD tells the same without the bytes', async () => {
  for (const [id, length] of [
    [small.id, '10'],
    [large.id, '100000'],
    [empty.id, '0'],
  ] as const) {
    const { status, text, headers } = await get(id, {}, 'HEAD')
    expect([status, text, headers.get('content-length')]).toEqual([200, '', length])
  }
})

test('links of the resource lead to the bytes', async () => {
  const follow = (url: string) => drive.ask('GET', url.slice(drive.url.length))
  expect((await follow(small.downloadUrl)).text).toBe('0123456789')
  const { text, headers } = await follow(small.webContentLink)
  expect(text).toBe('0123456789')
  expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''a%281%29%20%C3%BC.html")
})

describe('a range', () => {
  test.for([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=6-', 206, '6789', 'bytes 6-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-102400', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=0-1', 200, '0123456789', null],
  ] as const)('%s answers %i %s', async ([range, status, text, contentRange]) => {
    const reply = await get(small.id, { headers: { range } })
    expect([reply.status, reply.text, reply.headers.get('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ])
  })

  test('of a file on disk', async () => {
    const { status, text } = await get(large.id, { headers: { range: 'bytes=50000-99998' } })
    expect([status, text]).toEqual([206, LARGE.toString('latin1', 50_000, 99_999)])
  })

  test('behind the end answers 416 and why', async () => {
    const { status, json, headers } = await get(small.id, { headers: { range: 'bytes=10-' } })
    expect([status, headers.get('content-range')]).toEqual([416, 'bytes */10'])
    expect(json.error.errors[0].reason).toBe('requestedRangeNotSatisfiable')
    expect(headers.get('content-type')).toContain('application/json')
    // an error is not a representation of the file
    const ofFile = ['etag', 'x-goog-hash', 'last-modified', 'accept-ranges', 'content-disposition']
    expect(ofFile.map((name) => headers.get(name))).toEqual(ofFile.map(() => null))
  })

  test('by a link in a browser, is asked for on the page, which has the token', async () => {
    const { alternateLink, webContentLink } = (await drive.ask('GET', `/drive/v2/files/${small.id}`)).json
    expect(alternateLink).toBe(`${drive.url}/#file/${small.id}`)
    const root = (await drive.ask('GET', '/drive/v2/files/root')).json
    expect(root.alternateLink).toBe(`${drive.url}/#folder/${root.id}`)
    const path = webContentLink.slice(drive.url.length)
    const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, token: undefined }
    const led = await drive.ask('GET', path, browser)
    expect([led.status, led.headers.get('location')]).toEqual([302, `/#download/${small.id}`])
    expect((await drive.ask('GET', path)).status).toBe(200)
    // a browser that was signed in, and one that never was
    const cookie = (token: string) => ({
      token: undefined,
      headers: { ...browser.headers, 'sec-fetch-site': 'none', cookie: `hla-session=${token}` },
    })
    expect((await drive.ask('GET', path, cookie(drive.token))).text).toBe('0123456789')
    const out = await drive.ask('GET', path, cookie('hla_ended'))
    expect([out.status, out.headers.get('location')]).toEqual([302, `/#download/${small.id}`])
    expect((await drive.ask('GET', path, { token: undefined })).status).toBe(401)
    expect((await drive.ask('GET', path, { ...browser, token: 'hla_none' })).status).toBe(401)
  })

  test.for(['bytes=0-102400', 'bytes=5-', 'bytes=-1'])('%s of nothing is nothing', async (range) => {
    const { status, text } = await get(empty.id, { headers: { range } })
    expect([status, text]).toEqual([200, ''])
  })

  test('is given only of what the caller has', async () => {
    const etag = (await get(small.id)).headers.get('etag') ?? ''
    const ask = async (held: string) =>
      (await get(small.id, { headers: { range: 'bytes=0-0', 'if-range': held } })).text
    expect([await ask(etag), await ask('"other"')]).toEqual(['0', '0123456789'])
  })
})

test('what the caller has already is not sent', async () => {
  const etag = (await get(small.id)).headers.get('etag') ?? ''
  const { status, text } = await get(small.id, { headers: { 'if-none-match': etag } })
  expect([status, text]).toEqual([304, ''])
})

test('folders and shortcuts have no bytes', async () => {
  const insert = async (body: object) => (await drive.ask('POST', '/drive/v2/files', { body })).json
  const mimeType = 'application/vnd.google-apps.shortcut'
  const items = [
    await insert({ mimeType: 'application/vnd.google-apps.folder' }),
    await insert({ mimeType, shortcutDetails: { targetId: small.id } }),
  ]
  for (const { id } of items) {
    const { status, json } = await get(id)
    expect([status, json.error.errors[0].reason]).toEqual([403, 'fileNotDownloadable'])
  }
})

test('a download changes nothing', async () => {
  const about = async () => (await drive.ask('GET', '/drive/v2/about')).json.largestChangeId
  const before = await about()
  await get(small.id)
  expect(await about()).toBe(before)
})
