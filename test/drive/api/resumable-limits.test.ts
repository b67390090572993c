/** Requests of upload sessions at the limits of what they may say. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Asking, Reply } from '../../support/drive.ts'
import { GRANULE, startResumable } from '../../support/resumable.ts'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
beforeAll(async () => {
  drive = await serveHere(temp('store'))
})
afterAll(() => drive.stop())

const FILES = '/upload/drive/v2/files'
const TOTAL = 2 * GRANULE + 5
const CONTENT = randomBytes(TOTAL)
const digest = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('base64')
const begin = (total?: number, headers: Readonly<Record<string, string>> = {}) =>
  startResumable(drive, {
    headers: { ...headers, ...(total === undefined ? {} : { 'x-upload-content-length': String(total) }) },
  })
/** Status, and the range that the store has, the size of the file or the refusal. */
const outcome = ({ status, headers, text }: Reply) => {
  if (status === 308) return [308, headers.get('range')]
  const json = JSON.parse(text) as { fileSize?: string; error?: { message: string } }
  return [status, json.fileSize ?? json.error?.message]
}
type Upload = Awaited<ReturnType<typeof startResumable>>
const part = (
  upload: Upload,
  [from, to]: readonly [number, number],
  total: number | '*' = '*',
  headers = {},
) => upload.send(`${from}-${to - 1}/${total}`, CONTENT.subarray(from, to), headers).then(outcome)
const held = (bytes: number) => [308, `bytes=0-${bytes - 1}`]

describe('a question', () => {
  test('ends an upload of nothing only where it says so', async () => {
    const upload = await begin(0)
    expect(outcome(await upload.send('*/*'))).toEqual([308, null])
    expect(outcome(await upload.send('*/0'))).toEqual([200, '0'])
  })

  test('ends an upload of which all is there', async () => {
    const upload = await begin()
    expect(await part(upload, [0, GRANULE])).toEqual(held(GRANULE))
    expect(outcome(await upload.send(`*/${GRANULE + 1}`))).toEqual(held(GRANULE))
    expect(outcome(await upload.send(`*/${GRANULE}`))).toEqual([200, String(GRANULE)])
  })

  test('with another total than was announced is refused', async () => {
    const upload = await begin(TOTAL)
    for (const total of [TOTAL - 1, TOTAL + 1])
      expect(outcome(await upload.send(`*/${total}`))).toEqual([
        400,
        `The upload was announced with ${TOTAL} bytes, now with ${total}.`,
      ])
    expect(outcome(await upload.send(`*/${TOTAL}`))).toEqual([308, null])
  })
})

describe('bytes', () => {
  test('that end where was announced end the upload, and none may come behind', async () => {
    const upload = await begin(TOTAL)
    const more = await upload.send(`0-${TOTAL}/*`, Buffer.concat([CONTENT, Buffer.alloc(1)]))
    expect(outcome(more)).toEqual([400, `The upload was announced with ${TOTAL} bytes.`])
    expect(await part(upload, [0, TOTAL])).toEqual([200, String(TOTAL)])
  })

  test('that are there already are not taken again', async () => {
    const upload = await begin()
    expect(await part(upload, [0, 2 * GRANULE])).toEqual(held(2 * GRANULE))
    expect(await part(upload, [0, GRANULE])).toEqual(held(2 * GRANULE))
    expect(await part(upload, [GRANULE, 2 * GRANULE], TOTAL)).toEqual(held(2 * GRANULE))
    expect(await part(upload, [GRANULE, 2 * GRANULE], 2 * GRANULE)).toEqual([200, String(2 * GRANULE)])
  })

  const SHORT = 'Every chunk except the last must be a multiple of 262144 bytes.'
  test('are few at first only where they are all', async () => {
    const upload = await begin()
    expect(await part(upload, [0, GRANULE - 1])).toEqual([400, SHORT])
    expect(await part(upload, [0, 100])).toEqual([400, SHORT])
    expect(await part(upload, [0, GRANULE])).toEqual(held(GRANULE))
    // behind the first, few bytes count for nothing
    expect(await part(upload, [GRANULE, GRANULE + 100])).toEqual(held(GRANULE))
    expect(await part(upload, [GRANULE, TOTAL], TOTAL)).toEqual([200, String(TOTAL)])
    expect(await part(await begin(), [0, 100], 100)).toEqual([200, '100'])
    expect(await part(await begin(100), [0, 100])).toEqual([200, '100'])
  })

  test('without a range are all, and none at all ask what is there', async () => {
    const upload = await begin()
    expect(await part(upload, [0, GRANULE])).toEqual(held(GRANULE))
    expect(outcome(await upload.ask('PUT', { body: '' }))).toEqual(held(GRANULE))
    expect(outcome(await upload.ask('PUT', { body: CONTENT }))).toEqual([200, String(TOTAL)])
    const other = await begin(TOTAL)
    expect(outcome(await other.ask('PUT', { body: CONTENT.subarray(1) }))).toEqual([
      400,
      `The upload was announced with ${TOTAL} bytes, now with ${TOTAL - 1}.`,
    ])
  })

  test('are those of a digest: of the body where it is whole, of the content where it is not', async () => {
    const wrong = { 'content-md5': digest(Buffer.from('x')) }
    const whole = await begin()
    const { status } = await whole.ask('PUT', { body: CONTENT, headers: wrong })
    expect([status, (await whole.send('*/*')).status]).toEqual([400, 410])
    const right = { 'content-md5': digest(CONTENT) }
    expect(outcome(await (await begin()).ask('PUT', { body: CONTENT, headers: right }))[0]).toBe(200)
    const parts = await begin()
    await part(parts, [0, GRANULE])
    expect(await part(parts, [GRANULE, TOTAL], TOTAL, wrong)).toEqual([200, String(TOTAL)])
    for (const [hash, expected] of [
      [wrong['content-md5'], 400],
      [digest(CONTENT), 200],
    ] as const) {
      const told = await begin()
      await part(told, [0, GRANULE])
      const headers = { 'x-goog-hash': `md5=${hash}` }
      expect((await part(told, [GRANULE, TOTAL], TOTAL, headers))[0]).toBe(expected)
      const announced = await begin(undefined, headers)
      expect((await part(announced, [0, TOTAL], TOTAL))[0]).toBe(expected)
    }
  })
})

test.for([
  ['yes', 200, '308'],
  ['YES', 200, '308'],
  ['no', 308, null],
  ['', 308, null],
] as const)('a client that does not take 308 says so: %j', async ([word, status, override]) => {
  const upload = await begin()
  const { headers, ...reply } = await upload.send('*/*', undefined, { 'x-guploader-no-308': word })
  expect([reply.status, headers.get('x-http-status-code-override')]).toEqual([status, override])
})

test('a session has an address with a secret of its own', async () => {
  const query = { uploadType: 'resumable' }
  const { status, headers, text } = await drive.ask('POST', FILES, { query })
  const id = headers.get('x-guploader-uploadid') ?? ''
  expect([status, text, headers.get('content-length'), id]).toEqual([
    200,
    '',
    '0',
    expect.stringMatching(/^[\w-]{32,}$/),
  ])
  expect(headers.get('location')).toBe(`${drive.url}${FILES}?uploadType=resumable&upload_id=${id}`)
})

describe('a command', () => {
  const started = async (total: number) => {
    const { headers } = await drive.ask('POST', FILES, {
      body: {},
      headers: {
        'x-goog-upload-protocol': 'resumable',
        'x-goog-upload-command': 'start',
        'x-goog-upload-header-content-length': String(total),
      },
    })
    const path = headers.get('x-goog-upload-url')?.slice(drive.url.length) ?? ''
    return (command: string, offset: number, body: Uint8Array) =>
      drive.ask('POST', path, {
        body,
        headers: { 'x-goog-upload-command': command, 'x-goog-upload-offset': String(offset) },
      })
  }

  test('that ends an upload before all has come is refused', async () => {
    const go = await started(TOTAL)
    expect(outcome(await go('upload, finalize', 0, CONTENT.subarray(0, GRANULE)))).toEqual([
      400,
      `The upload was announced with ${TOTAL} bytes, now with ${GRANULE}.`,
    ])
    expect(outcome(await go('upload, finalize', 0, CONTENT))).toEqual([200, String(TOTAL)])
  })

  test('sends bytes from where they are missing, or before', async () => {
    const go = await started(TOTAL)
    await go('upload', 0, CONTENT.subarray(0, GRANULE))
    expect(outcome(await go('upload, finalize', GRANULE - 9, CONTENT.subarray(GRANULE - 9)))).toEqual([
      200,
      String(TOTAL),
    ])
  })
})

describe('a request', () => {
  test.for<[string, string, string, Asking, number]>([
    ['without the id of an upload needs a token', 'POST', FILES, { query: { uploadType: 'media', upload_id: '' }, body: 'x', token: undefined }, 401],
    ['with an empty id is one without', 'POST', FILES, { query: { uploadType: 'media', upload_id: '' }, body: 'x' }, 200],
    ['makes no file by PUT', 'PUT', FILES, { query: { uploadType: 'media' }, body: 'x' }, 404],
    ['makes no session by PUT', 'PUT', FILES, { query: { uploadType: 'resumable' } }, 404],
    ['removes nothing', 'DELETE', FILES, { query: { uploadType: 'media' } }, 404],
    ['makes no file where any is there', 'POST', FILES, { query: { uploadType: 'media' }, body: 'x', headers: { 'if-none-match': '*' } }, 412],
    ['makes a file where one is not there', 'POST', FILES, { query: { uploadType: 'media' }, body: 'x', headers: { 'if-none-match': '"x"' } }, 200],
  ])('%s', async ([, method, path, asking, status]) => {
    expect((await drive.ask(method, path, asking)).status).toBe(status)
  }) // prettier-ignore

  test('counts with the last of repeated words', async () => {
    const { json } = await drive.ask('POST', `${FILES}?uploadType=resumable&uploadType=media`, { body: 'xy' })
    expect(json.fileSize).toBe('2')
  })
})
