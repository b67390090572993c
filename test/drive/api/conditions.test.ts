/** Conditions of our own (`X-Hla-If`), which the store checks in the transaction of the change; and points. */
import { describe, expect, test } from 'vitest'
import { PROGRAM, type Reply } from '../../support/drive.ts'
import { useSharedStore } from '../../support/people.ts'
import { runHla } from '../../support/run-hla.ts'

const at = useSharedStore()
const { guest } = at
const FILES = '/drive/v2/files'
const FOLDER = 'application/vnd.google-apps.folder'
const FREE = { 'x-hla-if': 'title-free' }
const TAKEN = { status: 412, reason: 'conditionNotMet', location: 'X-Hla-If' }

let count = 0
async function folder(): Promise<string> {
  const body = { title: `folder ${(count += 1)}`, mimeType: FOLDER }
  return (await at.ada.ask('POST', FILES, { body })).json.id
}

const parents = (id: string) => [{ id }]

function insert(parent: string, title: string, headers: Readonly<Record<string, string>> = FREE) {
  return at.ada.ask('POST', FILES, { body: { title, parents: parents(parent) }, headers })
}

function refusalOf({ status, json }: Reply) {
  const [{ reason, location } = { reason: '', location: '' }] = json?.error?.errors ?? []
  return { status, reason, location }
}

const multipart = (parent: string, title: string) => ({
  body: `--b\r\ncontent-type: application/json\r\n\r\n${JSON.stringify({ title, parents: parents(parent) })}\r\n--b\r\ncontent-type: text/plain\r\n\r\nx\r\n--b--`,
  headers: { 'content-type': 'multipart/related; boundary=b', ...FREE },
  query: { uploadType: 'multipart' },
})

describe('title-free', () => {
  /** Ways to give a title in a folder, to an item that is elsewhere under the title `other`. */
  const WAYS: Readonly<Record<string, (parent: string, title: string, other: string) => Promise<Reply>>> = {
    insert: (parent, title) => insert(parent, title),
    copy: (parent, title, other) =>
      at.ada.ask('POST', `${FILES}/${other}/copy`, {
        body: { title, parents: parents(parent) },
        headers: FREE,
      }),
    upload: (parent, title) => at.ada.ask('POST', `/upload${FILES}`, multipart(parent, title)),
    'open a session': (parent, title) =>
      at.ada.ask('POST', `/upload${FILES}`, {
        body: { title, parents: parents(parent) },
        headers: FREE,
        query: { uploadType: 'resumable' },
      }),
    move: (parent, title, other) =>
      at.ada.ask('PATCH', `${FILES}/${other}`, { body: { title, parents: parents(parent) }, headers: FREE }),
    'link as it is called': async (parent, title, other) => {
      await at.ada.ask('PATCH', `${FILES}/${other}`, { body: { title } })
      return at.ada.ask('PATCH', `${FILES}/${other}`, {
        query: { addParents: parent },
        headers: FREE,
        body: {},
      })
    },
  }

  test.each(Object.entries(WAYS))('refuses to %s where an item has the title', async (_, give) => {
    const [parent, elsewhere] = [await folder(), await folder()]
    const other = async () => (await insert(elsewhere, 'other', {})).json.id
    const { id } = (await insert(parent, 'Kept.csv')).json
    expect(refusalOf(await give(parent, 'Kept.csv', await other()))).toEqual(TAKEN)
    // titles are compared as they are written
    expect((await give(parent, 'kept.csv', await other())).status).toBe(200)
    await at.ada.ask('POST', `${FILES}/${id}/trash`)
    expect((await give(parent, 'Kept.csv', await other())).status).toBe(200)
  })

  test('holds in a folder with more items than are compared one by one', async () => {
    const parent = await folder()
    for (let item = 0; item < 230; item += 1) await insert(parent, `item ${item}`, {})
    for (const title of ['item 0', 'item 229']) expect(refusalOf(await insert(parent, title))).toEqual(TAKEN)
    expect((await insert(parent, 'item 230')).status).toBe(200)
    expect((await insert(await folder(), 'item 0')).status).toBe(200)
  })

  test('lets a file keep its title, and a repeated request find its own file', async () => {
    const parent = await folder()
    const { id, etag } = (await insert(parent, 'same.csv')).json
    const headers = { ...FREE, 'if-match': etag }
    expect(
      (await at.ada.ask('PATCH', `${FILES}/${id}`, { body: { title: 'same.csv' }, headers })).status,
    ).toBe(200)
    const [own] = (await at.ada.ask('GET', `${FILES}/generateIds`)).json.ids
    const body = { id: own, title: 'again.csv', parents: parents(parent) }
    const again = () => at.ada.ask('POST', FILES, { body, headers: FREE })
    expect([(await again()).status, refusalOf(await again())]).toEqual([
      200,
      { status: 409, reason: 'fileIdInUse', location: undefined },
    ])
  })

  test('of many at once lets one through', async () => {
    const parent = await folder()
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, way) =>
        way % 2 === 0
          ? (await insert(parent, 'one.csv')).status
          : (await at.ada.ask('POST', `/upload${FILES}`, multipart(parent, 'one.csv'))).status,
      ),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 11 }, () => 412)])
  })

  test('that a session was opened with is checked when it ends', async () => {
    const parent = await folder()
    const opened = await at.ada.ask('POST', `/upload${FILES}`, {
      body: { title: 'late.csv', parents: parents(parent) },
      headers: FREE,
      query: { uploadType: 'resumable' },
    })
    expect((await insert(parent, 'late.csv')).status).toBe(200)
    const location = new URL(opened.headers.get('location') ?? '')
    const ended = await at.ada.ask('PUT', `${location.pathname}${location.search}`, { body: 'x' })
    expect(refusalOf(ended)).toEqual(TAKEN)
  })
})

test('empty refuses to trash a folder that holds an item, but not what is in the trash', async () => {
  const parent = await folder()
  const { id } = (await insert(parent, 'held.csv')).json
  const trash = () => at.ada.ask('POST', `${FILES}/${parent}/trash`, { headers: { 'x-hla-if': 'empty' } })
  expect(refusalOf(await trash())).toEqual(TAKEN)
  await at.ada.ask('POST', `${FILES}/${id}/trash`)
  expect((await trash()).status).toBe(200)
})

describe('path', () => {
  const WAYS: Readonly<
    Record<string, (id: string, headers: Readonly<Record<string, string>>) => Promise<Reply>>
  > = {
    trash: (id, headers) => at.ada.ask('POST', `${FILES}/${id}/trash`, { headers }),
    delete: (id, headers) => at.ada.ask('DELETE', `${FILES}/${id}`, { headers }),
    'take out of a folder': (id, headers) =>
      at.ada.ask('PATCH', `${FILES}/${id}`, { headers, body: {}, query: { removeParents: 'root' } }),
    upload: (id, headers) =>
      at.ada.ask('PUT', `/upload${FILES}/${id}`, { headers, body: 'x', query: { uploadType: 'media' } }),
  }

  const ifAt = (...path: readonly string[]) => ({
    'x-hla-if': `path=${path.map(encodeURIComponent).join('/')}`,
  })
  const patch = (id: string, body: object) => at.ada.ask('PATCH', `${FILES}/${id}`, { body })

  /** `TOP/a, b/50 %/x=y` */
  async function tree() {
    const top = await folder()
    const sub = async (title: string, parent: string): Promise<string> =>
      (await at.ada.ask('POST', FILES, { body: { title, mimeType: FOLDER, parents: parents(parent) } })).json
        .id
    const [one, other] = [await sub('a, b', top), await sub('other', top)]
    const two = await sub('50 %', one)
    const { id } = (await insert(two, 'x=y', {})).json
    return { top, one, two, other, id, headers: ifAt(top, 'a, b', '50 %', 'x=y') }
  }

  type Tree = Awaited<ReturnType<typeof tree>>
  const CHANGES: Readonly<Record<string, (tree: Tree) => Promise<Reply>>> = {
    'was renamed': ({ id }) => patch(id, { title: 'X=Y' }),
    'was moved': ({ id, other }) => patch(id, { parents: parents(other) }),
    'is in a renamed folder': ({ two }) => patch(two, { title: 'b' }),
    'is in a moved folder': ({ two, other }) => patch(two, { parents: parents(other) }),
    'is below a renamed folder': ({ one }) => patch(one, { title: 'b' }),
    'is below a moved folder': ({ one, other }) => patch(one, { parents: parents(other) }),
    'is below a folder in the trash': ({ one }) => at.ada.ask('POST', `${FILES}/${one}/trash`),
  }

  test.each(Object.entries(WAYS))(
    '%s is done at the path, and refused to a file that is elsewhere',
    async (_, act) => {
      const refused = await Promise.all(
        Object.entries(CHANGES).map(async ([way, change]) => {
          const made = await tree()
          expect((await change(made)).status).toBe(200)
          return [way, refusalOf(await act(made.id, made.headers))] as const
        }),
      )
      expect(refused).toEqual(Object.keys(CHANGES).map((way) => [way, TAKEN]))
      const { id, headers } = await tree()
      expect((await act(id, headers)).status).toBeLessThan(300)
    },
  )

  test('holds for each of the paths of a file, from any folder above it', async () => {
    const { id, top, one, two, other } = await tree()
    await at.ada.ask('POST', `${FILES}/${id}/parents`, { body: { id: other } })
    const asked = async (...path: string[]) =>
      `${(await at.ada.ask('PATCH', `${FILES}/${id}`, { body: {}, headers: ifAt(...path) })).status} ${path.join('/')}`
    for (const path of [
      [top, 'a, b', '50 %', 'x=y'],
      [top, 'other', 'x=y'],
      [one, '50 %', 'x=y'],
      [two, 'x=y'],
    ])
      expect(await asked(...path)).toBe(`200 ${path.join('/')}`)
    for (const path of [
      [top, 'x=y'],
      [two, '50 %', 'x=y'],
      [id, 'x=y'],
      ['none', 'x=y'],
    ])
      expect(await asked(...path)).toBe(`412 ${path.join('/')}`)
    const parent = (await at.ada.ask('GET', `${FILES}/root`)).json.id
    const { title } = (await at.ada.ask('GET', `${FILES}/${top}`)).json
    for (const root of [parent, 'root']) expect(await asked(root, title, 'other', 'x=y')).toMatch(/^200/)
  })

  test('is checked with another condition, in either order', async () => {
    const { top, other } = await tree()
    const trash = (condition: string) =>
      at.ada.ask('POST', `${FILES}/${other}/trash`, { headers: { 'x-hla-if': condition } })
    const [here, elsewhere] = [`path=${top}/other`, `path=${top}/others`]
    for (const condition of [`empty, ${elsewhere}`, `${elsewhere},empty`])
      expect(refusalOf(await trash(condition))).toEqual(TAKEN)
    const { id } = (await insert(other, 'held', {})).json
    for (const condition of [`empty, ${here}`, `${here},empty`])
      expect(refusalOf(await trash(condition))).toEqual(TAKEN)
    await at.ada.ask('POST', `${FILES}/${id}/trash`)
    expect((await trash(`${here}, empty`)).status).toBe(200)
  })

  test('shows no title of a folder that the caller does not see', async () => {
    const { id, top } = await tree()
    const { email } = at.bo
    await at.ada.ask('POST', `${FILES}/${id}/permissions`, {
      body: { type: 'user', role: 'writer', value: email },
    })
    const asked = at.bo.ask('PATCH', `${FILES}/${id}`, {
      body: {},
      headers: ifAt(top, 'a, b', '50 %', 'x=y'),
    })
    expect((await asked).status).toBe(412)
  })
})

test('an unknown condition, or one that the operation does not check, is refused', async () => {
  const parent = await folder()
  for (const condition of ['', 'empty', 'title-fre'])
    expect(refusalOf(await insert(parent, 'x', { 'x-hla-if': condition }))).toMatchObject({ status: 400 })
  const wrong = [
    'path',
    'path=',
    'path=/x',
    'xpath=root/x',
    `path=${parent}`,
    'path=a/%',
    'empty,',
    'empty, empty',
    'path=a/b, path=a/b',
  ]
  const refused = wrong.map(async (condition) => {
    const headers = { 'x-hla-if': condition }
    const { status, location } = refusalOf(await at.ada.ask('POST', `${FILES}/${parent}/trash`, { headers }))
    return [condition, status, location]
  })
  expect(await Promise.all(refused)).toEqual(wrong.map((condition) => [condition, 400, 'X-Hla-If']))
  const got = await at.ada.ask('GET', `${FILES}/${parent}`, { headers: FREE })
  expect(refusalOf(got)).toMatchObject({ status: 400, location: 'X-Hla-If' })
})

test('/point names the newest change to callers with a token', async () => {
  const { json } = await at.ada.ask('GET', '/point')
  expect(json).toEqual({ kind: 'hla#point', point: expect.stringMatching(/^[\w-]{16}\.\d+$/) })
  await insert(await folder(), 'later', {})
  const later = await at.ada.ask('GET', '/point', { query: { since: json.point } })
  expect(later.json).toMatchObject({ isInHistory: true })
  expect(later.json.point).not.toBe(json.point)
  const beyond = `${json.point.split('.')[0]}.999999`
  expect((await at.ada.ask('GET', '/point', { query: { since: beyond } })).json).toMatchObject({
    isInHistory: false,
  })
  expect((await at.ada.ask('GET', '/point', { query: { since: 'nonsense' } })).status).toBe(400)
  expect((await guest('GET', '/point')).status).toBe(401)
})

describe('the command line claims a name', () => {
  const hla = (...args: string[]) =>
    runHla(['drive', ...args], {
      cwd: import.meta.dirname,
      env: { HLA_DRIVE_URL: at.drive.url, HLA_DRIVE_TOKEN: at.ada.token },
    })

  test('six parallel put of one name make one file, with a revision of each', async () => {
    const parent = await folder()
    const run = () => hla('put', '-q', PROGRAM, `${parent}/one.cjs`)
    for (const { status, stderr } of await Promise.all(Array.from({ length: 6 }, run)))
      expect([status, stderr]).toEqual([0, expect.not.stringContaining('error')])
    const { items } = (await at.ada.ask('GET', FILES, { query: { q: `'${parent}' in parents` } })).json
    expect(items).toHaveLength(1)
    expect((await at.ada.ask('GET', `${FILES}/${items[0].id}/revisions`)).json.items).toHaveLength(6)
  })

  test('parallel put --new, mkdir and mkdir -p', async () => {
    const parent = await folder()
    const statuses = async (...args: string[]) =>
      (await Promise.all(Array.from({ length: 4 }, () => hla(...args))))
        .map(({ status }) => status)
        .toSorted((a, b) => a - b)
    expect(await statuses('put', '-q', '--new', PROGRAM, `${parent}/new.cjs`)).toEqual([0, 2, 2, 2])
    expect(await statuses('mkdir', `${parent}/made`)).toEqual([0, 2, 2, 2])
    expect(await statuses('mkdir', '-p', `${parent}/a/b`)).toEqual([0, 0, 0, 0])
    const { items } = (await at.ada.ask('GET', FILES, { query: { q: `'${parent}' in parents` } })).json
    expect(items.map(({ title }: { title: string }) => title).toSorted()).toEqual(['a', 'made', 'new.cjs'])
  })
})
