/** Links: "anyone with the link" reads without an account until the link is revoked or expires. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asking, type Drive, startDrive } from '../../support/drive.ts'
import { type People, peopleOf, type Person } from '../../support/people.ts'

let drive: Drive
let people: People
let ada: Person
let bo: Person
const FOLDER = 'application/vnd.google-apps.folder'
beforeAll(async () => {
  drive = await startDrive()
  people = await peopleOf(drive)
  ada = await people.add('ada@lab.example')
  bo = await people.add('bo@lab.example')
})
afterAll(async () => {
  await people.store.close()
  await drive.stop()
})

const guest = (method: string, path: string, asking: Asking = {}) =>
  drive.ask(method, path, { token: undefined, ...asking })
async function stored(title: string, parent = 'root', body = 'x\n'): Promise<string> {
  const { json } = await ada.ask('POST', '/drive/v2/files', {
    body: { title, mimeType: 'text/csv', parents: [{ id: parent }] },
  })
  await ada.ask('PUT', `/upload/drive/v2/files/${json.id}`, { body, headers: { 'content-type': 'text/csv' } })
  return json.id
}
async function folder(title: string, parent = 'root'): Promise<string> {
  const body = { title, mimeType: FOLDER, parents: [{ id: parent }] }
  return (await ada.ask('POST', '/drive/v2/files', { body })).json.id
}
async function open(id: string, more: object = {}): Promise<string> {
  const body = { type: 'anyone', role: 'reader', withLink: true, ...more }
  return (await ada.ask('POST', `/drive/v2/files/${id}/permissions`, { body })).json.id
}
const statuses = async (id: string) => {
  const path = `/drive/v2/files/${id}`
  const asked = [guest('GET', path), guest('GET', `${path}?alt=media`), guest('HEAD', `${path}?alt=media`)]
  return (await Promise.all(asked)).map(({ status }) => status)
}

describe('a file with a link for anyone', () => {
  test('is read without an account, until it is not shared any more', async () => {
    const id = await stored('open.csv')
    expect(await statuses(id)).toEqual([401, 401, 401])
    const permission = await open(id)
    expect(await statuses(id)).toEqual([200, 200, 200])
    const { json } = await guest('GET', `/drive/v2/files/${id}`)
    expect(json).toMatchObject({ title: 'open.csv', alternateLink: `${drive.url}/#file/${id}` })
    expect(JSON.stringify(json)).not.toContain('emailAddress')
    expect((await guest('GET', `/public/${id}`)).json).toEqual({
      isOpen: true,
      sharedBy: 'ada',
      downloadsLeft: null,
    })
    await ada.ask('DELETE', `/drive/v2/files/${id}/permissions/${permission}`)
    expect(await statuses(id)).toEqual([401, 401, 401])
    expect((await guest('GET', `/public/${id}`)).json).toEqual({ isOpen: false })
  })

  test('is downloaded by its webContentLink, in a browser too; others lead to the page', async () => {
    const [id, other] = [await stored('ä.csv', 'root', 'a,b\n'), await stored('closed.csv')]
    await open(id)
    const { webContentLink } = (await guest('GET', `/drive/v2/files/${id}`)).json
    const headers = { accept: 'text/html,*/*' }
    const got = await guest('GET', webContentLink.slice(drive.url.length), { headers })
    expect([got.status, got.text, got.headers.get('content-disposition')]).toEqual([
      200, 'a,b\n', "attachment; filename*=UTF-8''%C3%A4.csv",
    ]) // prettier-ignore
    expect(got.headers.get('content-security-policy')).toBe('sandbox')
    const page = await guest('GET', webContentLink.slice(drive.url.length).replace(id, other), { headers })
    expect([page.status, page.headers.get('location')]).toEqual([302, `/#download/${other}`])
  })

  test('has an end, if one is said', async () => {
    const id = await stored('for a while.csv')
    const permission = await open(id)
    const expirationDate = new Date(Date.now() + 2000).toISOString()
    const path = `/drive/v2/files/${id}/permissions/${permission}`
    expect((await ada.ask('PATCH', path, { body: { expirationDate } })).json.expirationDate).toBe(
      expirationDate,
    )
    expect(await statuses(id)).toEqual([200, 200, 200])
    await expect.poll(() => statuses(id), { timeout: 10_000 }).toEqual([401, 401, 401])
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expirationDate))
  })

  test.for([
    ['PATCH', ''], ['PUT', ''], ['DELETE', ''], ['POST', '/trash'], ['POST', '/touch'], ['POST', '/copy'], ['GET', '/permissions'],
    ['GET', '/revisions'], ['GET', '/comments'], ['POST', '/comments'], ['POST', '/watch'], ['GET', '/properties'], ['GET', '?updateViewedDate=true'],
    ['GET', '?alt=media&revisionId=1'],
  ] as const)('is nothing but read, also as its writer: %s %s', async ([method, below]) => {
    const id = await stored('as a writer.csv')
    await open(id, { role: 'writer' })
    expect((await guest(method, `/drive/v2/files/${id}${below}`, method === 'GET' ? {} : { body: {} })).status).toBe(401)
    // a wrong token is refused, even where the link alone would suffice
    expect((await guest('GET', `/drive/v2/files/${id}`, { token: 'hla_wrong' })).status).toBe(401)
  }) // prettier-ignore

  test('is gone with its trash, and where its downloads are switched off, downloaded by nobody', async () => {
    const id = await stored('kept.csv')
    await open(id)
    await ada.ask('PATCH', `/drive/v2/files/${id}`, { body: { copyRequiresWriterPermission: true } })
    expect((await guest('GET', `/drive/v2/files/${id}?alt=media`)).status).toBe(403)
  })
})

describe('a folder with a link for anyone', () => {
  const list = (
    who: (
      method: string,
      path: string,
      asking?: Asking,
    ) => Promise<{ json: { items?: { title: string }[] }; status: number }>,
    q: string,
  ) =>
    who('GET', '/drive/v2/files', { query: { q, orderBy: 'title' } }).then(
      ({ json, status }) => json?.items?.map(({ title }) => title) ?? status,
    )

  test('shows what is in it, and nothing else', async () => {
    const place = await folder('open')
    const below = await folder('below', place)
    const [id, deep] = [await stored('in it.csv', place), await stored('deep.csv', below)]
    const closed = await folder('closed')
    await stored('in closed.csv', closed)
    const other = await stored('another link.csv')
    await open(other)
    await open(place)
    expect([await statuses(id), await statuses(deep)]).toEqual([[200, 200, 200], [200, 200, 200]])
    expect(await list(guest, `'${place}' in parents and trashed = false`)).toEqual(['below', 'in it.csv'])
    expect(await list(guest, `'${below}' in parents`)).toEqual(['deep.csv'])
    // a file that is open only by a link is in no list
    expect(await list(bo.ask, 'trashed = false')).toEqual([])
    expect(await list(bo.ask, `'${closed}' in parents`)).toEqual([])
    // the folder itself shows them what it shows everybody
    expect(await list(bo.ask, `'${place}' in parents and trashed = false`)).toEqual(['below', 'in it.csv'])
    expect(await list(bo.ask, `title contains 'i' and '${below}' in parents`)).toEqual([])
    expect(await list(bo.ask, `title contains 'deep' and '${below}' in parents`)).toEqual(['deep.csv'])
    expect(await list(bo.ask, `title = 'deep.csv' and '${below}' in parents`)).toEqual(['deep.csv'])
    expect(await list(guest, `'${below}' in parents and title = 'deep.csv'`)).toEqual(['deep.csv'])
    expect(await list(bo.ask, `'${place}' in parents or trashed = false`)).toEqual([])
    for (const q of ['', 'trashed = false', `'${closed}' in parents`, `'${place}' in parents or trashed = false`, `'${place}' in parents and title = 'x' OR trashed = false`, `trashed = false and '${place}' in parents`, `'root' in parents`])
      expect(await list(guest, q)).toBe(401)
    await ada.ask('DELETE', `/drive/v2/files/${place}/permissions/anyone`)
    await ada.ask('DELETE', `/drive/v2/files/${place}/permissions/anyoneWithLink`)
    expect(await list(guest, `'${place}' in parents`)).toBe(401)
    expect(await list(bo.ask, `'${place}' in parents`)).toEqual([])
    expect(await statuses(deep)).toEqual([401, 401, 401])
  }) // prettier-ignore
})

test.for([
  '/drive/v2/files/root',
  '/drive/v2/files',
  '/drive/v2/about',
  '/drive/v2/changes',
  '/drive/v2/files/none',
])('without an account %s is closed', async (path) => {
  expect((await guest('GET', path)).status).toBe(401)
})
