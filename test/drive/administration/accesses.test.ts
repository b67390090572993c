/** Access record of a file: what is recorded, who may read it, and what a kill loses. */
import { appendFileSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestToken } from '../../../src/drive/domain/accounts/tokens.ts'
import { startDrive } from '../../support/drive.ts'
import { type Person, useSharedStore } from '../../support/people.ts'
import { callHla } from '../../support/call-hla.ts'
import { rounds } from '../../support/rounds.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const FILES = '/drive/v2/files'
const ACCESSES = '/drive/admin/v1/accesses'

const at = useSharedStore()
const { guest, stored } = at

/** Accesses as the owner sees them, oldest first. */
async function accessesOf(file: string, by: Person = at.ada): Promise<string[]> {
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
    await at.ada.ask('POST', `${path}/permissions`, {
      body: { type: 'user', role: 'writer', value: at.bo.email },
    })
    await at.bo.ask('GET', path)
    await at.bo.ask('GET', path, { query: { alt: 'media' } })
    await at.bo.ask('PATCH', path, { body: { description: 'seen' } })
    const copy = (await at.bo.ask('POST', `${path}/copy`, { body: {} })).json.id
    const revisions = (await at.bo.ask('GET', `${path}/revisions`)).json.items
    await at.bo.ask('GET', `${path}/revisions/${revisions[0].id}`, { query: { alt: 'media' } })
    await at.bo.ask('POST', `${path}/comments`, { body: { content: 'why?' } })
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
    expect(await accessesOf(copy, at.bo)).toEqual(['bo@lab.example change files.copy'])
  })

  test('has what was refused nowhere, and what a known content spared as opened', async () => {
    const id = await stored('refused.csv')
    expect((await at.bo.ask('GET', `${FILES}/${id}`)).status).toBe(404)
    expect((await guest('GET', `${FILES}/${id}`)).status).toBe(401)
    const { headers } = await at.ada.ask('GET', `${FILES}/${id}`, { query: { alt: 'media' } })
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect(
      (await at.ada.ask('GET', `${FILES}/${id}`, { query: { alt: 'media' }, headers: known })).status,
    ).toBe(304)
    expect((await accessesOf(id)).slice(2)).toEqual([
      'ada@lab.example download files.get',
      'ada@lab.example open files.get',
    ])
  })

  test('has the image that a list shows as opened, and nothing else that is asked for so', async () => {
    const show = async (id: string, type: string, body: string) => {
      await at.ada.ask('PUT', `/upload${FILES}/${id}`, { body, headers: { 'content-type': type } })
      await at.ada.ask('GET', `${FILES}/${id}`, { query: { alt: 'media', source: 'thumbnail' } })
      return (await accessesOf(id)).at(-1)
    }
    const id = await stored('gel.png')
    expect(await show(id, 'image/png', 'small')).toBe('ada@lab.example open thumbnail')
    expect(await show(id, 'image/png', 'x'.repeat(1_000_001))).toBe('ada@lab.example download files.get')
    expect(await show(id, 'text/csv', 'ID,A\n')).toBe('ada@lab.example download files.get')
  })

  test('has an image that is fetched in pieces as what it is as a whole', async () => {
    const id = await stored('pieces.png')
    const put = (body: string) =>
      at.ada.ask('PUT', `/upload${FILES}/${id}`, { body, headers: { 'content-type': 'image/png' } })
    const piece = async (range: string) => {
      const asking = { query: { alt: 'media', source: 'thumbnail' }, headers: { range: `bytes=${range}` } }
      expect((await at.ada.ask('GET', `${FILES}/${id}`, asking)).status).toBe(206)
      return (await accessesOf(id)).at(-1)
    }
    await put('x'.repeat(1_000_001))
    expect(await piece('0-9')).toBe('ada@lab.example download files.get')
    expect(await piece('900000-')).toBe('ada@lab.example download files.get')
    await put('x'.repeat(1_000_000))
    expect(await piece('0-9')).toBe('ada@lab.example open thumbnail')
  })

  test('names the token by the beginning of its digest, the program, and never the token', async () => {
    const id = await stored('token.csv')
    await at.ada.ask('GET', `${FILES}/${id}`)
    const { json } = await at.ada.ask('GET', ACCESSES, { query: { file: id, maxResults: 1 } })
    const [last] = json.items
    expect(last).toMatchObject({
      token: digestToken(at.ada.token).slice(0, 10),
      user: at.ada.email,
      times: 1,
      link: null,
    })
    expect(json).toMatchObject({ damaged: 0, lost: 0, nextPageToken: expect.any(String) })
    const folder = join(at.drive.folder, 'accesses')
    const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(written.join('')).not.toContain(at.ada.token)
  })

  test('names the link by which somebody without an account came', async () => {
    const body = { title: 'open', mimeType: 'application/vnd.google-apps.folder' }
    const folder = (await at.ada.ask('POST', FILES, { body })).json.id
    const id = await stored('inside.csv', folder)
    const link = { type: 'anyone', role: 'reader', withLink: true }
    await at.ada.ask('POST', `${FILES}/${folder}/permissions`, { body: link })
    await guest('GET', `${FILES}/${id}`, { query: { alt: 'media' } })
    expect((await accessesOf(id)).at(-1)).toBe(`${folder} download files.get`)
    const listed = await guest('GET', FILES, { query: { q: `'${folder}' in parents` } })
    expect(listed.json.items).toHaveLength(1)
    expect((await accessesOf(folder)).at(-1)).toBe(`${folder} open files.list`)
    // a list of an account is about no single folder
    await at.ada.ask('GET', FILES, { query: { q: `'${folder}' in parents` } })
    expect(await accessesOf(folder)).not.toContain('ada@lab.example open files.list')
    const own = await at.ada.ask('POST', '/links', { body: { file: folder } })
    const entered = await guest('GET', `/link/${own.json.id}`)
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    await guest('GET', FILES, { query: { q: `'${folder}' in parents` }, headers: { cookie } })
    // the folder is open to anyone, which comes before the link
    expect((await accessesOf(folder)).at(-1)).toContain('open files.list')
  })

  test('has uploads in pieces under whom their session is of, and each part of a batch', async () => {
    const asking = { body: { title: 'pieces.csv' }, query: { uploadType: 'resumable' } }
    const begun = await at.ada.ask('POST', `/upload${FILES}`, asking)
    const session = new URL(begun.headers.get('location') ?? '')
    const { json } = await guest('PUT', `${session.pathname}${session.search}`, { body: 'A\n' })
    const part = `--b\r\ncontent-type: application/http\r\n\r\nGET ${FILES}/${json.id}\r\n\r\n--b--`
    const headers = { 'content-type': 'multipart/mixed; boundary=b' }
    expect((await at.ada.ask('POST', '/batch/drive/v2', { body: part, headers })).status).toBe(200)
    expect(await accessesOf(json.id)).toEqual([
      'ada@lab.example change files.insert',
      'ada@lab.example open files.get',
    ])
    const { items } = (await at.ada.ask('GET', ACCESSES, { query: { file: json.id } })).json
    const token = digestToken(at.ada.token).slice(0, 10)
    expect(items.map((one: { token: string }) => one.token)).toEqual([token, token])
  })

  test('is for the owner, and administrators, also by user and of what was deleted', async () => {
    const id = await stored('asked.csv')
    const path = `${FILES}/${id}`
    const ask = (token: string, query: Record<string, string>) =>
      at.drive.ask('GET', ACCESSES, { token, query })
    expect((await ask(at.bo.token, { file: id })).status).toBe(404)
    await at.ada.ask('POST', `${path}/permissions`, {
      body: { type: 'user', role: 'writer', value: at.bo.email },
    })
    expect((await ask(at.bo.token, { file: id })).status).toBe(403)
    expect((await ask(at.ada.token, {})).status).toBe(403)
    expect((await ask(at.ada.token, { file: id, user: 'bo@lab.example' })).status).toBe(403)
    const readOnly = await at.people.token(at.ada.pk, ['drive.readonly'])
    expect((await ask(readOnly, { file: id })).status).toBe(403)
    expect((await ask(at.ada.token, { file: id, pageToken: 'x' })).status).toBe(400)
    await at.ada.ask('DELETE', path)
    expect((await ask(at.ada.token, { file: id })).status).toBe(404)
    const { json } = await ask(at.admin, { file: id })
    expect(json.items.map((one: { method: string }) => one.method)).toEqual([
      'files.delete',
      'permissions.insert',
      'files.update',
      'files.insert',
    ])
    const mine = await ask(at.admin, { user: at.bo.email, maxResults: '1000' })
    expect(new Set(mine.json.items.map((one: { user: string }) => one.user))).toEqual(new Set([at.bo.email]))
  })

  test('hla drive log --reads prints it', async () => {
    const id = await stored('line.csv')
    const env = { HLA_DRIVE_URL: at.drive.url, HLA_DRIVE_TOKEN: at.ada.token }
    const print = () => callHla(['drive', 'log', '--reads', '--json', id], { cwd: at.drive.folder, env })
    const { stdout, stderr, status } = await print()
    expect([status, stderr]).toEqual([0, ''])
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows.at(-1)).toMatchObject({ by: at.ada.email, action: 'change', method: 'files.insert' })
    const record = join(at.drive.folder, 'accesses')
    appendFileSync(join(record, readdirSync(record).toSorted().at(-1) ?? ''), 'nonsense\n')
    const again = await print()
    // the command itself opened the file once more
    expect(again.stdout.endsWith(stdout)).toBe(true)
    expect(again.stderr).toMatch(/^hla: warning: unreadable lines in the access log: 1 \[damaged-record\]$/m)
    expect(again.stderr).not.toContain('lost-accesses')
  })
})

/** ms of records that a kill may lose, as docs/deployment.md states. */
const LOST = 1000

test('a kill loses the accesses of the last second at most', { timeout: 600_000 }, async () => {
  const folder = temp('killed')
  let token = ''
  const noted: string[] = []
  for (let round = 0; round < rounds(50, 5); round += 1) {
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
    // the server noted these at least a second before its last answer
    noted.push(...opened.filter(({ answered }) => answered + LOST <= lastAsked).map(({ id }) => id))
  }
  const written = readdirSync(join(folder, 'accesses'))
    .map((name) => readFileSync(join(folder, 'accesses', name), 'utf8'))
    .join('')
  const opens = new Set([...written.matchAll(/"action":"open".*?"file":"([\w-]+)"/g)].map(([, id]) => id))
  expect(noted.length).toBeGreaterThan(0)
  expect(noted.filter((id) => !opens.has(id))).toEqual([])
})
