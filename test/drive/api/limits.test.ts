/** Limits set by the operator: each accepts its maximum and refuses more. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { LIMIT_NAMES, type LimitName } from '../../../src/drive/contract/limits.ts'
import { type Asking, type Drive, type Reply, startDrive } from '../../support/drive.ts'
import { type People, peopleOf } from '../../support/people.ts'

let drive: Drive
let people: People
beforeAll(async () => {
  drive = await startDrive()
  people = await peopleOf(drive)
})
afterAll(() => people.store.close())

const FOLDER = 'application/vnd.google-apps.folder'
const setLimit = (name: string, value: number | null) =>
  command(people.store, 'setLimit', OPERATOR, { name, value })

const post = (path: string, body: object = {}, asking: Asking = {}) =>
  drive.ask('POST', `/drive/v2/${path}`, { body, ...asking })
const insert = (body: object) => post('files', body)
const idOf = async (body: object = {}) => (await insert(body)).json.id as string

async function each(count: number, make: (at: number) => Promise<Reply>): Promise<Reply> {
  let last = await make(0)
  for (let at = 1; at < count; at += 1) last = await make(at)
  return last
}

const nested = async (count: number) => {
  let parents: { id: string }[] = []
  return each(count, async () => {
    const made = await insert({ mimeType: FOLDER, parents })
    parents = [{ id: made.json.id }]
    return made
  })
}
const within = async (count: number) => {
  const parents = [{ id: await idOf({ mimeType: FOLDER }) }]
  return each(count, () => insert({ parents }))
}
const inDrive = async (count: number) => {
  const query = { requestId: `d${Math.random()}`, supportsAllDrives: true }
  const { id } = (await post('drives', { name: 'd' }, { query })).json
  return each(count, () => post('files', { parents: [{ id }] }, { query: { supportsAllDrives: true } }))
}
const properties = (count: number, visibility: string) =>
  insert({
    properties: Array.from({ length: count }, (_, at) => ({ key: `k${at}`, value: 'v', visibility })),
  })
const both = (count: number) => {
  const made = (visibility: string, many: number) =>
    Array.from({ length: many }, (_, at) => ({ key: `k${at}`, value: 'v', visibility }))
  return insert({ properties: [...made('PUBLIC', 1), ...made('PRIVATE', count - 1)] })
}
const pinned = async (count: number) => {
  const id = await idOf()
  return each(count, (at) =>
    drive.ask('PUT', `/upload/drive/v2/files/${id}`, {
      body: `${at}`,
      query: { uploadType: 'media', pinned: true },
      headers: { 'content-type': 'text/plain' },
    }),
  )
}
const replied = async (count: number) => {
  const file = await idOf()
  const { commentId } = (await post(`files/${file}/comments`, { content: 'c' })).json
  return each(count, () => post(`files/${file}/comments/${commentId}/replies`, { content: 'r' }))
}
const shared = async (count: number) => {
  const id = await idOf()
  return each(count, async (at) => {
    await people.add(`p${at}-${id}@lab.example`)
    return post(`files/${id}/permissions`, {
      type: 'user',
      role: 'reader',
      value: `p${at}-${id}@lab.example`,
    })
  })
}
const watched = async (count: number) => {
  const { ask } = await people.add(`w${Math.random()}@lab.example`)
  const body = { type: 'web_hook', address: 'https://example.com/told' }
  return each(count, () => ask('POST', '/drive/v2/changes/watch', { body: { ...body, id: randomUUID() } }))
}
const begun = async (count: number) => {
  const { ask } = await people.add(`u${Math.random()}@lab.example`)
  return each(count, () =>
    ask('POST', '/upload/drive/v2/files', { body: {}, query: { uploadType: 'resumable' } }),
  )
}
const batched = (count: number) => {
  const part = '--b\r\ncontent-type: application/http\r\n\r\nGET /drive/v2/about?fields=name\r\n\r\n'
  return drive.ask('POST', '/batch/drive/v2', {
    body: `${part.repeat(count)}--b--`,
    headers: { 'content-type': 'multipart/mixed; boundary=b' },
  })
}
const described = (length: number) => {
  const metadata = JSON.stringify({ description: '' })
  const padded = metadata.padEnd(length)
  // too large to be read as a whole
  const body = `--b\r\n\r\n${padded}\r\n--b\r\n\r\n${'x'.repeat(20_000)}\r\n--b--`
  return drive.ask('POST', '/upload/drive/v2/files', {
    body,
    query: { uploadType: 'multipart' },
    headers: { 'content-type': 'multipart/related; boundary=b' },
  })
}

/** Rows: limit, its value, a request of the given amount, and the status and message when it is exceeded. */
const ROWS: readonly (readonly [LimitName, number, (count: number) => Promise<Reply>, number, string])[] = [
  ['folder-children', 2, within, 403, 'The limit of 2 items in a folder'],
  ['folder-depth', 3, (count) => nested(count), 403, 'nested 3 levels deep'],
  ['drive-items', 2, inDrive, 403, 'The limit of 2 items in a shared drive'],
  ['title-bytes', 5, (count) => insert({ title: 'x'.repeat(count) }), 400, 'not be longer than 5 bytes'],
  [
    'description-characters',
    5,
    (count) => insert({ description: 'x'.repeat(count) }),
    400,
    'not be longer than 5 characters',
  ],
  [
    'property-bytes',
    5,
    (count) => insert({ properties: [{ key: 'k', value: 'x'.repeat(count - 1) }] }),
    400,
    'not be longer than 5 bytes',
  ],
  ['app-properties', 3, (count) => properties(count, 'PUBLIC'), 400, '3 public, 3 private'],
  ['file-properties', 4, both, 400, '4 properties in all'],
  ['pinned-revisions', 2, pinned, 400, 'at most 2 pinned'],
  ['item-permissions', 2, shared, 400, 'at most 2 others'],
  ['comment-replies', 2, replied, 400, 'at most 2 replies'],
  ['user-channels', 2, watched, 403, 'at most 2 channels'],
  ['user-uploads', 2, begun, 403, 'at most 2 open uploads'],
  [
    'query-bytes',
    20,
    (count) => drive.ask('GET', '/drive/v2/files', { query: { q: `title = '${'x'.repeat(count - 10)}'` } }),
    400,
    'longer than 20 bytes',
  ],
  ['batch-requests', 2, batched, 400, 'at most 2 parts'],
  ['metadata-bytes', 16_384, described, 400, 'longer than 16384 bytes'],
]

describe('a limit', () => {
  test.for(ROWS)('%s', async ([name, value, make, status, words]) => {
    await setLimit(name, value)
    try {
      expect((await make(value)).status).toBe(200)
      const beyond = await make(value + 1)
      expect(beyond.status).toBe(status)
      expect(beyond.json.error.message).toContain(words)
    } finally {
      await setLimit(name, null)
    }
    expect((await make(value + 1)).status).toBe(200)
  })

  test('page-items, generated-ids: more is not refused, but not given', async () => {
    for (const name of ['page-items', 'generated-ids']) await setLimit(name, 2)
    const ask = async (path: string) =>
      (await drive.ask('GET', `/drive/v2/${path}`, { query: { maxResults: 3 } })).json
    expect((await ask('files')).items).toHaveLength(2)
    expect((await ask('files/generateIds')).ids).toHaveLength(2)
    const query = { requestId: 'members', supportsAllDrives: true }
    const { id } = (await post('drives', { name: 'd' }, { query })).json
    for (const at of [1, 2]) {
      const { email } = await people.add(`member${at}@lab.example`)
      await post(`files/${id}/permissions`, { type: 'user', role: 'reader', value: email }, { query })
    }
    const members = await drive.ask('GET', `/drive/v2/files/${id}/permissions`, { query })
    expect(members.json.items).toHaveLength(2)
    expect(members.json.nextPageToken).toBeDefined()
    for (const name of ['page-items', 'generated-ids']) await setLimit(name, null)
    expect((await ask('files')).items).toHaveLength(3)
  })

  test('page-bytes: a page ends before what does not fit, and all of it comes', async () => {
    const parent = await idOf({ mimeType: FOLDER })
    const made: string[] = []
    for (let at = 0; at < 5; at += 1)
      made.push(await idOf({ parents: [{ id: parent }], description: 'x'.repeat(1000) }))
    const file = made[0] ?? ''
    for (let at = 0; at < 5; at += 1) await post(`files/${file}/comments`, { content: `${at}`.repeat(900) })
    const { commentId } = (await drive.ask('GET', `/drive/v2/files/${file}/comments`)).json.items[0]
    for (let at = 0; at < 5; at += 1)
      await post(`files/${file}/comments/${commentId}/replies`, { content: `${at}`.repeat(900) })
    const from = (await drive.ask('GET', '/drive/v2/changes/startPageToken')).json.startPageToken as string
    await each(5, (at) =>
      drive.ask('PATCH', `/drive/v2/files/${made[at] ?? ''}`, { body: { title: `t${at}` } }),
    )
    const lists: [string, Record<string, string>, string][] = [
      ['files', { q: `'${parent}' in parents`, fields: '*' }, 'id'],
      ['changes', { pageToken: from, fields: '*' }, 'fileId'],
      [`files/${file}/comments`, {}, 'commentId'],
      [`files/${file}/comments/${commentId}/replies`, {}, 'replyId'],
    ]
    const pagesOf = async ([path, query, name]: (typeof lists)[number]) => {
      const pages: string[][] = []
      for (let token: string | undefined = query['pageToken'] ?? ''; token !== undefined;) {
        const asked = token === '' ? query : { ...query, pageToken: token }
        const { json } = await drive.ask('GET', `/drive/v2/${path}`, { query: asked })
        pages.push(json.items.map((item: Record<string, string>) => item[name]))
        token = json.nextPageToken
      }
      return pages
    }
    for (const list of lists) {
      const [whole = []] = await pagesOf(list)
      await setLimit('page-bytes', 3000)
      const pages = await pagesOf(list)
      await setLimit('page-bytes', 1)
      const single = await pagesOf(list)
      await setLimit('page-bytes', null)
      expect(pages.length).toBeGreaterThan(1)
      expect(pages.flat()).toEqual(whole)
      expect(single).toEqual(whole.map((one) => [one]))
    }
  })

  test('batch-bytes, batch-milliseconds: what is beyond is to be sent again', async () => {
    const part = 'Content-Type: application/http\n\nGET /drive/v2/about HTTP/1.1\n\n\n'
    const batch = async (parts: number) => {
      const headers = { 'content-type': 'multipart/mixed; boundary=b' }
      const body = `--b\n${part}`.repeat(parts) + '--b--'
      const { text } = await drive.ask('POST', '/batch', { body, headers })
      return [...text.matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => Number(status))
    }
    // this many take more than 1 ms on any machine
    for (const [name, parts] of [
      ['batch-bytes', 3],
      ['batch-milliseconds', 100],
    ] as const) {
      await setLimit(name, 1)
      const answers = await batch(parts)
      const answered = answers.filter((status) => status === 200)
      expect(answers).toEqual([...answered, ...answers.slice(answered.length).map(() => 429)])
      expect([answers.length, answers.at(-1)]).toEqual([parts, 429])
      await setLimit(name, null)
      expect(await batch(3)).toEqual([200, 200, 200])
    }
  })

  test.for([
    ['folder-size', 1, 'There is no limit folder-size'],
    ['toString', 1, 'There is no limit toString'],
    ['folder-depth', 0, 'folder-depth must be a whole number from 1 to 1000'],
    ['folder-depth', 1001, 'from 1 to 1000'],
    ['folder-depth', 1.5, 'from 1 to 1000'],
    ['metadata-bytes', 100, 'from 16384 to'],
  ] as const)('%s cannot be %s', async ([name, value, words]) => {
    await expect(setLimit(name, value)).rejects.toThrow(words)
  })
})

test('limits of requests count from the next start of the service', async () => {
  const limits = { 'body-bytes': 2000, 'header-bytes': 4000, 'header-seconds': 1 }
  const first = await startDrive()
  const { store } = await peopleOf(first)
  for (const [name, value] of Object.entries(limits))
    await command(store, 'setLimit', OPERATOR, { name, value })
  await store.close()
  const body = { description: 'x'.repeat(2000) }
  const ask = (to: Drive) => to.ask('POST', '/drive/v2/files', { body, token: first.token })
  expect((await ask(first)).status).toBe(200)
  await first.stop()
  const second = await startDrive({ folder: first.folder, token: first.token })
  expect((await ask(second)).status).toBe(413)
  const headers = { 'x-long': 'x'.repeat(4000) }
  expect((await second.ask('GET', '/drive/v2/about', { headers })).status).toBe(431)
  const begun = [
    'GET / HTTP/1.1\r\n',
    `POST /drive/v2/files HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${first.token}\r\ncontent-length: 9\r\n\r\n{`,
  ]
  for (const text of begun) {
    const silent = connect(Number(new URL(second.url).port), '127.0.0.1')
    silent.write(text)
    const [answer] = (await once(silent, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /)
    silent.destroy()
  }
  expect(await second.stop()).toBe(0)
})

test('every limit has a test, here or where time passes', () => {
  const elsewhere = [
    'page-items',
    'free-metadata-bytes',
    'generated-ids',
    'list-milliseconds',
    'page-bytes',
    'batch-bytes',
    'batch-milliseconds',
    'body-bytes',
    'header-bytes',
    'header-seconds',
    'session-seconds',
    // test/drive/conversion/convert.test.ts
    'table-bytes',
    'table-milliseconds',
    'refresh-days',
    'sign-in-failures',
    // test/drive/rules.test.ts
    'folder-rules',
    'store-rules',
    'rule-folders',
    'rule-seconds',
    'rule-bytes',
    // test/drive/administration/record.test.ts
    'administration-days',
    // test/drive/api/own-links.test.ts
    'link-days',
    // test/drive/store/access-record.test.ts
    'access-days',
  ]
  const tested = [...ROWS.map(([name]) => name), ...elsewhere, 'upload-days', 'token-seconds']
  expect(tested.toSorted()).toEqual(LIMIT_NAMES.toSorted())
})
