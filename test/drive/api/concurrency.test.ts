/** Concurrent callers: the guarantees of `If-Match` and of paging. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
beforeAll(async () => {
  drive = await serveHere(temp('store'))
})
afterAll(() => drive.stop())

interface Inserted {
  readonly id: string
  readonly etag: string
}

const insert = async (body: object): Promise<Inserted> =>
  (await drive.ask('POST', '/drive/v2/files', { body })).json

describe('If-Match', () => {
  test('lets one of many change what all of them have seen', async () => {
    const { id, etag } = await insert({ title: 'register' })
    const change = (title: string) =>
      drive.ask('PUT', `/drive/v2/files/${id}`, { body: { title }, headers: { 'if-match': etag } })
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => change(`by ${at}`)))
    const won = replies.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 412)).toHaveLength(19)
    expect((await drive.ask('GET', `/drive/v2/files/${id}`)).json.title).toBe(won[0]?.json.title)
  })

  test('counts without losing any', async () => {
    const { id } = await insert({ title: '0' })
    const count = async (): Promise<void> => {
      for (let left = 5; left > 0;) {
        const { title, etag } = (await drive.ask('GET', `/drive/v2/files/${id}`)).json
        const body = { title: String(Number(title) + 1) }
        const { status } = await drive.ask('PATCH', `/drive/v2/files/${id}`, {
          body,
          headers: { 'if-match': etag },
        })
        if (status === 200) left -= 1
        else expect(status).toBe(412)
      }
    }
    await Promise.all(Array.from({ length: 6 }, count))
    expect((await drive.ask('GET', `/drive/v2/files/${id}`)).json.title).toBe('30')
  })
})

describe('a walk of pages', () => {
  test.for(['', 'title', 'modifiedDate desc', 'createdDate,title_natural desc'])(
    'in the order "%s" gives what does not change once, whatever else happens',
    async (orderBy) => {
      const folder = await insert({ title: 'walked', mimeType: 'application/vnd.google-apps.folder' })
      const parents = [{ id: folder.id }]
      const still = await Promise.all(
        Array.from({ length: 30 }, (_, at) => insert({ title: `still ${at % 7}`, parents })),
      )
      const state = { isWalking: true }
      const disturb = async (): Promise<void> => {
        while (state.isWalking) {
          const { id } = await insert({ title: 'passing 3', parents })
          await drive.ask('PATCH', `/drive/v2/files/${id}`, { body: { title: 'passing 5' } })
          await drive.ask('DELETE', `/drive/v2/files/${id}`)
        }
      }
      const disturbing = Promise.all([disturb(), disturb()])
      const found = await walk({
        q: `'${folder.id}' in parents`,
        maxResults: '4',
        ...(orderBy === '' ? {} : { orderBy }),
      })
      state.isWalking = false
      await disturbing
      const mine = found.filter((id) => still.some((file) => file.id === id))
      expect(mine.toSorted()).toEqual(still.map(({ id }): string => id).toSorted())
    },
  )
})

async function walk(query: Record<string, string>): Promise<string[]> {
  const found: string[] = []
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const asked = pageToken === '' ? query : { ...query, pageToken }
    const { json } = await drive.ask('GET', '/drive/v2/files', {
      query: { ...asked, fields: 'items/id,nextPageToken' },
    })
    found.push(...json.items.map(({ id }: { id: string }) => id))
    pageToken = json.nextPageToken
  }
  return found
}

describe('a change that was answered', () => {
  test('is what every later request sees', async () => {
    const title = (at: number) => `seen ${at} `
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const { id } = await insert({ title: title(at) })
        const q = `title = '${title(at)}'`
        const { json } = await drive.ask('GET', '/drive/v2/files', { query: { q, fields: 'items/id' } })
        expect(json).toEqual({ items: [{ id }] })
        await drive.ask('DELETE', `/drive/v2/files/${id}`)
        expect((await drive.ask('GET', '/drive/v2/files', { query: { q } })).json.items).toEqual([])
      }),
    )
  })
})
