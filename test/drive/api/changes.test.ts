/** The change feed over HTTP, and the guarantees it gives to programs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
beforeAll(async () => {
  drive = await serveHere(temp('store'))
})
afterAll(() => drive.stop())

const insert = async (body: object) => (await drive.ask('POST', '/drive/v2/files', { body })).json
const changes = async (query: Record<string, string | number | boolean> = {}) =>
  (await drive.ask('GET', '/drive/v2/changes', { query })).json
const start = async () => (await drive.ask('GET', '/drive/v2/changes/startPageToken')).json.startPageToken

interface Change {
  readonly id: string
  readonly fileId: string
  readonly deleted: boolean
  readonly file?: { readonly title: string; readonly labels: { readonly trashed: boolean } }
}

describe('changes.list', () => {
  test('tells each file once, by its latest change', async () => {
    const pageToken = await start()
    const [one, other] = [await insert({ title: 'one' }), await insert({ title: 'other' })]
    await drive.ask('PATCH', `/drive/v2/files/${one.id}`, { body: { title: 'first' } })
    const { kind, items, newStartPageToken, nextPageToken, largestChangeId } = await changes({ pageToken })
    expect(kind).toBe('drive#changeList')
    expect(items.map(({ file }: Change) => file?.title)).toEqual(['other', 'first'])
    expect(items[1]).toMatchObject({ kind: 'drive#change', type: 'file', deleted: false, fileId: one.id })
    expect(nextPageToken).toBeUndefined()
    expect(BigInt(newStartPageToken)).toBe(BigInt(largestChangeId) + 1n)
    expect((await changes({ pageToken: newStartPageToken })).items).toEqual([])
    const { id } = items[0]
    expect((await drive.ask('GET', `/drive/v2/changes/${id}`)).json).toMatchObject({ id, fileId: other.id })
    expect((await drive.ask('GET', '/drive/v2/changes/1')).status).toBe(404)
    for (const none of [`x${id}`, `${id}x`, `${id}.0`, '9'.repeat(16)])
      expect((await drive.ask('GET', `/drive/v2/changes/${none}`)).status).toBe(404)
  })

  test('goes page by page and ends with a new start', async () => {
    const pageToken = await start()
    const titles = ['a', 'b', 'c', 'd', 'e']
    for (const title of titles) await insert({ title })
    const seen: string[] = []
    let query: Record<string, string | number> = { pageToken, maxResults: 2 }
    for (;;) {
      const page = await changes(query)
      seen.push(...page.items.map(({ file }: Change) => file?.title))
      expect('nextPageToken' in page).not.toBe('newStartPageToken' in page)
      if (page.nextPageToken === undefined) break
      expect(page.nextLink).toContain(`pageToken=${page.nextPageToken}`)
      query = { ...query, pageToken: page.nextPageToken }
    }
    expect(seen).toEqual(titles)
  })

  test('what is trashed is there, what is deleted is gone', async () => {
    const [trashed, deleted] = [await insert({ title: 't' }), await insert({ title: 'd' })]
    const pageToken = await start()
    await drive.ask('POST', `/drive/v2/files/${trashed.id}/trash`)
    await drive.ask('DELETE', `/drive/v2/files/${deleted.id}`)
    const { items } = await changes({ pageToken })
    expect(items).toMatchObject([
      { fileId: trashed.id, deleted: false, file: { labels: { trashed: true } } },
      { fileId: deleted.id, deleted: true },
    ])
    expect(items[1]).not.toHaveProperty('file')
    expect((await changes({ pageToken, includeDeleted: false })).items).toHaveLength(1)
  })

  test('a folder in the trash tells of everything in it', async () => {
    const folder = await insert({ title: 'f', mimeType: 'application/vnd.google-apps.folder' })
    const child = await insert({ title: 'c', parents: [{ id: folder.id }] })
    const pageToken = await start()
    await drive.ask('POST', `/drive/v2/files/${folder.id}/trash`)
    const ids = (await changes({ pageToken })).items.map(({ fileId }: Change) => fileId)
    expect(new Set(ids)).toEqual(new Set([folder.id, child.id]))
  })

  test.for([
    [{ pageToken: 'x' }, 400, 'invalid', 'pageToken'],
    [{ maxResults: -1 }, 400, 'invalidParameter', 'maxResults'],
    [{ driveId: 'none' }, 404, 'notFound', 'driveId'],
  ] as const)('%j: %i %s', async ([query, status, reason, location]) => {
    const reply = await drive.ask('GET', '/drive/v2/changes', { query })
    expect(reply.status).toBe(status)
    expect(reply.json.error.errors[0]).toMatchObject({ reason, location })
  })

  test('fields reach into the file', async () => {
    const pageToken = await start()
    await insert({ title: 'x' })
    const page = await changes({ pageToken, fields: 'items(fileId,file(title)),newStartPageToken' })
    expect(Object.keys(page).toSorted()).toEqual(['items', 'newStartPageToken'])
    expect(Object.keys(page.items[0]).toSorted()).toEqual(['file', 'fileId'])
    expect(page.items[0].file).toEqual({ title: 'x' })
  })
})

test('whoever follows the feed while others write misses nothing', async () => {
  let pageToken = await start()
  const made = new Set<string>()
  const seen = new Set<string>()
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; n < 25; n += 1) made.add((await insert({ title: `${writer} ${n}` })).id)
  })
  let isOver = false
  const over = Promise.all(writers).then(() => (isOver = true))
  for (let last = false; !last;) {
    last = isOver
    const page = await changes({ pageToken, maxResults: 7 })
    for (const { fileId } of page.items) seen.add(fileId)
    pageToken = page.nextPageToken ?? page.newStartPageToken
    if (page.nextPageToken !== undefined) last = false
  }
  await over
  expect([...made].filter((id) => !seen.has(id))).toEqual([])
})

describe('the point in the history', () => {
  const ask = (query: string) => drive.ask('GET', `/point${query}`)

  test('is known again, and another is not', async () => {
    const { json } = await ask('')
    expect(json).toEqual({ kind: 'hla#point', point: expect.stringMatching(/^[\w-]+\.\d+$/) })
    await insert({ title: 'later' })
    expect((await ask(`?since=${json.point}`)).json).toMatchObject({ isInHistory: true })
    expect((await ask('?since=another.1')).json).toMatchObject({ isInHistory: false })
  })

  test.for<[query: string, message: string]>([
    ['?since=x', 'This is not a point of a store.'],
    ['?since=a.1&since=b.1', '`since` must be given at most once.'],
  ])('is not %s', async ([query, message]) => {
    const { status, json } = await ask(query)
    expect([status, json.error.errors[0]]).toEqual([
      400,
      { domain: 'global', reason: 'invalid', message, location: 'since', locationType: 'parameter' },
    ])
  })
})
