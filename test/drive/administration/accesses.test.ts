/** Who opened, downloaded, shared and changed a file: what is recorded, who may ask, and what a kill loses. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestToken } from '../../../src/drive/domain/accounts/tokens.ts'
import { type Asking, type Drive, startDrive } from '../../support/drive.ts'
import { type People, peopleOf, type Person } from '../../support/people.ts'
import { runHla } from '../../support/run-hla.ts'
import { rounds } from '../../support/rounds.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const FILES = '/drive/v2/files'
const ACCESSES = '/drive/admin/v1/accesses'

let drive: Drive
let people: People
let ada: Person
let bo: Person
let admin: string
beforeAll(async () => {
  drive = await startDrive()
  people = await peopleOf(drive)
  ada = await people.add('ada@lab.example')
  bo = await people.add('bo@lab.example')
  const { pk } = await people.add('admin@lab.example', true)
  admin = await people.token(pk, ['drive'], 'hla')
}, 60_000)
afterAll(async () => {
  await people.store.close()
  await drive.stop()
})

const guest = (method: string, path: string, asking: Asking = {}) =>
  drive.ask(method, path, { token: undefined, ...asking })

async function stored(title: string, parent = 'root'): Promise<string> {
  const metadata = { title, mimeType: 'text/csv', parents: [{ id: parent }] }
  const { json } = await ada.ask('POST', FILES, { body: metadata })
  await ada.ask('PUT', `/upload${FILES}/${json.id}`, {
    body: 'ID,A\n',
    headers: { 'content-type': 'text/csv' },
  })
  return json.id
}

/** As the owner is answered, the oldest first. */
async function accessesOf(file: string, by: Person = ada): Promise<string[]> {
  const { json, status } = await by.ask('GET', ACCESSES, { query: { file, maxResults: 1000 } })
  expect(status).toBe(200)
  return json.items
    .toReversed()
    .map(
      (one: Readonly<Record<'user' | 'link' | 'action' | 'method', string | null>>) =>
        `${one['user'] ?? one['link']} ${one['action']} ${one['method']}`,
    )
}

describe('the record of accesses', () => {
  test('says who opened, downloaded, shared and changed a file', async () => {
    const id = await stored('steps.csv')
    const path = `${FILES}/${id}`
    await ada.ask('POST', `${path}/permissions`, { body: { type: 'user', role: 'writer', value: bo.email } })
    await bo.ask('GET', path)
    await bo.ask('GET', path, { query: { alt: 'media' } })
    await bo.ask('PATCH', path, { body: { description: 'seen' } })
    const copy = (await bo.ask('POST', `${path}/copy`, { body: {} })).json.id
    const revisions = (await bo.ask('GET', `${path}/revisions`)).json.items
    await bo.ask('GET', `${path}/revisions/${revisions[0].id}`, { query: { alt: 'media' } })
    await bo.ask('POST', `${path}/comments`, { body: { content: 'why?' } })
    expect(await accessesOf(id)).toEqual([
      'ada@lab.example change files.insert',
      'ada@lab.example change files.update',
      'ada@lab.example share permissions.insert',
      'bo@lab.example open files.get',
      'bo@lab.example download files.get',
      'bo@lab.example change files.patch',
      'bo@lab.example download files.copy',
      'bo@lab.example open revisions.list',
      'bo@lab.example download revisions.get',
      'bo@lab.example change comments.insert',
    ])
    expect(await accessesOf(copy, bo)).toEqual(['bo@lab.example change files.copy'])
  })

  test('has what was refused nowhere, and what a known content spared as opened', async () => {
    const id = await stored('refused.csv')
    expect((await bo.ask('GET', `${FILES}/${id}`)).status).toBe(404)
    expect((await guest('GET', `${FILES}/${id}`)).status).toBe(401)
    const { headers } = await ada.ask('GET', `${FILES}/${id}`, { query: { alt: 'media' } })
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await ada.ask('GET', `${FILES}/${id}`, { query: { alt: 'media' }, headers: known })).status).toBe(
      304,
    )
    expect((await accessesOf(id)).slice(2)).toEqual([
      'ada@lab.example download files.get',
      'ada@lab.example open files.get',
    ])
  })

  test('names the token by the beginning of its digest, the program, and never the token', async () => {
    const id = await stored('token.csv')
    await ada.ask('GET', `${FILES}/${id}`)
    const { json } = await ada.ask('GET', ACCESSES, { query: { file: id, maxResults: 1 } })
    const [last] = json.items
    expect(last).toMatchObject({
      token: digestToken(ada.token).slice(0, 10),
      user: ada.email,
      times: 1,
      link: null,
    })
    expect(json).toMatchObject({ servers: 1, damaged: 0, lost: 0, nextPageToken: expect.any(String) })
    const folder = join(drive.folder, 'accesses')
    const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(written.join('')).not.toContain(ada.token)
  })

  test('names the link by which somebody without an account came', async () => {
    const body = { title: 'open', mimeType: 'application/vnd.google-apps.folder' }
    const folder = (await ada.ask('POST', FILES, { body })).json.id
    const id = await stored('inside.csv', folder)
    const link = { type: 'anyone', role: 'reader', withLink: true }
    await ada.ask('POST', `${FILES}/${folder}/permissions`, { body: link })
    await guest('GET', `${FILES}/${id}`, { query: { alt: 'media' } })
    expect((await accessesOf(id)).at(-1)).toBe(`${folder} download files.get`)
  })

  test('has uploads in pieces under whom their session is of, and each part of a batch', async () => {
    const asking = { body: { title: 'pieces.csv' }, query: { uploadType: 'resumable' } }
    const begun = await ada.ask('POST', `/upload${FILES}`, asking)
    const session = new URL(begun.headers.get('location') ?? '')
    const { json } = await guest('PUT', `${session.pathname}${session.search}`, { body: 'A\n' })
    const part = `--b\r\ncontent-type: application/http\r\n\r\nGET ${FILES}/${json.id}\r\n\r\n--b--`
    const headers = { 'content-type': 'multipart/mixed; boundary=b' }
    expect((await ada.ask('POST', '/batch/drive/v2', { body: part, headers })).status).toBe(200)
    expect(await accessesOf(json.id)).toEqual([
      'ada@lab.example change files.insert',
      'ada@lab.example open files.get',
    ])
  })

  test('is for the owner, and administrators, also by user and of what was deleted', async () => {
    const id = await stored('asked.csv')
    const path = `${FILES}/${id}`
    const ask = (token: string, query: Record<string, string>) => drive.ask('GET', ACCESSES, { token, query })
    expect((await ask(bo.token, { file: id })).status).toBe(404)
    await ada.ask('POST', `${path}/permissions`, { body: { type: 'user', role: 'writer', value: bo.email } })
    expect((await ask(bo.token, { file: id })).status).toBe(403)
    expect((await ask(ada.token, {})).status).toBe(403)
    expect((await ask(ada.token, { file: id, user: 'bo@lab.example' })).status).toBe(403)
    const readOnly = await people.token(ada.pk, ['drive.readonly'])
    expect((await ask(readOnly, { file: id })).status).toBe(403)
    expect((await ask(ada.token, { file: id, pageToken: 'x' })).status).toBe(400)
    await ada.ask('DELETE', path)
    expect((await ask(ada.token, { file: id })).status).toBe(404)
    const { json } = await ask(admin, { file: id })
    expect(json.items.map((one: { method: string }) => one.method)).toEqual([
      'files.delete',
      'permissions.insert',
      'files.update',
      'files.insert',
    ])
    const mine = await ask(admin, { user: bo.email, maxResults: '1000' })
    expect(new Set(mine.json.items.map((one: { user: string }) => one.user))).toEqual(new Set([bo.email]))
  })

  test('hla drive log --reads prints it', async () => {
    const id = await stored('line.csv')
    const env = { HLA_DRIVE_URL: drive.url, HLA_DRIVE_TOKEN: ada.token }
    const { stdout, status } = await runHla(['drive', 'log', '--reads', '--json', id], {
      cwd: drive.folder,
      env,
    })
    expect(status).toBe(0)
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows.at(-1)).toMatchObject({ by: ada.email, action: 'change', method: 'files.insert' })
  })
})

/** ms: docs/deployment.md says that a kill loses no more. */
const LOST = 1000

test('a kill loses the accesses of the last second at most', { timeout: 600_000 }, async () => {
  const folder = temp('killed')
  let token = ''
  const noted: string[] = []
  for (let round = 0; round < rounds(50); round += 1) {
    const server = await startDrive({ folder, ...(token === '' ? {} : { token }) })
    token = server.token
    const opened: { id: string; answered: number }[] = []
    const begun = performance.now()
    let lastAsked = begun
    const spend = LOST + Math.random() * 400
    while (performance.now() - begun < spend) {
      const { json } = await server.ask('POST', FILES, { body: { title: `round ${round}` } })
      lastAsked = performance.now()
      expect((await server.ask('GET', `${FILES}/${json.id}`)).status).toBe(200)
      opened.push({ id: json.id, answered: performance.now() })
    }
    await server.stop('SIGKILL')
    // the server noted these a second before it answered the last one
    noted.push(...opened.filter(({ answered }) => answered + LOST <= lastAsked).map(({ id }) => id))
  }
  const written = readdirSync(join(folder, 'accesses'))
    .map((name) => readFileSync(join(folder, 'accesses', name), 'utf8'))
    .join('')
  const opens = new Set([...written.matchAll(/"action":"open".*?"file":"([\w-]+)"/g)].map(([, id]) => id))
  expect(noted.length).toBeGreaterThan(0)
  expect(noted.filter((id) => !opens.has(id))).toEqual([])
})
