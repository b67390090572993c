/** Revisions over HTTP: list, read, pin, delete. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Asking, type Drive, startDrive } from '../../support/drive.ts'

let drive: Drive
beforeAll(async () => {
  drive = await startDrive()
})

interface Revised {
  readonly id: string
  readonly revisions: readonly { readonly id: string; readonly etag: string; readonly downloadUrl: string }[]
}

/** Uploads a file with these contents, one after the other. */
async function revised(...contents: string[]): Promise<Revised> {
  const [first = '', ...others] = contents
  const headers = { 'content-type': 'text/plain', slug: 'report.txt' }
  const { id } = (await drive.ask('POST', '/upload/drive/v2/files', { body: first, headers })).json
  for (const body of others) await drive.ask('PUT', `/upload/drive/v2/files/${id}`, { body, headers })
  return { id, revisions: (await ask(id, 'GET')).json.items }
}

const ask = (id: string, method: string, revision = '', asking: Asking = {}) =>
  drive.ask(method, `/drive/v2/files/${id}/revisions${revision && `/${revision}`}`, asking)
const fileOf = async (id: string) => (await drive.ask('GET', `/drive/v2/files/${id}`)).json
const refusal = ({ status, json }: Awaited<ReturnType<typeof ask>>) => [status, json.error.errors[0].reason]

test('are listed from the oldest on, page by page', async () => {
  const { id } = await revised('a', 'bb', 'ccc')
  const first = (await ask(id, 'GET', '', { query: { maxResults: 2 } })).json
  expect(first).toMatchObject({ kind: 'drive#revisionList', items: [{ fileSize: '1' }, { fileSize: '2' }] })
  const rest = (await ask(id, 'GET', '', { query: { maxResults: 2, pageToken: first.nextPageToken } })).json
  expect(rest.items).toMatchObject([
    {
      kind: 'drive#revision',
      fileSize: '3',
      originalFilename: 'report.txt',
      mimeType: 'text/plain',
      pinned: false,
    },
  ])
  expect(rest).not.toHaveProperty('nextPageToken')
})

test('have another state when their file has another type', async () => {
  const { id, revisions } = await revised('a', 'b')
  await drive.ask('PATCH', `/drive/v2/files/${id}`, { body: { mimeType: 'text/csv' } })
  const after: Revised['revisions'] = (await ask(id, 'GET')).json.items
  expect(after.map(({ etag }, at) => etag === revisions[at]?.etag)).toEqual([true, false])
  const [, head] = revisions
  const headers = { 'if-match': head?.etag ?? '' }
  expect((await ask(id, 'PATCH', head?.id, { body: { pinned: true }, headers })).status).toBe(412)
})

test('are not empty for a file of metadata alone, and folders have none', async () => {
  const insert = async (body: object) => (await drive.ask('POST', '/drive/v2/files', { body })).json.id
  expect((await ask(await insert({ title: 'x' }), 'GET')).json.items).toMatchObject([{ fileSize: '0' }])
  expect((await ask(await insert({ mimeType: 'application/vnd.google-apps.folder' }), 'GET')).status).toBe(
    403,
  )
})

test('are read by either address, and by their link', async () => {
  const {
    id,
    revisions: [old],
  } = await revised('old', 'new')
  const query = { alt: 'media', revisionId: old?.id ?? '' }
  expect((await drive.ask('GET', `/drive/v2/files/${id}`, { query })).text).toBe('old')
  expect((await ask(id, 'GET', old?.id, { query: { alt: 'media' } })).text).toBe('old')
  expect((await drive.ask('GET', old?.downloadUrl.slice(drive.url.length) ?? '')).text).toBe('old')
  expect((await ask(id, 'GET', 'head', { query: { alt: 'media' } })).text).toBe('new')
  expect(refusal(await ask(id, 'GET', 'none'))).toEqual([404, 'notFound'])
})

describe('a pin', () => {
  test('is set by PUT and PATCH, and stays on what is old', async () => {
    const {
      id,
      revisions: [old, head],
    } = await revised('a', 'b')
    for (const method of ['PUT', 'PATCH'])
      expect((await ask(id, method, old?.id, { body: { pinned: true } })).json).toMatchObject({
        pinned: true,
      })
    expect(refusal(await ask(id, 'PATCH', old?.id, { body: { pinned: false } }))).toEqual([
      400,
      'illegalKeepForeverModification',
    ])
    await ask(id, 'PATCH', head?.id, { body: { pinned: true } })
    expect((await ask(id, 'PATCH', head?.id, { body: { pinned: false } })).json.pinned).toBe(false)
  })

  test('is set only on what the caller has seen', async () => {
    const {
      id,
      revisions: [only],
    } = await revised('a')
    const pin = (etag: string) =>
      ask(id, 'PATCH', only?.id, { body: { pinned: true }, headers: { 'if-match': etag } })
    expect((await pin('"stale"')).status).toBe(412)
    expect((await pin(only?.etag ?? '')).status).toBe(200)
  })
})

describe('a deletion', () => {
  test('gives the bytes back, and of the head makes the one before it the head', async () => {
    const {
      id,
      revisions: [, middle, head],
    } = await revised('a', 'bb', 'ccc')
    expect(await fileOf(id)).toMatchObject({ quotaBytesUsed: '6', fileSize: '3' })
    expect((await ask(id, 'DELETE', head?.id)).status).toBe(204)
    expect(await fileOf(id)).toMatchObject({ quotaBytesUsed: '3', fileSize: '2', headRevisionId: middle?.id })
    expect((await drive.ask('GET', `/drive/v2/files/${id}`, { query: { alt: 'media' } })).text).toBe('bb')
    expect((await ask(id, 'DELETE', head?.id)).status).toBe(404)
  })

  test('leaves the last one', async () => {
    const {
      id,
      revisions: [only],
    } = await revised('a')
    expect(refusal(await ask(id, 'DELETE', only?.id))).toEqual([403, 'cannotDeleteOnlyRevision'])
  })
})
