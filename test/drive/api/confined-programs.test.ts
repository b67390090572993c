/** Programs whose scopes confine them to their own files: what they see of all other items (spec 3). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../../src/drive/contract/failure.ts'
import { type Asking, type Drive, startDrive } from '../../support/drive.ts'
import { type People, peopleOf, type Person } from '../../support/people.ts'

let drive: Drive
let people: People
let ada: Person
/** Tokens of one program each, all for the same user. */
let tokens: Readonly<Record<'files' | 'data' | 'otherData' | 'whole', string>>
beforeAll(async () => {
  drive = await startDrive()
  people = await peopleOf(drive)
  ada = await people.add('ada@lab.example')
  tokens = {
    files: await people.token(ada.pk, ['drive.file'], 'files'),
    data: await people.token(ada.pk, ['drive.appdata'], 'data'),
    otherData: await people.token(ada.pk, ['drive.appdata'], 'other data'),
    whole: await people.token(ada.pk, ['drive'], 'whole'),
  }
})
afterAll(() => people.store.close())

type Program = 'files' | 'data' | 'otherData' | 'whole'
const ask = (by: Program, method: string, path: string, asking: Asking = {}) =>
  drive.ask(method, `/drive/v2${path}`, { ...asking, token: tokens[by] })
const insert = async (by: Program, body: object = {}): Promise<string> =>
  (await ask(by, 'POST', '/files', { body: { title: 'a', ...body } })).json.id
const insertData = (by: Program) => insert(by, { parents: [{ id: 'appDataFolder' }] })
const start = async () => (await ask('whole', 'GET', '/changes/startPageToken')).json.startPageToken
const ALL = { supportsAllDrives: true, includeItemsFromAllDrives: true }

/** Ids of changed files; `drive` for shared drives. */
async function told(by: Program, pageToken: string, query: object = {}): Promise<string[]> {
  const { json } = await ask(by, 'GET', '/changes', { query: { ...ALL, pageToken, ...query } })
  return json.items.map(({ type, fileId }: { type: string; fileId: string }) =>
    type === 'drive' ? type : fileId,
  )
}

describe('changes.list', () => {
  test('tells a program of what it made is gone, and of nothing that others made', async () => {
    const [own, other] = [await insert('files'), await insert('whole')]
    const [data, otherData] = [await insertData('data'), await insertData('otherData')]
    const from = await start()
    for (const [by, id] of [
      ['files', own],
      ['whole', other],
      ['data', data],
      ['otherData', otherData],
    ] as const)
      expect((await ask(by, 'DELETE', `/files/${id}`)).status).toBe(204)
    expect(await told('files', from)).toEqual([own])
    expect(await told('whole', from)).toEqual([own, other])
    expect(await told('data', from)).toEqual([])
    expect(await told('data', from, { spaces: 'drive,appDataFolder' })).toEqual([data])
    expect(await told('otherData', from, { spaces: 'appDataFolder' })).toEqual([otherData])
    expect(await told('whole', from, { includeDeleted: false })).toEqual([])
  })

  test('names no shared drives to it, neither theirs that are there nor those that are gone', async () => {
    const from = await start()
    const query = { requestId: 'confined' }
    const { id } = (await ask('whole', 'POST', '/drives', { query, body: { name: 'secret' } })).json
    expect(await told('whole', from)).toEqual(['drive'])
    for (const by of ['files', 'data'] as const) expect(await told(by, from)).toEqual([])
    await ask('whole', 'DELETE', `/drives/${id}`)
    expect(await told('whole', from)).toEqual(['drive'])
    expect(await told('whole', from, { includeDeleted: false })).toEqual([])
    for (const by of ['files', 'data'] as const) expect(await told(by, from)).toEqual([])
  })
})

test.for([[{}], [{ labels: { starred: true } }], [{ lastViewedByMeDate: null }]] as const)(
  'an update with %j shows nothing of a file that others made',
  async ([body]) => {
    const id = await insert('whole', { title: 'secret' })
    for (const method of ['PATCH', 'PUT']) {
      const { status, text } = await ask('files', method, `/files/${id}`, { body })
      expect([status, text.includes('secret')]).toEqual([403, false])
    }
  },
)

test('a shortcut to what others made is refused', async () => {
  const target = await insert('whole', { mimeType: 'text/csv' })
  const mimeType = 'application/vnd.google-apps.shortcut'
  const body = { title: 's', mimeType, shortcutDetails: { targetId: target } }
  const { status, text } = await ask('files', 'POST', '/files', { body })
  expect([status, text.includes('text/csv')]).toEqual([403, false])
})

test('a copy goes to the root where its program may not write the folder of the source', async () => {
  const id = await insert('files')
  const folder = await insert('whole', { mimeType: 'application/vnd.google-apps.folder' })
  const query = { addParents: folder, removeParents: 'root' }
  await ask('whole', 'PUT', `/files/${id}`, { query })
  const { status, json } = await ask('files', 'POST', `/files/${id}/copy`, { body: {} })
  expect([status, json.parents?.map(({ isRoot }: { isRoot: boolean }) => isRoot)]).toEqual([200, [true]])
})

describe('a token of two scopes', () => {
  /** Access of each set of scopes to the program's own file, another program's file, and application data. */
  const reached = async (...scopes: readonly (typeof SCOPES)[number][]) => {
    const token = await people.token(ada.pk, scopes, 'two')
    const by = (method: string, path: string, asking: Asking = {}) =>
      drive.ask(method, path, { ...asking, token })
    const statuses: (readonly [what: string, isDone: boolean])[] = []
    for (const [name, id] of Object.entries(items)) {
      const address = `/drive/v2/files/${id}`
      const answers = {
        get: await by('GET', address),
        content: await by('GET', address, { query: { alt: 'media' } }),
        patch: await by('PATCH', address, { body: { description: 'changed' } }),
        upload: await by('PUT', `/upload${address}`, { query: { uploadType: 'media' }, body: 'new' }),
        parents: await by('GET', `${address}/parents`),
        comment: await by('GET', `${address}/comments`),
      }
      for (const [act, { status }] of Object.entries(answers)) statuses.push([`${act} ${name}`, status < 300])
    }
    const { status, json } = await by('GET', '/drive/v2/files', { query: { spaces: 'drive,appDataFolder' } })
    const listed: string[] = status === 200 ? json.items.map(({ id }: { id: string }) => id) : []
    for (const [name, id] of Object.entries(items)) statuses.push([`list ${name}`, listed.includes(id)])
    return new Set(statuses.filter(([, isDone]) => isDone).map(([what]) => what))
  }
  let items: Readonly<Record<'own' | 'other' | 'data', string>>
  const alone = new Map<string, ReadonlySet<string>>()
  beforeAll(async () => {
    const token = await people.token(ada.pk, ['drive', 'drive.appdata'], 'two')
    const make = async (parent: string) => {
      const body = { title: 'a', parents: [{ id: parent }] }
      return (await drive.ask('POST', '/drive/v2/files', { body, token })).json.id as string
    }
    items = { own: await make('root'), other: await insert('whole'), data: await make('appDataFolder') }
    for (const id of Object.values(items))
      await drive.ask('PUT', `/upload/drive/v2/files/${id}`, {
        query: { uploadType: 'media' },
        body: 'x',
        token,
      })
    for (const scope of SCOPES) alone.set(scope, await reached(scope))
  })

  test('`drive` alone reaches files of every program', () => {
    expect([...(alone.get('drive') ?? [])].filter((what) => what.endsWith('other'))).toHaveLength(7)
  })

  test.for(SCOPES.flatMap((one, at) => SCOPES.slice(at + 1).map((other) => [one, other] as const)))(
    '%s and %s: reaches what each of them reaches, and no more',
    async ([one, other]) => {
      const expected = new Set([...(alone.get(one) ?? []), ...(alone.get(other) ?? [])])
      expect([...(await reached(one, other))].toSorted()).toEqual([...expected].toSorted())
    },
  )
})
