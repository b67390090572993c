/** Conversion into documents and export: files.insert, update and copy with `convert=true`, files.export. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Asking, type Drive, type Reply, startDrive } from '../../support/drive.ts'
import { startResumable } from '../../support/resumable.ts'

let drive: Drive
let reader: string
beforeAll(async () => {
  drive = await startDrive({ env: { HLA_RELEASE: 'starter' } })
  reader = await tokenOf('reader@example.org')
})

const FILES = '/drive/v2/files'
const UPLOAD = '/upload/drive/v2/files'
const TABLE = 'application/vnd.google-apps.spreadsheet'
const TEXT = 'application/vnd.google-apps.document'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const CSV = 'id,A_1,A_2\n1,A*01:01:01:01,A*02:01:01\n2,A*99:99,A*03:01\n'

const reasonOf = ({ status, json }: Reply) => [status, json.error.errors[0].reason]
const messageOf = ({ json }: Reply): string => json.error.message

async function tokenOf(email: string): Promise<string> {
  const { token } = drive
  const { execFileSync } = await import('node:child_process')
  const words = [String(drive.words[0]), 'drive']
  const data = ['--data', drive.folder]
  execFileSync(process.execPath, [...words, 'user', 'add', email, ...data])
  const made = execFileSync(process.execPath, [...words, 'token', 'create', '--user', email, ...data])
  expect(token).not.toBe('')
  return made.toString().trim().split('\n').at(-1) ?? ''
}

/** Metadata and content in one request. */
function send(
  metadata: object,
  [type, content]: readonly [string, string | Uint8Array],
  { method = 'POST', path = UPLOAD, ...asking }: Asking & { method?: string; path?: string } = {},
): Promise<Reply> {
  const body = Buffer.concat([
    Buffer.from(
      `--b\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(metadata)}\r\n--b\r\ncontent-type: ${type}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n--b--\r\n'),
  ])
  const headers = { 'content-type': 'multipart/related; boundary=b', ...asking.headers }
  const query = { uploadType: 'multipart', convert: true, ...asking.query }
  return drive.ask(method, path, { ...asking, body, headers, query })
}

const table = async (title = 'donors.csv', content: string | Uint8Array = CSV, type = 'text/csv') =>
  (await send({ title }, [type, content])).json

const exported = (id: string, mimeType: string, asking: Asking = {}) =>
  drive.ask('GET', `${FILES}/${id}/export`, { ...asking, query: { mimeType, ...asking.query } })

async function bytesOf(id: string, mimeType: string, answered = mimeType): Promise<Uint8Array> {
  const address = `${drive.url}${FILES}/${id}/export?mimeType=${encodeURIComponent(mimeType)}`
  const answer = await fetch(address, { headers: { authorization: `Bearer ${drive.token}` } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, answered])
  return new Uint8Array(await answer.arrayBuffer())
}

describe('a table', () => {
  test('has no bytes of its own, and links to what it is exported as', async () => {
    const made = await table()
    expect(made).toMatchObject({ title: 'donors.csv', mimeType: TABLE, quotaBytesUsed: String(CSV.length) })
    for (const name of [
      'downloadUrl',
      'webContentLink',
      'md5Checksum',
      'fileSize',
      'headRevisionId',
      'fileExtension',
    ])
      expect(made[name]).toBeUndefined()
    expect(Object.keys(made.exportLinks)).toEqual([
      'text/csv',
      'text/tab-separated-values',
      XLSX,
      'application/jsonl',
    ])
    const link = new URL(made.exportLinks['text/tab-separated-values'])
    expect((await drive.ask('GET', link.pathname + link.search)).text).toBe(CSV.replaceAll(',', '\t'))
    const media = await drive.ask('GET', `${FILES}/${made.id}`, { query: { alt: 'media' } })
    expect(reasonOf(media)).toEqual([403, 'fileNotDownloadable'])
  })

  test('is exported as text, as objects, and reduced', async () => {
    const { id } = await table()
    const csv = await exported(id, 'text/csv')
    expect([csv.text, csv.headers.get('content-type')]).toEqual([CSV, 'text/csv; charset=utf-8'])
    expect(csv.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''donors.csv")
    const [line = ''] = (await exported(id, 'application/jsonl')).text.split('\n')
    expect(JSON.parse(line)).toEqual({ id: '1', A_1: 'A*01:01:01:01', A_2: 'A*02:01:01' })
    const lgx = await exported(id, 'text/csv; hla-method=lgx')
    expect(lgx.text).toBe(
      'id,A_1,A_1_lgx,A_2,A_2_lgx,hla_status,hla_errors\n' +
        '1,A*01:01:01:01,A*01:01,A*02:01:01,A*02:01,ok,\n' +
        '2,A*99:99,,A*03:01,A*03:01,error,A_1 starter\n',
    )
    expect(lgx.headers.get('x-hla-data')).toMatch(/\+starter$/)
    expect(lgx.headers.get('content-type')).toBe('text/csv; charset=utf-8; hla-method=lgx')
    expect(lgx.headers.get('content-disposition')).toContain('donors.lgx.csv')
    const two = await exported(id, 'text/tab-separated-values; hla-method="lgx W"')
    expect(two.text.split('\n')[0]).toBe(
      'id\tA_1\tA_1_lgx\tA_1_W\tA_2\tA_2_lgx\tA_2_W\thla_status\thla_errors',
    )
  })

  test('over a workbook it is the same table', async () => {
    const { id } = await table()
    const workbook = await bytesOf(id, XLSX)
    const again = await table('donors.xlsx', workbook, XLSX)
    expect(again.mimeType).toBe(TABLE)
    expect((await exported(again.id, 'text/csv')).text).toBe(CSV)
    expect(await bytesOf(again.id, XLSX)).toEqual(workbook)
  })

  test.for([
    ['small', 'x'],
    ['in a file of its own', 'x'.repeat(20_000)],
    ['marked already', '\ufeffx'],
    ['marked already, in a file of its own', `\ufeff${'x'.repeat(20_000)}`],
    ['empty', ''],
  ] as const)('a text that is %s has one byte order mark, and is sent once', async ([, content]) => {
    const { id } = (await send({ title: 'notes.txt', mimeType: TEXT }, ['text/plain', content])).json
    const bytes = Buffer.from(await bytesOf(id, 'text/plain', 'text/plain; charset=utf-8'))
    expect(bytes.toString()).toBe(`\ufeff${content.replace('\ufeff', '')}`)
    const { headers } = await exported(id, 'text/plain')
    expect([headers.get('content-length'), headers.get('content-type')]).toEqual([
      String(bytes.length),
      'text/plain; charset=utf-8',
    ])
    const etag = headers.get('etag') ?? ''
    const known = await exported(id, 'text/plain', { headers: { 'if-none-match': etag } })
    expect([known.status, known.text]).toEqual([304, ''])
  })

  test('is not sent twice to who has it', async () => {
    const { id } = await table()
    for (const type of ['text/csv', 'text/csv; hla-method=lgx', XLSX]) {
      const etag = (await exported(id, type)).headers.get('etag') ?? ''
      const known = await exported(id, type, { headers: { 'if-none-match': etag } })
      expect([known.status, known.text]).toEqual([304, ''])
    }
    const etags = new Set<unknown>()
    for (const type of ['text/csv', 'text/csv; hla-method=lgx', 'text/csv; hla-method=W'])
      etags.add((await exported(id, type)).headers.get('etag'))
    expect(etags.size).toBe(3)
  })

  test.for([
    ['application/pdf', 'only be exported as: text/csv'],
    ['text/csv; hla-method=nothing', 'unknown method'],
    ['text/csv; hla-methd=lgx', 'not hla-methd'],
    ['no type', 'Not a MIME type'],
  ])('is not exported as %s', async ([type = '', why]) => {
    const { id } = await table()
    const reply = await exported(id, type)
    expect(reply.status).toBe(400)
    expect(messageOf(reply)).toContain(why)
  })

  test('of which nobody can say where its typings are is not reduced', async () => {
    const { id } = await table('notes.csv', 'name,town\nx,y\n')
    const reply = await exported(id, 'text/csv; hla-method=lgx')
    expect(reasonOf(reply)).toEqual([400, 'badRequest'])
    expect((await exported(id, 'text/csv')).text).toBe('name,town\nx,y\n')
  })

  test('what people search for is found in it', async () => {
    const { id } = await table('words.csv', 'id,note\n1,quagga\n')
    const { json } = await drive.ask('GET', FILES, { query: { q: "fullText contains 'quagga'" } })
    expect(json.items.map((item: { id: string }) => item.id)).toEqual([id])
    const { json: tables } = await drive.ask('GET', FILES, { query: { q: `mimeType='${TABLE}'` } })
    expect(tables.items.length).toBeGreaterThan(1)
  })
})

describe('which document a content becomes', () => {
  test.for([
    ['text/csv', 'a.csv', TABLE],
    ['text/tab-separated-values; charset=utf-8', 'a', TABLE],
    ['text/plain', 'a.txt', TEXT],
    ['application/octet-stream', 'a.csv', TABLE],
    ['application/vnd.ms-excel', 'a.csv', TABLE],
  ] as const)('%s, called %s', async ([type, title, mimeType]) => {
    expect((await send({ title }, [type, 'a\tb\n1\t2\n'])).json.mimeType).toBe(mimeType)
  })

  test('the body names another', async () => {
    const asked = { title: 'a.txt', mimeType: TABLE }
    const made = await send(asked, ['text/plain', 'a,b\n1,2\n'], { query: { convert: false } })
    expect(made.json.mimeType).toBe(TABLE)
    expect((await exported(made.json.id, 'text/tab-separated-values')).text).toBe('a\tb\n1\t2\n')
  })

  test.for([
    ['image/png', {}, 'x', 'Content of type image/png cannot be converted'],
    ['image/png', { mimeType: TABLE }, 'x', 'Content of type image/png cannot be converted'],
    [XLSX, { mimeType: TEXT }, 'x', 'cannot be converted; supported types: text/plain'],
    ['text/csv', {}, 'a,"b', 'is never closed'],
    ['text/csv', {}, '', 'donors.csv is not one table: it is empty'],
    ['text/csv', {}, '{"a":1}', 'is JSON, not a table'],
    ['text/csv', {}, '%PDF-1.7\na,b\n', 'donors.csv is a PDF document: export its table as CSV or text'],
    [XLSX, {}, 'PK\u0003\u0004 no', 'cannot be read as a workbook'],
    ['text/plain', {}, 'a\0b', 'donors.csv is not UTF-8 text'],
  ] as const)('%s %j with %j: refused, and nothing is kept', async ([type, metadata, content, why]) => {
    const count = async () =>
      (await drive.ask('GET', FILES, { query: { maxResults: 1000 } })).json.items.length
    const before = await count()
    const reply = await send({ title: 'donors.csv', ...metadata }, [type, content])
    expect(reasonOf(reply)).toEqual([400, 'badRequest'])
    expect(messageOf(reply)).toContain(why)
    expect(await count()).toBe(before)
  })

  test('without a content there is nothing to convert', async () => {
    const bare = await drive.ask('POST', FILES, { query: { convert: true }, body: { mimeType: 'text/csv' } })
    expect(reasonOf(bare)).toEqual([400, 'badRequest'])
    const named = await drive.ask('POST', FILES, { body: { mimeType: TABLE } })
    expect(messageOf(named)).toContain('are created by converting uploaded content')
    const unknown = 'application/vnd.google-apps.drawing'
    expect(messageOf(await drive.ask('POST', FILES, { body: { mimeType: unknown } }))).toContain(
      'cannot be created in this service',
    )
  })

  test('what is refused at the end of an upload in pieces ends it', async () => {
    const query = { convert: true }
    const headers = { 'content-type': 'application/json', 'x-upload-content-type': 'text/csv' }
    const { send: sendPiece } = await startResumable(drive, { query, headers, body: { title: 'a.csv' } })
    const bad = Buffer.from('a,"b\n')
    expect(reasonOf(await sendPiece(`0-${bad.length - 1}/${bad.length}`, bad))).toEqual([400, 'badRequest'])
    expect((await sendPiece('*/5')).status).toBe(410)
    const good = await startResumable(drive, { query, headers, body: { title: 'a.csv' } })
    const made = await good.send(`0-${CSV.length - 1}/${CSV.length}`, Buffer.from(CSV))
    expect(made.json.mimeType).toBe(TABLE)
  })
})

describe('a document stays one', () => {
  const update = (id: string, content: string, type = 'text/csv', query = {}) =>
    send({}, [type, content], {
      method: 'PUT',
      path: `${UPLOAD}/${id}`,
      query: { convert: false, ...query },
    })

  test('with new content, of which each revision is exported', async () => {
    const { id } = await table()
    const changed = await update(id, 'id\tA\n7\tx\n', 'text/tab-separated-values')
    expect([changed.status, changed.json.mimeType]).toEqual([200, TABLE])
    expect((await exported(id, 'text/csv')).text).toBe('id,A\n7,x\n')
    const { items } = (await drive.ask('GET', `${FILES}/${id}/revisions`)).json
    expect(items.map((one: { mimeType: string }) => one.mimeType)).toEqual([TABLE, TABLE])
    const [first] = items
    expect([first.downloadUrl, first.md5Checksum]).toEqual([undefined, undefined])
    const link = new URL(first.exportLinks['text/csv'])
    expect((await drive.ask('GET', link.pathname + link.search)).text).toBe(CSV)
    const media = await drive.ask('GET', `${FILES}/${id}/revisions/${first.id}`, { query: { alt: 'media' } })
    expect(reasonOf(media)).toEqual([403, 'fileNotDownloadable'])
    // the previous revision becomes the head again, with its type
    await drive.ask('DELETE', `${FILES}/${id}/revisions/head`)
    expect((await drive.ask('GET', `${FILES}/${id}`)).json.mimeType).toBe(TABLE)
    expect((await exported(id, 'text/csv')).text).toBe(CSV)
  })

  test('what is no table leaves it as it was', async () => {
    const { id, etag } = await table()
    expect(reasonOf(await update(id, 'a,"b'))).toEqual([400, 'badRequest'])
    expect(reasonOf(await update(id, 'x', 'image/png'))).toEqual([400, 'badRequest'])
    expect((await drive.ask('GET', `${FILES}/${id}`)).json.etag).toBe(etag)
    expect((await exported(id, 'text/csv')).text).toBe(CSV)
  })

  test('its type cannot be changed, and may be said again', async () => {
    const { id } = await table()
    const patch = (body: object) => drive.ask('PATCH', `${FILES}/${id}`, { body })
    expect((await patch({ mimeType: 'text/csv' })).status).toBe(400)
    expect((await patch({ mimeType: TEXT })).status).toBe(400)
    expect((await patch({ mimeType: TABLE, title: 'others.csv' })).json).toMatchObject({
      mimeType: TABLE,
      title: 'others.csv',
    })
  })

  test('what is there becomes no document, but a copy of it does', async () => {
    const { id, mimeType } = (
      await send({ title: 'a.csv' }, ['text/csv', CSV], { query: { convert: false } })
    ).json
    expect(mimeType).toBe('text/csv')
    const inPlace = await update(id, CSV, 'text/csv', { convert: true })
    expect(messageOf(inPlace)).toContain('files.copy')
    expect((await drive.ask('PATCH', `${FILES}/${id}`, { query: { convert: true }, body: {} })).status).toBe(
      400,
    )
    const copy = await drive.ask('POST', `${FILES}/${id}/copy`, {
      query: { convert: true },
      body: { title: 'b' },
    })
    expect(copy.json).toMatchObject({ title: 'b', mimeType: TABLE })
    expect((await exported(copy.json.id, 'text/csv')).text).toBe(CSV)
    // a copy of a document is always a document
    const again = await drive.ask('POST', `${FILES}/${copy.json.id}/copy`, {
      query: { convert: true },
      body: {},
    })
    expect(again.json.mimeType).toBe(TABLE)
    expect((await exported(again.json.id, 'application/jsonl')).status).toBe(200)
    expect((await drive.ask('GET', `${FILES}/${id}`)).json.mimeType).toBe('text/csv')
  })

  test('a copy of what is no table is refused', async () => {
    const { id } = (await send({ title: 'a.csv' }, ['text/csv', 'a,"b'], { query: { convert: false } })).json
    const copy = await drive.ask('POST', `${FILES}/${id}/copy`, { query: { convert: true }, body: {} })
    expect(reasonOf(copy)).toEqual([400, 'badRequest'])
  })
})

describe('a text', () => {
  test('is exported with a byte order mark, and only once', async () => {
    for (const content of ['Zoë\n', '\ufeffZoë\n', '']) {
      const { json } = await send({ title: 'a.txt' }, ['text/plain', content])
      expect([json.mimeType, Object.keys(json.exportLinks)]).toEqual([TEXT, ['text/plain']])
      const address = `${drive.url}${FILES}/${json.id}/export?mimeType=text/plain`
      const answer = await fetch(address, { headers: { authorization: `Bearer ${drive.token}` } })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.toString()).toBe(`\ufeff${content.replace('\ufeff', '')}`)
      expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    }
  })
})

describe('who may export', () => {
  const share = (id: string, role = 'reader') =>
    drive.ask('POST', `${FILES}/${id}/permissions`, {
      query: { sendNotificationEmails: false },
      body: { type: 'user', role, value: 'reader@example.org' },
    })

  test('who may read, unless copies need a writer', async () => {
    const { id } = await table()
    expect((await exported(id, 'text/csv', { token: reader })).status).toBe(404)
    expect((await exported(id, 'text/csv', { token: undefined })).status).toBe(401)
    await share(id)
    expect((await exported(id, 'text/csv', { token: reader })).status).toBe(200)
    await drive.ask('PATCH', `${FILES}/${id}`, { body: { copyRequiresWriterPermission: true } })
    for (const type of ['text/csv', 'text/csv; hla-method=lgx', XLSX])
      expect(reasonOf(await exported(id, type, { token: reader }))).toEqual([403, 'cannotDownloadFile'])
    const seen = (await drive.ask('GET', `${FILES}/${id}`, { token: reader })).json
    expect([seen.exportLinks, seen.downloadUrl]).toEqual([undefined, undefined])
    const copy = await drive.ask('POST', `${FILES}/${id}/copy`, { token: reader, body: {} })
    expect(reasonOf(copy)).toEqual([403, 'cannotCopyFile'])
  })

  test('who has the link, but no older revision', async () => {
    const { id } = await table()
    const query = { sendNotificationEmails: false }
    const body = { type: 'anyone', role: 'reader', withLink: true }
    await drive.ask('POST', `${FILES}/${id}/permissions`, { query, body })
    const guest = { token: undefined }
    expect((await exported(id, 'text/csv', guest)).text).toBe(CSV)
    const [first] = (await drive.ask('GET', `${FILES}/${id}/revisions`)).json.items
    const older = await exported(id, 'text/csv', { ...guest, query: { revisionId: first.id } })
    expect(older.status).toBe(401)
  })

  test('older revisions are for writers', async () => {
    const { id } = await table()
    await send({}, ['text/csv', 'a\n1\n'], {
      method: 'PUT',
      path: `${UPLOAD}/${id}`,
      query: { convert: false },
    })
    const [first] = (await drive.ask('GET', `${FILES}/${id}/revisions`)).json.items
    await share(id)
    const asking = { token: reader, query: { revisionId: first.id } }
    expect((await exported(id, 'text/csv', asking)).status).toBe(403)
    await share(id, 'writer')
  })
})

test('about lists what is converted', async () => {
  const { importFormats, exportFormats } = (await drive.ask('GET', '/drive/v2/about')).json
  expect(importFormats).toContainEqual({ source: 'text/csv', targets: [TABLE, TEXT] })
  const tables = exportFormats.find(({ source }: { source: string }) => source === TABLE)
  expect(tables.targets).toContain('text/csv; hla-method=lgx')
  const { id } = await table()
  for (const type of tables.targets) {
    if (type.endsWith('=hats')) continue
    expect([type, (await exported(id, type)).status]).toEqual([type, 200])
  }
})

describe('a conversion has bounds', () => {
  const setLimit = async (given: string) => {
    const { execFileSync } = await import('node:child_process')
    const words = [String(drive.words[0]), 'drive', 'limit', 'set', given, '--data', drive.folder]
    execFileSync(process.execPath, words)
  }

  test('of its bytes, and of what is made of them', async () => {
    const long = `id,A_1\n${'1,A*01:01\n'.repeat(2000)}`
    const { id } = await table('long.csv', long)
    await setLimit('table-bytes=20000')
    try {
      expect(reasonOf(await send({ title: 'x.csv' }, ['text/csv', long]))).toEqual([413, 'uploadTooLarge'])
      expect(reasonOf(await exported(id, 'text/csv'))).toEqual([403, 'exportSizeLimitExceeded'])
      await setLimit('table-bytes=25000')
      expect((await exported(id, 'text/csv')).status).toBe(200)
      // these outputs are longer than the table
      for (const type of ['application/jsonl', 'text/csv; hla-method=lgx'])
        expect(reasonOf(await exported(id, type))).toEqual([403, 'exportSizeLimitExceeded'])
    } finally {
      await setLimit('table-bytes=standard')
    }
    expect((await exported(id, 'application/jsonl')).status).toBe(200)
  })

  test('of time', async () => {
    const long = `id,A_1\n${'1,A*01:01\n'.repeat(50_000)}`
    await setLimit('table-milliseconds=1')
    try {
      const reply = await send({ title: 'x.csv' }, ['text/csv', long])
      expect(reasonOf(reply)).toEqual([400, 'badRequest'])
      expect(messageOf(reply)).toContain('to convert')
    } finally {
      await setLimit('table-milliseconds=standard')
    }
  })

  test('of how many at once: all are answered', async () => {
    const { id } = await table()
    const all = await Promise.all(Array.from({ length: 30 }, () => exported(id, 'text/csv; hla-method=lgx')))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

test('the store is sound with documents in it', async () => {
  const { execFileSync } = await import('node:child_process')
  // the options below name a store on disk
  const words = [String(drive.words[0]), 'drive', 'fsck', '--deep', '--data', drive.folder]
  expect(execFileSync(process.execPath, words, { encoding: 'utf8' })).not.toMatch(/wrong|missing|lost/)
})
