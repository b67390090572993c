/** Uploads with `X-Goog-Upload-Command`, which Ruby's client uses for all uploads. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Reply } from '../../support/drive.ts'
import { GRANULE } from '../../support/resumable.ts'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
beforeAll(async () => {
  drive = await serveHere(temp('store'))
})
afterAll(() => drive.stop())

const CONTENT = randomBytes(2 * GRANULE + 5)
const whole = {
  fileSize: String(CONTENT.length),
  md5Checksum: createHash('md5').update(CONTENT).digest('hex'),
}
const statusOf = ({ status, headers }: Reply) => [
  status,
  headers.get('x-goog-upload-status'),
  headers.get('x-goog-upload-size-received'),
]

const begin = (body: object, path = '/upload/drive/v2/files', method = 'POST') =>
  drive.ask(method, path, {
    body,
    headers: {
      'content-type': 'application/json',
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-type': 'text/plain',
      'x-goog-upload-header-content-length': String(CONTENT.length),
    },
  })

async function started(): Promise<(command: string, offset?: number, body?: Uint8Array) => Promise<Reply>> {
  const { headers } = await begin({ title: 'ruby' })
  const path = headers.get('x-goog-upload-url')?.slice(drive.url.length) ?? ''
  return (command, offset, body = new Uint8Array()) =>
    drive.ask('POST', path, {
      token: undefined,
      body,
      headers: {
        'x-goog-upload-command': command,
        'content-type': 'text/plain',
        ...(offset === undefined ? {} : { 'x-goog-upload-offset': String(offset) }),
      },
    })
}

test('begins with an address', async () => {
  const reply = await begin({ title: 'x' })
  expect([...statusOf(reply).slice(0, 2), reply.text]).toEqual([200, 'active', ''])
  const url = reply.headers.get('x-goog-upload-url')
  expect(url).toMatch(/\/upload\/drive\/v2\/files\?upload_id=[\w-]{32,}&upload_protocol=resumable$/)
  expect(reply.headers.get('x-goog-upload-control-url')).toBe(url)
  expect(reply.headers.get('x-goog-upload-chunk-granularity')).toBe('262144')
})

test('refuses bytes behind a gap, and goes on', async () => {
  const go = await started()
  for (const command of ['upload', 'upload, finalize']) {
    const refused = await go(command, GRANULE, CONTENT.subarray(GRANULE))
    expect(statusOf(refused)).toEqual([400, 'active', '0'])
  }
  await go('upload', 0, CONTENT.subarray(0, GRANULE))
  expect(statusOf(await go('upload', 2 * GRANULE, CONTENT.subarray(2 * GRANULE)))).toEqual([
    400,
    'active',
    String(GRANULE),
  ])
  expect((await go('upload, finalize', GRANULE, CONTENT.subarray(GRANULE))).json).toMatchObject(whole)
})

test('ends with the file, in one go', async () => {
  const go = await started()
  const reply = await go('upload, finalize', 0, CONTENT)
  expect(statusOf(reply).slice(0, 2)).toEqual([200, 'final'])
  expect(reply.json).toMatchObject({ title: 'ruby', mimeType: 'text/plain', ...whole })
  const again = await go('query')
  expect([...statusOf(again).slice(0, 2), again.json.id]).toEqual([200, 'final', reply.json.id])
})

test('goes on after a failure where the service says', async () => {
  const go = await started()
  expect(statusOf(await go('query'))).toEqual([200, 'active', '0'])
  expect(statusOf(await go('upload', 0, CONTENT.subarray(0, GRANULE + 7)))).toEqual([
    200,
    'active',
    String(GRANULE),
  ])
  expect(statusOf(await go('query'))).toEqual([200, 'active', String(GRANULE)])
  expect((await go('upload, finalize', GRANULE, CONTENT.subarray(GRANULE))).json).toMatchObject(whole)
})

test('ends when it is told to, with all that was said', async () => {
  const go = await started()
  await go('upload', 0, CONTENT.subarray(0, GRANULE))
  expect((await go('finalize')).status).toBe(400)
  await go('upload', GRANULE, CONTENT.subarray(GRANULE))
  expect((await go('finalize')).json).toMatchObject(whole)
})

test('needs an offset, and bytes that it announced', async () => {
  const go = await started()
  const messageOf = ({ status, json }: Reply) => [status, json.error.errors[0].reason, json.error.message]
  expect(messageOf(await go('upload', undefined, CONTENT))).toEqual([
    400,
    'required',
    'Required parameter: X-Goog-Upload-Offset',
  ])
  expect(messageOf(await go('upload', 1, CONTENT))).toEqual([
    400,
    'invalid',
    `The upload was announced with ${CONTENT.length} bytes.`,
  ])
  expect((await go('upload, finalize', 0, CONTENT)).json).toMatchObject(whole)
})

test('whose file is removed has no answer any more', async () => {
  const go = await started()
  const { id } = (await go('upload, finalize', 0, CONTENT)).json
  expect((await drive.ask('DELETE', `/drive/v2/files/${id}`)).status).toBe(204)
  const { status, json } = await go('query')
  expect([status, json.error.message]).toEqual([404, `File not found: ${id}`])
})

test('is given up', async () => {
  const go = await started()
  expect(statusOf(await go('cancel')).slice(0, 2)).toEqual([200, 'cancelled'])
  expect((await go('query')).status).toBe(410)
})

test('of new content is begun by PUT and sent by POST', async () => {
  const { id } = (await drive.ask('POST', '/drive/v2/files', { body: { title: 'old' } })).json
  const { headers } = await begin({ title: 'new' }, `/upload/drive/v2/files/${id}`, 'PUT')
  const path = headers.get('x-goog-upload-url')?.slice(drive.url.length) ?? ''
  const sent = { 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0' }
  const { json } = await drive.ask('POST', path, { body: CONTENT, headers: sent })
  expect(json).toMatchObject({ id, title: 'new', ...whole })
})

test.for([
  ['a token', {}, 200],
  ['no token', { token: undefined }, 401],
] as const)('begins anew with the id of another upload and %s', async ([, asking, status]) => {
  const { headers } = await begin({ title: 'first' })
  const path = headers.get('x-goog-upload-url')?.slice(drive.url.length) ?? ''
  const sent = { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'start' }
  const reply = await drive.ask('POST', path, { body: {}, headers: sent, ...asking })
  expect(reply.status).toBe(status)
  expect(reply.headers.get('x-goog-upload-url')).not.toBe(headers.get('x-goog-upload-url'))
})

test('is refused in a way that ends it', async () => {
  const reply = await begin({ parents: [{ id: 'none' }] })
  expect([...statusOf(reply).slice(0, 2), reply.json.error.errors[0].reason]).toEqual([
    404,
    'final',
    'notFound',
  ])
})
