/** Trash, copies, folders and properties over HTTP. */
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

const FOLDER = 'application/vnd.google-apps.folder'
const files = '/drive/v2/files'
const ask = (method: string, path: string, asking: Asking = {}) =>
  drive.ask(method, `${files}${path}`, asking)
const insert = async (body: object) => (await ask('POST', '', { body })).json
const folder = (title: string, parents: readonly string[] = []) =>
  insert({ title, mimeType: FOLDER, parents: parents.map((id) => ({ id })) })
const file = (title: string, ...parents: readonly string[]) =>
  insert({ title, parents: parents.map((id) => ({ id })) })
const get = async (id: string) => (await ask('GET', `/${id}`)).json
const idsIn = async (q: string) =>
  (await ask('GET', '', { query: { q } })).json.items.map(({ id }: { id: string }) => id)
const parentsOf = async (id: string) => (await get(id)).parents.map((parent: { id: string }) => parent.id)
const reasonOf = ({ status, json }: Awaited<ReturnType<typeof ask>>) => [status, json.error.errors[0].reason]

describe('the trash', () => {
  test('takes what is in a folder with it, and gives it back', async () => {
    const top = await folder('top')
    const below = await folder('below', [top.id])
    const child = await file('child', below.id)
    const trashed = (await ask('POST', `/${top.id}/trash`)).json
    expect(trashed).toMatchObject({ labels: { trashed: true }, explicitlyTrashed: true })
    expect(await get(child.id)).toMatchObject({ labels: { trashed: true }, explicitlyTrashed: false })
    expect(await idsIn(`'${below.id}' in parents and trashed = true`)).toEqual([child.id])
    const again = (await ask('POST', `/${top.id}/trash`)).json
    expect(again.etag).toBe(trashed.etag)
    const restored = (await ask('POST', `/${top.id}/untrash`)).json
    expect(restored).toMatchObject({ labels: { trashed: false }, explicitlyTrashed: false })
    expect((await get(child.id)).labels.trashed).toBe(false)
  })

  test('leaves alone what has another folder', async () => {
    const [one, other] = [await folder('one'), await folder('other')]
    const child = await file('child', one.id, other.id)
    await ask('POST', `/${one.id}/trash`)
    expect((await get(child.id)).labels.trashed).toBe(false)
    await ask('POST', `/${other.id}/trash`)
    expect((await get(child.id)).labels.trashed).toBe(true)
  })

  test('gives back alone what went with its folder', async () => {
    const top = await folder('top')
    const child = await file('child', top.id)
    await ask('POST', `/${top.id}/trash`)
    const restored = (await ask('POST', `/${child.id}/untrash`)).json
    expect(restored.labels.trashed).toBe(false)
    expect(restored.parents).toMatchObject([{ isRoot: true }])
  })

  test('is a label too', async () => {
    const { id } = await file('labelled')
    const trashed = await ask('PATCH', `/${id}`, { body: { labels: { trashed: true } } })
    expect(trashed.json).toMatchObject({ labels: { trashed: true }, explicitlyTrashed: true })
    const back = await ask('PUT', `/${id}`, { body: { labels: { trashed: false } } })
    expect(back.json.labels.trashed).toBe(false)
  })

  test('does not take the root', async () => {
    expect(reasonOf(await ask('POST', '/root/trash'))).toEqual([403, 'insufficientFilePermissions'])
  })

  test('obeys If-Match', async () => {
    const { id } = await file('watched')
    const reply = await ask('POST', `/${id}/trash`, { headers: { 'if-match': '"stale"' } })
    expect(reasonOf(reply)).toEqual([412, 'conditionNotMet'])
    expect((await get(id)).labels.trashed).toBe(false)
  })

  test('emptied, has nothing left, and what was not in it stays', async () => {
    const top = await folder('top')
    const [child, other] = [await file('child', top.id), await file('other')]
    await ask('POST', `/${top.id}/trash`)
    expect((await ask('DELETE', '/trash')).status).toBe(204)
    expect(await idsIn('trashed = true')).toEqual([])
    for (const { id } of [top, child]) expect((await ask('GET', `/${id}`)).status).toBe(404)
    expect((await ask('GET', `/${other.id}`)).status).toBe(200)
    expect((await ask('DELETE', '/trash')).status).toBe(204)
  })
})

describe('a copy', () => {
  test('has the type, description and properties of the file, and a title of its own', async () => {
    const properties = [
      { key: 'a', value: '1', visibility: 'PUBLIC' },
      { key: 'b', value: '2' },
    ]
    const top = await folder('top')
    const parents = [{ id: top.id }]
    const source = await insert({
      title: 'x.csv',
      mimeType: 'text/csv',
      description: 'd',
      properties,
      parents,
    })
    await ask('PATCH', `/${source.id}`, { body: { labels: { starred: true } } })
    const copy = (await ask('POST', `/${source.id}/copy`, { body: { title: null } })).json
    expect(copy).toMatchObject({
      title: 'Copy of x.csv',
      mimeType: 'text/csv',
      description: 'd',
      md5Checksum: source.md5Checksum,
      labels: { starred: false },
      parents: [{ id: top.id }],
      properties: [
        { key: 'a', visibility: 'PUBLIC' },
        { key: 'b', visibility: 'PRIVATE' },
      ],
    })
    expect(copy.id).not.toBe(source.id)
    const named = (
      await ask('POST', `/${source.id}/copy`, { body: { title: 'y', parents: [{ id: 'root' }] } })
    ).json
    expect(named).toMatchObject({ title: 'y', parents: [{ isRoot: true }] })
  })

  test('of a folder is refused, of a shortcut is a shortcut', async () => {
    const top = await folder('top')
    expect(reasonOf(await ask('POST', `/${top.id}/copy`, { body: {} }))).toEqual([403, 'cannotCopyFile'])
    const mimeType = 'application/vnd.google-apps.shortcut'
    const shortcut = await insert({ title: 's', mimeType, shortcutDetails: { targetId: top.id } })
    const copy = (await ask('POST', `/${shortcut.id}/copy`, { body: {} })).json
    expect(copy).toMatchObject({ mimeType, shortcutDetails: { targetId: top.id } })
  })
})

describe('folders', () => {
  test('children and parents are the same links', async () => {
    const [one, other] = [await folder('one'), await folder('other')]
    const child = await file('child', one.id)
    const link = (await ask('POST', `/${other.id}/children`, { body: { id: child.id } })).json
    const [childLink, parentLink] = [child, other].map(({ id }) => `${drive.url}${files}/${id}`)
    expect(link).toEqual({
      kind: 'drive#childReference',
      id: child.id,
      selfLink: `${parentLink}/children/${child.id}`,
      childLink,
    })
    expect(new Set(await parentsOf(child.id))).toEqual(new Set([one.id, other.id]))
    expect((await ask('GET', `/${other.id}/children/${child.id}`)).json.id).toBe(child.id)
    expect((await ask('GET', `/${child.id}/parents/${other.id}`)).json).toEqual({
      kind: 'drive#parentReference',
      id: other.id,
      isRoot: false,
      selfLink: `${childLink}/parents/${other.id}`,
      parentLink,
    })
    const { items, kind } = (await ask('GET', `/${child.id}/parents`)).json
    expect([kind, items.length]).toEqual(['drive#parentList', 2])
    expect((await ask('DELETE', `/${child.id}/parents/${one.id}`)).status).toBe(204)
    expect((await ask('DELETE', `/${one.id}/children/${child.id}`)).status).toBe(404)
    expect((await ask('DELETE', `/${other.id}/children/${child.id}`)).status).toBe(204)
    expect(await parentsOf(child.id)).toEqual([])
    expect((await ask('GET', `/${child.id}`)).status).toBe(200)
  })

  test('list what is in them, searched and in order, trashed ones too', async () => {
    const top = await folder('top')
    const made: { readonly id: string; readonly title: string }[] = []
    for (const title of ['b', 'c', 'a']) made.push(await file(title, top.id))
    await ask('POST', `/${made[1]?.id}/trash`)
    const titled = async (query: Asking['query']) => {
      const { items } = (await ask('GET', `/${top.id}/children`, { query: { orderBy: 'title', ...query } }))
        .json
      return items.map(({ id }: { id: string }) => made.find((one) => one.id === id)?.title).join('')
    }
    expect(await titled({})).toBe('abc')
    expect(await titled({ q: "title = 'b' or trashed = true" })).toBe('bc')
    const first = (await ask('GET', `/${top.id}/children`, { query: { maxResults: 2, orderBy: 'title' } }))
      .json
    expect(await titled({ maxResults: 2, pageToken: first.nextPageToken })).toBe('c')
    expect((await ask('GET', `/${made[0]?.id}/children`)).json.items).toEqual([])
  })

  test('enforceSingleParent leaves one', async () => {
    const [one, other] = [await folder('one'), await folder('other')]
    const child = await file('child', one.id)
    const query = { enforceSingleParent: true }
    await ask('POST', `/${child.id}/parents`, { body: { id: other.id }, query })
    expect(await parentsOf(child.id)).toEqual([other.id])
    await ask('DELETE', `/${other.id}/children/${child.id}`, { query })
    expect((await get(child.id)).parents).toMatchObject([{ isRoot: true }])
  })

  test('an update moves: by its body, and by addParents and removeParents', async () => {
    const [one, other] = [await folder('one'), await folder('other')]
    const child = await file('child', one.id)
    await ask('PUT', `/${child.id}`, { body: { parents: [{ id: other.id }] } })
    expect(await parentsOf(child.id)).toEqual([other.id])
    await ask('PATCH', `/${child.id}`, { body: { parents: [] } })
    expect(await parentsOf(child.id)).toEqual([other.id])
    const query = { addParents: one.id, removeParents: `${other.id},nothing` }
    await ask('PUT', `/${child.id}`, { body: {}, query })
    expect(await parentsOf(child.id)).toEqual([one.id])
  })

  test('do not go round in circles, nor move roots', async () => {
    const top = await folder('top')
    const below = await folder('below', [top.id])
    const circle = await ask('POST', `/${below.id}/children`, { body: { id: top.id } })
    expect(reasonOf(circle)).toEqual([400, 'badRequest'])
    const itself = await ask('PATCH', `/${top.id}`, { body: { parents: [{ id: top.id }] } })
    expect(reasonOf(itself)).toEqual([400, 'badRequest'])
    const { id } = (await ask('GET', '/root')).json
    const root = await ask('POST', `/${below.id}/children`, { body: { id } })
    expect(root.status).toBe(403)
    expect((await ask('POST', `/${below.id}/children`, { body: {} })).json.error.errors[0]).toMatchObject({
      reason: 'required',
      location: 'id',
    })
  })

  test('a folder in the trash takes in what is moved there', async () => {
    const top = await folder('top')
    const child = await file('child')
    await ask('POST', `/${top.id}/trash`)
    await ask('PUT', `/${child.id}`, { body: { parents: [{ id: top.id }] } })
    expect((await get(child.id)).labels.trashed).toBe(true)
  })
})

test('touch counts as a change', async () => {
  const before = await insert({ title: 't', modifiedDate: '2020-01-01T00:00:00Z' })
  const after = (await ask('POST', `/${before.id}/touch`)).json
  expect(after.modifiedDate > before.modifiedDate).toBe(true)
  expect(after.version).toBe('2')
})

describe('properties', () => {
  test('one key, public and private', async () => {
    const { id } = await file('f')
    const put = (body: object) => ask('POST', `/${id}/properties`, { body })
    expect((await put({ key: 'k', value: 'mine' })).json).toMatchObject({
      kind: 'drive#property',
      key: 'k',
      value: 'mine',
      visibility: 'PRIVATE',
    })
    await put({ key: 'k', value: 'all', visibility: 'PUBLIC' })
    const one = async (visibility: string) =>
      (await ask('GET', `/${id}/properties/k`, { query: { visibility } })).json.value
    expect([await one('private'), await one('Public')]).toEqual(['mine', 'all'])
    expect((await ask('GET', `/${id}/properties`)).json.items).toHaveLength(2)
    const patched = await ask('PATCH', `/${id}/properties/k`, { body: { value: 'new' } })
    expect(patched.json.value).toBe('new')
    const turned = await ask('PUT', `/${id}/properties/k`, { body: { visibility: 'PUBLIC' } })
    expect(reasonOf(turned)).toEqual([400, 'invalid'])
    expect((await ask('DELETE', `/${id}/properties/k`)).status).toBe(204)
    expect(reasonOf(await ask('GET', `/${id}/properties/k`))).toEqual([404, 'notFound'])
    expect(await one('public')).toBe('all')
  })

  test('keys with signs, and If-Match', async () => {
    const { id } = await file('f')
    const { json } = await ask('POST', `/${id}/properties`, { body: { key: 'a/b @c', value: '1' } })
    const path = `/${id}/properties/${encodeURIComponent('a/b @c')}`
    expect((await ask('GET', path)).json.etag).toBe(json.etag)
    const stale = await ask('PUT', path, { body: { value: '2' }, headers: { 'if-match': '"no"' } })
    expect(stale.status).toBe(412)
    const good = await ask('PUT', path, { body: { value: '2' }, headers: { 'if-match': json.etag } })
    expect(good.json.value).toBe('2')
  })
})

test('labels: none are defined', async () => {
  const { id } = await file('f')
  expect((await ask('GET', `/${id}/listLabels`)).json).toEqual({ kind: 'drive#labelList', items: [] })
  const modify = (labelModifications: readonly object[]) =>
    ask('POST', `/${id}/modifyLabels`, { body: { labelModifications } })
  expect((await modify([])).json).toEqual({ kind: 'drive#modifyLabelsResponse', modifiedLabels: [] })
  expect(reasonOf(await modify([{ labelId: 'x' }]))).toEqual([400, 'invalid'])
})

test('export: there are no documents', async () => {
  const { id } = await file('f')
  const query = { mimeType: 'application/pdf' }
  expect(reasonOf(await ask('GET', `/${id}/export`, { query }))).toEqual([400, 'badRequest'])
  expect(reasonOf(await ask('GET', `/${id}/export`))).toEqual([400, 'required'])
  const top = await folder('top')
  expect((await ask('GET', `/${top.id}/export`, { query })).status).toBe(403)
})

test('a property of root is named by the id of the folder, and changed if it is still the same', async () => {
  const path = '/root/properties'
  const { rootFolderId } = (await drive.ask('GET', '/drive/v2/about')).json
  const { etag, selfLink } = (await ask('POST', path, { body: { key: 'alias', value: '1' } })).json
  expect(selfLink).toContain(`/files/${rootFolderId}/`)
  const change = () => ask('PATCH', `${path}/alias`, { body: { value: '2' }, headers: { 'if-match': etag } })
  expect([(await change()).status, (await change()).status]).toEqual([200, 412])
})
