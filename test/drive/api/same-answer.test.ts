/** Cached file metadata: valid until the next commit, and never served to another user. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { type People, peopleOf, type Person } from '../../support/people.ts'
import { rounds } from '../../support/rounds.ts'

let drive: Drive
let people: People
let ada: Person
let bo: Person
beforeAll(async () => {
  drive = await startDrive()
  people = await peopleOf(drive)
  ada = await people.add('ada@lab.example')
  bo = await people.add('bo@lab.example')
})
afterAll(() => people.store.close())

let fresh = 0

/** The cached answer and a new one. The query parameter makes an address that was not requested before. */
async function both(who: Person, id: string) {
  const path = `/drive/v2/files/${id}`
  // two requests, so that the second may come from the cache
  await who.ask('GET', path)
  const given = await who.ask('GET', path)
  const made = await who.ask('GET', path, { query: { quotaUser: (fresh += 1) } })
  return { given, made }
}

const share = { type: 'user', role: 'reader', value: 'bo@lab.example' }

/** Changes that can alter a user's answer. */
const CHANGES: readonly ((id: string, other: string) => Promise<unknown>)[] = [
  (id) => ada.ask('PATCH', `/drive/v2/files/${id}`, { body: { title: `t${(fresh += 1)}` } }),
  (id) => ada.ask('PATCH', `/drive/v2/files/${id}`, { body: { labels: { starred: fresh % 2 === 0 } } }),
  (id) => ada.ask('POST', `/drive/v2/files/${id}/permissions`, { body: share }),
  (id) => ada.ask('DELETE', `/drive/v2/files/${id}/permissions/${bo.id}`),
  (id) => bo.ask('PATCH', `/drive/v2/files/${id}`, { body: { labels: { starred: true } } }),
  (id) => ada.ask('POST', `/drive/v2/files/${id}/trash`),
  (id) => ada.ask('POST', `/drive/v2/files/${id}/untrash`),
  (id) => ada.ask('POST', `/drive/v2/files/${id}/properties`, { body: { key: 'k', value: `${fresh}` } }),
  (_id, other) => ada.ask('PATCH', `/drive/v2/files/${other}`, { body: { title: 'another' } }),
]

test('whatever is changed, what is given is what would be made', async () => {
  const create = async () => (await ada.ask('POST', '/drive/v2/files', { body: { title: 'a' } })).json.id
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: CHANGES.length - 1 }), { maxLength: 8 }), async (steps) => {
      const [id, other] = [await create(), await create()]
      for (const step of steps) {
        await CHANGES[step]?.(id, other)
        for (const who of [ada, bo]) {
          const { given, made } = await both(who, id)
          expect([given.status, given.text]).toEqual([made.status, made.text])
          expect(given.headers.get('etag')).toBe(made.headers.get('etag'))
        }
      }
    }),
    { numRuns: rounds(15) },
  )
})

test('a query in the body of a request is told apart from none', async () => {
  const { id } = (await ada.ask('POST', '/drive/v2/files', { body: { title: 'a' } })).json
  const path = `/drive/v2/files/${id}`
  const type = 'application/x-www-form-urlencoded'
  const asked = { body: 'fields=id', headers: { 'content-type': type, 'x-http-method-override': 'GET' } }
  expect((await ada.ask('POST', path, asked)).json).toEqual({ id })
  expect((await ada.ask('GET', path)).json.title).toBe('a')
  expect((await ada.ask('POST', path, asked)).json).toEqual({ id })
})

test('links are those of the address that was asked', async () => {
  const { id } = (await ada.ask('POST', '/drive/v2/files', { body: { title: 'a' } })).json
  const address = drive.url.replace('127.0.0.1', 'localhost')
  await both(ada, id)
  const reply = await fetch(`${address}/drive/v2/files/${id}`, {
    headers: { authorization: `Bearer ${ada.token}` },
  })
  const { selfLink } = (await reply.json()) as { selfLink: string } // the address that the service uses
  expect(selfLink).toBe(`${address}/drive/v2/files/${id}`)
})

test('who knows the state is told so, from memory too', async () => {
  const { id, etag } = (await ada.ask('POST', '/drive/v2/files', { body: { title: 'a' } })).json
  await both(ada, id)
  const ask = () => ada.ask('GET', `/drive/v2/files/${id}`, { headers: { 'if-none-match': etag } })
  expect((await ask()).status).toBe(304)
  await ada.ask('PATCH', `/drive/v2/files/${id}`, { body: { title: 'b' } })
  expect((await ask()).status).toBe(200)
})
