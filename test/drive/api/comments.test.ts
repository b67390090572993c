/** Comments and replies over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asking } from '../../support/drive.ts'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
beforeAll(async () => {
  drive = await serveHere(temp('store'))
})
afterAll(() => drive.stop())

const insert = async (body: object = {}) => (await drive.ask('POST', '/drive/v2/files', { body })).json.id
const fileOf = async (id: string) => (await drive.ask('GET', `/drive/v2/files/${id}`)).json
const ask = (method: string, path: string, asking: Asking = {}) =>
  drive.ask(method, `/drive/v2/files/${path}`, asking)
const comment = async (file: string, body: object = { content: 'a comment' }) =>
  (await ask('POST', `${file}/comments`, { body })).json
const refusal = ({ status, json }: Awaited<ReturnType<typeof ask>>) => [status, json.error.errors[0].reason]

test('a comment has its words, its place, its author and its file', async () => {
  const file = await insert({ title: 'donors.csv' })
  const body = { content: 'two <alleles>', anchor: '{"r":1}', context: { type: 'text/plain', value: 'A*01' } }
  const made = await comment(file, { ...body, status: 'resolved', author: { displayName: 'x' } })
  expect(made).toMatchObject({
    ...body,
    kind: 'drive#comment',
    fileId: file,
    fileTitle: 'donors.csv',
    htmlContent: 'two &lt;alleles&gt;',
    status: 'open',
    deleted: false,
    replies: [],
    author: { kind: 'drive#user', isAuthenticatedUser: true },
    selfLink: `${drive.url}/drive/v2/files/${file}/comments/${made.commentId}`,
  })
  expect((await ask('GET', `${file}/comments/${made.commentId}`)).json).toEqual(made)
})

test('a comment changes the version of its file and shows in changes, and its date stays', async () => {
  const file = await insert()
  const before = await fileOf(file)
  const { startPageToken } = (await drive.ask('GET', '/drive/v2/changes/startPageToken')).json
  await comment(file)
  const after = await fileOf(file)
  expect(Number(after.version)).toBe(Number(before.version) + 1)
  expect(after.modifiedDate).toBe(before.modifiedDate)
  const { items } = (await drive.ask('GET', '/drive/v2/changes', { query: { pageToken: startPageToken } }))
    .json
  expect(items).toMatchObject([{ fileId: file }])
})

test('PUT and PATCH change what it says, and nothing else', async () => {
  const file = await insert()
  const made = await comment(file, { content: 'first', anchor: 'here' })
  for (const method of ['PUT', 'PATCH']) {
    const body = { content: method, anchor: 'there', status: 'resolved' }
    const { json } = await ask(method, `${file}/comments/${made.commentId}`, { body })
    expect(json).toMatchObject({
      content: method,
      anchor: 'here',
      status: 'open',
      createdDate: made.createdDate,
    })
  }
})

describe('a deleted comment', () => {
  test('is a shell that is only seen by who asks for it', async () => {
    const file = await insert()
    const made = await comment(file, { content: 'x', context: { type: 'a', value: 'b' } })
    const path = `${file}/comments/${made.commentId}`
    await ask('POST', `${path}/replies`, { body: { content: 'a reply' } })
    expect((await ask('DELETE', path)).status).toBe(204)
    expect(refusal(await ask('GET', path))).toEqual([404, 'notFound'])
    expect((await ask('GET', `${file}/comments`)).json.items).toEqual([])
    const query = { includeDeleted: true }
    const { json } = await ask('GET', path, { query })
    expect(json).toMatchObject({ deleted: true, replies: [{ content: 'a reply', deleted: false }] })
    for (const name of ['content', 'htmlContent', 'context']) expect(json).not.toHaveProperty(name)
    expect((await ask('GET', `${file}/comments`, { query })).json.items).toHaveLength(1)
    expect((await ask('GET', `${path}/replies`, { query })).json.items).toHaveLength(1)
  })

  test.for<[string, string, object | undefined]>([
    ['DELETE', '', undefined],
    ['PATCH', '', { content: 'x' }],
    ['GET', '/replies', undefined],
    ['POST', '/replies', { content: 'x' }],
  ])('answers %s %s with 404', async ([method, below, body]) => {
    const file = await insert()
    const { commentId } = await comment(file)
    await ask('DELETE', `${file}/comments/${commentId}`)
    expect(refusal(await ask(method, `${file}/comments/${commentId}${below}`, { body }))).toEqual([
      404,
      'notFound',
    ])
  })
})

test('comments are listed from what was modified last, page by page, and since a time', async () => {
  const file = await insert()
  const made: { commentId: string; modifiedDate: string }[] = []
  for (let n = 0; n < 5; n += 1) made.push(await comment(file, { content: String(n) }))
  await ask('POST', `${file}/comments/${made[1]?.commentId}/replies`, { body: { content: 'a reply' } })
  const told: string[] = []
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const query = { maxResults: 2, ...(pageToken === '' ? {} : { pageToken }) }
    const { json } = await ask('GET', `${file}/comments`, { query })
    expect(json.kind).toBe('drive#commentList')
    told.push(...json.items.map(({ content }: { content: string }) => content))
    pageToken = json.nextPageToken
  }
  expect(told).toEqual(['1', '4', '3', '2', '0'])
  const since = { updatedMin: made[3]?.modifiedDate ?? '' }
  const { items } = (await ask('GET', `${file}/comments`, { query: since })).json
  expect(items.map(({ content }: { content: string }) => content)).toEqual(
    // two may have the same millisecond
    expect.arrayContaining(['1']),
  )
  expect(items.every((item: { modifiedDate: string }) => item.modifiedDate > since.updatedMin)).toBe(true)
})

describe('replies', () => {
  test('resolve and reopen the comment', async () => {
    const file = await insert()
    const { commentId, modifiedDate } = await comment(file)
    const path = `${file}/comments/${commentId}`
    for (const [verb, status] of [
      ['resolve', 'resolved'],
      ['reopen', 'open'],
    ]) {
      const { json } = await ask('POST', `${path}/replies`, { body: { verb } })
      expect(json).toMatchObject({ kind: 'drive#commentReply', verb, deleted: false })
      expect(json).not.toHaveProperty('content')
      expect((await ask('GET', path)).json.status).toBe(status)
    }
    expect((await ask('GET', path)).json.modifiedDate >= modifiedDate).toBe(true)
  })

  test('are listed from the oldest on, changed, deleted, and embedded without the deleted', async () => {
    const file = await insert()
    const path = `${file}/comments/${(await comment(file)).commentId}`
    const ids: string[] = []
    for (const content of ['a', 'b', 'c'])
      ids.push((await ask('POST', `${path}/replies`, { body: { content } })).json.replyId)
    await ask('PATCH', `${path}/replies/${ids[0]}`, { body: { content: 'A' } })
    await ask('PUT', `${path}/replies/${ids[2]}`, { body: { content: 'C' } })
    expect((await ask('DELETE', `${path}/replies/${ids[1]}`)).status).toBe(204)
    const contents = async (place: string, query = {}) => {
      const { json } = await ask('GET', place, { query })
      return (json.items ?? json.replies).map((one: { content?: string }) => one.content)
    }
    expect(await contents(`${path}/replies`)).toEqual(['A', 'C'])
    expect(await contents(path)).toEqual(['A', 'C'])
    expect(await contents(path, { includeDeleted: true })).toEqual(['A', undefined, 'C'])
    expect(refusal(await ask('GET', `${path}/replies/${ids[1]}`))).toEqual([404, 'notFound'])
    const first = (await ask('GET', `${path}/replies`, { query: { maxResults: 1 } })).json
    expect(await contents(`${path}/replies`, { maxResults: 1, pageToken: first.nextPageToken })).toEqual([
      'C',
    ])
  })
})

describe('refused', () => {
  test.for<[string, object, number, string]>([
    ['comments', {}, 400, 'required'],
    ['comments', { content: '' }, 400, 'required'],
    ['comments', { content: 7 }, 400, 'parseError'],
    ['comments', { content: 'x'.repeat(32 * 1024 + 1) }, 400, 'invalid'],
    ['comments', { content: 'x', anchor: 'x'.repeat(32 * 1024 + 1) }, 400, 'invalid'],
    ['comments/none/replies', { content: 'x' }, 404, 'notFound'],
    ['comments/ID/replies', {}, 400, 'required'],
    ['comments/ID/replies', { verb: 'close' }, 400, 'invalid'],
  ])('POST %s %j: %i', async ([path, body, status, reason]) => {
    const file = await insert()
    const { commentId } = await comment(file)
    const reply = await ask('POST', `${file}/${path.replace('ID', commentId)}`, { body })
    expect(refusal(reply)).toEqual([status, reason])
  })

  test('about folders and files that are kept as they are', async () => {
    const folder = await insert({ mimeType: 'application/vnd.google-apps.folder' })
    const locked = await insert()
    const made = await comment(locked)
    const body = { contentRestrictions: [{ readOnly: true }] }
    await ask('PATCH', locked, { body })
    for (const file of [folder, locked])
      expect(refusal(await ask('POST', `${file}/comments`, { body: { content: 'x' } }))).toEqual([
        403,
        'insufficientFilePermissions',
      ])
    expect((await ask('GET', `${folder}/comments`)).status).toBe(403)
    expect((await ask('GET', `${locked}/comments`)).json.items).toHaveLength(1)
    expect((await ask('DELETE', `${locked}/comments/${made.commentId}`)).status).toBe(403)
  })

  test('times that are none, and pages of another list', async () => {
    const file = await insert()
    expect(refusal(await ask('GET', `${file}/comments`, { query: { updatedMin: 'soon' } }))).toEqual([
      400,
      'invalidParameter',
    ])
    expect(refusal(await ask('GET', `${file}/comments`, { query: { pageToken: 'x' } }))).toEqual([
      400,
      'invalid',
    ])
    expect(refusal(await ask('GET', 'none/comments'))).toEqual([404, 'notFound'])
  })
})
