/** Single-request uploads in the forms that clients send. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asking, type Reply } from '../../support/drive.ts'
import { beginRequest, replyTo } from '../../support/raw-request.ts'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
beforeAll(async () => {
  drive = await serveHere(temp('store'), { maxUpload: 4 * 2 ** 20 })
})
afterAll(() => drive.stop())

const FILES = '/upload/drive/v2/files'
const upload = (asking: Asking, path = FILES, method = 'POST') => drive.ask(method, path, asking)
const bytesOf = async (id: string) =>
  (await drive.ask('GET', `/drive/v2/files/${id}`, { query: { alt: 'media' } })).text
const reasonOf = ({ status, json }: Reply) => [status, json.error.errors[0].reason]
const md5 = (text: string | Uint8Array) => createHash('md5').update(text).digest('hex')

const lines = (ending: string, ...parts: string[]) => parts.join(ending)
const related = (boundary: string) => ({ 'content-type': `multipart/related; boundary=${boundary}` })
const META = '{"title":"typing.csv","mimeType":"text/csv"}'
const JSON_PART = 'content-type: application/json'

describe('a multipart body', () => {
  test.for([
    [
      'Node',
      related('b1'),
      lines('\r\n', '--b1', JSON_PART, '', META, '--b1', 'content-type: text/plain', '', 'A*01', '--b1--'),
    ],
    [
      'Python, with bare LF',
      related('"===============7330845974216740156=="'),
      lines(
        '\n',
        '--===============7330845974216740156==',
        'Content-Type: application/json',
        'MIME-Version: 1.0',
        '',
        META,
        '--===============7330845974216740156==',
        'Content-Type: text/plain',
        'MIME-Version: 1.0',
        'Content-Transfer-Encoding: binary',
        '',
        'A*01',
        '--===============7330845974216740156==--',
      ),
    ],
    [
      'Go',
      related('g'),
      lines(
        '\r\n',
        '--g',
        'Content-Type: application/json',
        '',
        `${META}\n`,
        '--g',
        'Content-Type: text/plain',
        '',
        'A*01',
        '--g--',
        '',
      ),
    ],
    [
      'libgdata',
      related('END_OF_PART'),
      lines(
        '\n',
        '--END_OF_PART',
        'Content-Type: application/json',
        '',
        '{"kind":"x#y","title":"typing.csv","mimeType":"text/csv","parents":[],"properties":[]}',
        '--END_OF_PART',
        'Content-Type: text/plain',
        '',
        'A*01',
        '--END_OF_PART--',
      ),
    ],
    [
      'browser code',
      related('"-------314159"'),
      lines(
        '\r\n',
        '',
        '---------314159',
        'Content-Type: application/json',
        '',
        META,
        '---------314159',
        'Content-Type: text/plain',
        'Content-Transfer-Encoding: base64',
        '',
        'QSow\r\nMQ==',
        '---------314159--',
      ),
    ],
  ] as const)('of %s', async ([, headers, body]) => {
    const { status, json } = await upload({ headers, body, query: { uploadType: 'multipart' } })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      title: 'typing.csv',
      mimeType: 'text/csv',
      fileSize: '4',
      md5Checksum: md5('A*01'),
    })
    expect(await bytesOf(json.id)).toBe('A*01')
  })

  test('needs no uploadType', async () => {
    const body = lines('\r\n', '--b', JSON_PART, '', '{}', '--b', 'content-type: a/b', '', 'x\r', '--b--')
    expect((await upload({ headers: related('b'), body })).json).toMatchObject({
      mimeType: 'a/b',
      fileSize: '2',
    })
  })

  test.for([
    ['one part', lines('\r\n', '--b', JSON_PART, '', '{}', '--b--'), 'badContent'],
    [
      'three parts',
      lines('\r\n', '--b', JSON_PART, '', '{}', '--b', '', 'x', '--b', '', 'y', '--b--'),
      'badContent',
    ],
    ['no end', lines('\r\n', '--b', JSON_PART, '', '{}', '--b', '', 'x'), 'uploadBrokenConnection'],
    ['bad metadata', lines('\r\n', '--b', JSON_PART, '', '{', '--b', '', 'x', '--b--'), 'parseError'],
  ] as const)('of %s is refused', async ([, body, reason]) => {
    expect(reasonOf(await upload({ headers: related('b'), body }))).toEqual([400, reason])
  })
})

describe('a plain body', () => {
  const media = { uploadType: 'media' }

  test.for([
    ['application/json', '{"a":1}', 'application/json'],
    ['text/plain; charset=UTF-8', 'Ä', 'text/plain'],
    ['nonsense', 'x', 'application/octet-stream'],
  ] as const)('of type %s is content', async ([type, body, mimeType]) => {
    const { json } = await upload({ headers: { 'content-type': type }, body, query: media })
    expect(json).toMatchObject({ title: 'Untitled', mimeType, md5Checksum: md5(body) })
    expect(await bytesOf(json.id)).toBe(body)
  })

  test.for([
    [{}, { uploadType: 'media' }],
    [{}, {}],
    [{}, { upload_protocol: 'raw' }],
    [{ 'x-goog-upload-protocol': 'raw' }, {}],
  ] as const)('comes with %j %j', async ([headers, query]) => {
    const reply = await upload({ headers: { ...headers, 'content-type': 'a/b' }, body: 'x', query })
    expect(reply.json).toMatchObject({ fileSize: '1' })
  })

  test('is called by its slug, and found by its words', async () => {
    const headers = { 'content-type': 'text/plain', slug: 'M%C3%BCnster.txt' }
    const { json } = await upload({ headers, body: 'haplotype frequencies', query: media })
    expect(json).toMatchObject({
      title: 'Münster.txt',
      originalFilename: 'Münster.txt',
      fileExtension: 'txt',
    })
    const found = await drive.ask('GET', '/drive/v2/files', { query: { q: "fullText contains 'haplotype'" } })
    expect(found.json.items.map(({ id }: { id: string }) => id)).toEqual([json.id])
  })

  test('may be empty', async () => {
    expect((await upload({ query: media, body: '' })).json).toMatchObject({
      fileSize: '0',
      md5Checksum: md5(''),
    })
  })

  test.for([
    ['content-md5', Buffer.from(md5('x'), 'hex').toString('base64'), 200],
    ['x-goog-hash', `crc32c=AAAAAA==,md5=${Buffer.from(md5('x'), 'hex').toString('base64')}`, 200],
    ['content-md5', Buffer.from(md5('y'), 'hex').toString('base64'), 400],
  ] as const)('with %s %s answers %i', async ([name, hash, status]) => {
    expect((await upload({ headers: { [name]: hash }, body: 'x', query: media })).status).toBe(status)
  })
})

describe('an upload is refused', () => {
  const START = { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'start' }
  test.for([
    ['POST', FILES, { headers: { 'if-none-match': '*' } }, 412, 'conditionNotMet'],
    ['PUT', FILES, {}, 404, 'notFound'],
    ['PATCH', FILES, {}, 404, 'notFound'],
    ['POST', `${FILES}/x`, {}, 404, 'notFound'],
    ['PATCH', `${FILES}/x`, {}, 404, 'notFound'],
    ['DELETE', FILES, {}, 404, 'notFound'],
    ['PUT', `${FILES}/nothing`, {}, 404, 'notFound'],
    ['POST', FILES, { token: undefined }, 401, 'required'],
    ['POST', FILES, { token: undefined, query: { upload_id: 'x' }, headers: START }, 401, 'required'],
    ['POST', FILES, { query: { uploadType: 'telepathy' } }, 400, 'invalidParameter'],
    ['POST', FILES, { headers: { 'content-type': 'application/vnd.google-apps.folder' } }, 400, 'badRequest'],
    ['POST', FILES, { headers: { 'x-goog-upload-protocol': 'batch' } }, 404, 'notFound'],
    [
      'POST',
      FILES,
      { query: { convert: true }, headers: { 'content-type': 'image/png' } },
      400,
      'badRequest',
    ],
  ] as const)('%s %s %j', async ([method, path, asking, status, reason]) => {
    expect(reasonOf(await upload({ body: 'x', ...asking }, path, method))).toEqual([status, reason])
  })

  test('in words that reach who still sends', async () => {
    expect(reasonOf(await upload({ body: Buffer.alloc(40 << 20) }))).toEqual([413, 'uploadTooLarge'])
  })

  test('while it comes, where nobody said how long it is', async () => {
    const asked = beginRequest(drive, 'POST', FILES, { 'content-type': 'a/b' })
    asked.on('error', () => undefined)
    const reply = replyTo(asked)
    for (let sent = 0; sent < 5; sent++) asked.write(Buffer.alloc(1 << 20))
    expect((await reply).status).toBe(413)
    asked.destroy()
  })

  test('before its body comes, for who asks', async () => {
    const begin = (path: string) =>
      beginRequest(drive, path === FILES ? 'POST' : 'PUT', path, {
        expect: '100-continue',
        'content-length': '500000',
      })
    const refused = begin(`${FILES}/nothing`)
    let isAsked = false
    refused.on('continue', () => (isAsked = true))
    refused.flushHeaders()
    expect([(await replyTo(refused)).status, isAsked]).toEqual([404, false])
    const taken = begin(FILES)
    taken.on('continue', () => taken.end(Buffer.alloc(500_000)))
    taken.flushHeaders()
    expect((await replyTo(taken)).status).toBe(200)
  })

  test('and nothing is kept, when the connection breaks', async () => {
    const count = async () =>
      (await drive.ask('GET', '/drive/v2/files', { query: { q: "title = 'broken'" } })).json.items.length
    const asked = beginRequest(drive, 'POST', FILES, { slug: 'broken', 'content-length': '1000000' })
    asked.on('error', () => undefined)
    asked.write(Buffer.alloc(500_000))
    await new Promise((over) => setTimeout(over, 100))
    asked.destroy()
    expect(await count()).toBe(0)
  })
})

describe('new content of a file', () => {
  const insert = async (body: object) => (await drive.ask('POST', '/drive/v2/files', { body })).json
  const put = (id: string, asking: Asking) => upload(asking, `${FILES}/${id}`, 'PUT')
  const revisions = async (id: string) =>
    (await drive.ask('GET', `/drive/v2/files/${id}/revisions`)).json.items

  test('is a revision, has its type and counts', async () => {
    const before = await insert({ title: 'r', mimeType: 'text/plain' })
    const { json } = await put(before.id, { headers: { 'content-type': 'text/csv' }, body: 'a,b' })
    expect(json).toMatchObject({
      title: 'r',
      mimeType: 'text/csv',
      fileSize: '3',
      quotaBytesUsed: '3',
      md5Checksum: md5('a,b'),
    })
    expect(json.headRevisionId).not.toBe(before.headRevisionId)
    expect(json.modifiedDate >= before.modifiedDate).toBe(true)
    await put(json.id, { headers: { 'content-type': 'text/csv' }, body: 'abcde' })
    expect(await revisions(json.id)).toMatchObject([
      { fileSize: '0', mimeType: 'text/plain' },
      { fileSize: '3' },
      { fileSize: '5' },
    ])
    expect((await drive.ask('GET', `/drive/v2/files/${json.id}`)).json.quotaBytesUsed).toBe('8')
  })

  test('replaces the head, unless that is pinned', async () => {
    const { id } = await insert({ title: 'r' })
    const replaced = await put(id, { body: 'one', query: { newRevision: false, pinned: true } })
    expect(replaced.json.quotaBytesUsed).toBe('3')
    expect(await revisions(id)).toMatchObject([{ fileSize: '3', pinned: true }])
    await put(id, { body: 'three', query: { newRevision: false } })
    expect(await revisions(id)).toMatchObject([
      { fileSize: '3', pinned: true },
      { fileSize: '5', pinned: false },
    ])
  })

  test('with metadata and a date of its own', async () => {
    const { id } = await insert({ title: 'r' })
    const meta = '{"id":"ignored","title":"renamed","modifiedDate":"2020-01-02T03:04:05.000Z"}'
    const body = lines('\r\n', '--b', JSON_PART, '', meta, '--b', 'content-type: a/b', '', 'x', '--b--')
    const query = { modifiedDateBehavior: 'fromBody' }
    const { json } = await put(id, { headers: related('b'), body, query })
    expect(json).toMatchObject({
      id,
      title: 'renamed',
      mimeType: 'a/b',
      modifiedDate: '2020-01-02T03:04:05.000Z',
    })
  })

  test.for([
    ['now', true],
    ['nowIfNeeded', true],
    ['noChange', false],
  ] as const)('with modifiedDateBehavior=%s changes the date: %s', async ([modifiedDateBehavior, isNow]) => {
    const { id, modifiedDate } = await insert({ modifiedDate: '2020-01-02T03:04:05.000Z' })
    const { json } = await put(id, { body: 'x', query: { modifiedDateBehavior } })
    expect(json.modifiedDate !== modifiedDate).toBe(isNow)
  })

  test('comes only to what the caller has seen', async () => {
    const { id, etag } = await insert({ title: 'r' })
    expect(reasonOf(await put(id, { headers: { 'if-match': '"stale"' }, body: 'x' }))).toEqual([
      412,
      'conditionNotMet',
    ])
    expect((await put(id, { headers: { 'if-match': etag }, body: 'x' })).status).toBe(200)
  })

  test('is not for folders, nor for what is restricted', async () => {
    const folder = await insert({ mimeType: 'application/vnd.google-apps.folder' })
    expect(reasonOf(await put(folder.id, { body: 'x' }))).toEqual([400, 'badRequest'])
    const { id } = await insert({ title: 'locked' })
    await drive.ask('PATCH', `/drive/v2/files/${id}`, { body: { contentRestrictions: [{ readOnly: true }] } })
    expect(reasonOf(await put(id, { body: 'x' }))).toEqual([403, 'insufficientFilePermissions'])
  })
})
