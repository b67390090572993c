/** Whole answers of the routes beside the files: links, tokens, administration, conditions, health. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestToken, newToken } from '../../../src/drive/domain/accounts/tokens.ts'
import { OPERATOR, command } from '../../../src/drive/domain/commands.ts'
import type { Asking, Reply } from '../../support/drive.ts'
import { quickHash, serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
let his = ''
let bo = 0
beforeAll(async () => {
  drive = await serveHere(temp('store'))
  const { store } = drive
  bo = (await command(store, 'addUser', OPERATOR, { email: 'bo@example.org', name: 'Bo' })).pk
  his = await tokenFor(bo, ['drive'], 'access')
  await command(store, 'addClient', OPERATOR, { id: 'desk', redirects: ['http://localhost'] })
})
afterAll(() => drive.stop())

async function tokenFor(
  user: number,
  scopes: ('drive' | 'drive.readonly' | 'drive.file')[],
  kind: 'access' | 'refresh',
  more = {},
) {
  const token = newToken()
  await command(drive.store, 'addToken', OPERATOR, {
    digest: digestToken(token),
    user,
    client: 1,
    scopes,
    kind,
    ...more,
  })
  return token
}
const insert = async (body: object = {}) =>
  (await drive.ask('POST', '/drive/v2/files', { body: { title: 'a', ...body } })).json.id as string
function refusal({ status, json }: Reply): string {
  const { reason, location, message } = json.error.errors[0]
  return `${[status, reason, location].filter((one) => one !== undefined).join(' ')}: ${message}`
}
const form = (path: string, fields: Readonly<Record<string, string>>) =>
  drive.ask('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    token: undefined,
  })

describe('a link', () => {
  const make = (body: object, asking: Asking = {}) => drive.ask('POST', '/links', { body, ...asking })

  test.for<[name: string, body: object, expected: string]>([
    ['without a file', {}, '400 required file: Required parameter: file'],
    ['with an empty file', { file: '' }, '400 required file: Required parameter: file'],
    ['with more', { file: 'x', title: 'y' }, '400 invalid title: Unknown member of a link: title.'],
    [
      'with a number as its password',
      { file: 'x', password: 1 },
      '400 parseError: Parse Error: password must be a string',
    ],
    ...[0, -1, 1.5, '2'].map((mostDownloads): [string, object, string] => [
      `of ${JSON.stringify(mostDownloads)} downloads`,
      { file: 'x', mostDownloads },
      '400 invalid mostDownloads: mostDownloads must be a whole number above 0.',
    ]),
    ...['soon', 5].map((expires): [string, object, string] => [
      `that ends ${expires}`,
      { file: 'x', expires },
      '400 invalid expires: expires must be a date, such as 2027-01-31T12:00:00Z, or null.',
    ]),
    ['to what is not there', { file: 'x' }, '404 notFound fileId: File not found: x'],
  ])('%s is refused', async ([, body, expected]) => {
    expect(refusal(await make(body))).toBe(expected)
  })

  test('is listed with all that it allows, until it is closed', async () => {
    const file = await insert({ title: 'b' })
    const expires = new Date(Date.now() + 3_600_000).toISOString()
    const made = await make({ file, mostDownloads: 2, expires })
    const link = {
      id: expect.stringMatching(/^link-[\w-]{24}$/) as unknown,
      file,
      title: 'b',
      role: 'reader',
      address: `${drive.url}/link/${made.json.id}`,
      created: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      expires,
      maker: 'owner@localhost',
      hasPassword: false,
      downloads: 0,
      mostDownloads: 2,
    }
    expect(made.json).toEqual(link)
    const list = async (query = {}, token = drive.token) =>
      (await drive.ask('GET', '/links', { query, token })).json
    expect(await list()).toEqual({ kind: 'hla#linkList', items: [link] })
    expect(await list({}, his)).toEqual({ kind: 'hla#linkList', items: [] })
    expect((await list({ all: true })).items).toHaveLength(1)
    expect(refusal(await drive.ask('GET', '/links', { query: { all: true }, token: his }))).toMatch(
      /^403 forbidden: Only an administrator/,
    )
    await drive.ask('POST', `/drive/v2/files/${file}/permissions`, {
      body: { type: 'anyone', role: 'reader', withLink: true },
    })
    expect((await list()).items[0]).toMatchObject({
      address: `${drive.url}/#file/${file}`,
      hasPassword: false,
    })
    expect((await drive.ask('DELETE', `/links/${made.json.id}`)).status).toBe(204)
    expect((await list()).items).toHaveLength(1)
  })

  test('needs a token of all files', async () => {
    const token = await tokenFor(bo, ['drive.file'], 'access')
    const expected = '403 insufficientPermissions: Request had insufficient authentication scopes.'
    expect(refusal(await make({ file: 'x' }, { token }))).toBe(expected)
    expect(refusal(await drive.ask('GET', '/links', { token }))).toBe(expected)
  })

  test('opens its file to programs and to browsers, and another opens nothing', async () => {
    const [file, folder] = [await insert(), await insert({ mimeType: 'application/vnd.google-apps.folder' })]
    const open = (id: string, asking: Asking = {}) =>
      drive.ask('POST', `/link/${id}`, {
        token: undefined,
        body: {},
        headers: { 'content-type': 'application/json' },
        ...asking,
      })
    const { id } = (await make({ file })).json
    const entered = await open(id)
    expect(entered.json).toEqual({ file, title: 'a', expires: null })
    expect(entered.headers.get('cache-control')).toBe('no-store')
    expect(entered.headers.get('referrer-policy')).toBe('no-referrer')
    const page = async (name: string) => {
      const { status, headers, text } = await drive.ask('GET', `/link/${name}`, { token: undefined })
      return [status, headers.get('location'), text]
    }
    expect((await page(id)).slice(0, 2)).toEqual([303, `/#file/${file}`])
    expect((await page((await make({ file: folder })).json.id)).slice(0, 2)).toEqual([
      303,
      `/#folder/${folder}`,
    ])
    const [status, , text] = await page('link-x')
    expect([status, text]).toEqual([
      404,
      expect.stringContaining(
        '<p>This link does not exist, or has ended. Ask the person who sent it for another one.</p>',
      ) as unknown,
    ])
    expect(text).toContain('No such link')
    expect(refusal(await open('link-x'))).toBe('404 notFound: This link does not exist, or has ended.')
  })

  test('with a password opens with it alone', async () => {
    const file = await insert()
    const user = drive.store.read.get<{ pk: number }>('SELECT pk FROM principals WHERE is_admin = 1')?.pk ?? 0
    const link = { file, hash: quickHash('correct horse battery'), downloads: null, expires: null }
    const { id } = await command(drive.store, 'openLink', { user, client: 1, scopes: ['drive'] }, link)
    const { items } = (await drive.ask('GET', '/links')).json
    const listed = items.filter((one: { hasPassword: boolean }) => one.hasPassword)
    expect(listed).toMatchObject([{ id, file, downloads: 0, mostDownloads: null, expires: null }])
    const open = (body: unknown, type = 'application/json') =>
      drive.ask('POST', `/link/${id}`, { token: undefined, body, headers: { 'content-type': type } })
    for (const body of [{}, { password: 'x' }, { password: 1 }])
      expect(refusal(await open(body))).toBe('401 authError: The password is wrong.')
    const asked = await drive.ask('GET', `/link/${id}`, { token: undefined })
    expect(asked.status).toBe(200)
    for (const text of [
      'This link has a password',
      '<label for="password">Password</label>',
      'Open</button>',
      'The person who sent you the link knows it.',
    ])
      expect(asked.text).toContain(text)
    expect(asked.text).not.toContain('wrong')
    const wrong = await open('password=x', 'application/x-www-form-urlencoded')
    expect([wrong.status, wrong.text]).toEqual([
      401,
      expect.stringContaining('The password is wrong.') as unknown,
    ])
    const right = await open('password=correct+horse+battery', 'application/x-www-form-urlencoded')
    expect([right.status, right.headers.get('location')]).toEqual([303, `/#file/${file}`])
    expect((await open({ password: 'correct horse battery' })).json).toEqual({
      file,
      title: 'a',
      expires: null,
    })
  })
})

describe('/token', () => {
  const JWT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  test.for<
    [name: string, fields: Record<string, string>, status: number, error: string, description: string]
  >([
    ['nothing', {}, 400, 'invalid_request', 'grant_type is missing'],
    [
      'another grant',
      { grant_type: 'password' },
      400,
      'unsupported_grant_type',
      'tokens are given for authorization_code, device_code, jwt-bearer and refresh_token',
    ],
    [
      'no token',
      { grant_type: 'refresh_token' },
      400,
      'invalid_grant',
      'there is no such refresh token, or it has expired',
    ],
    [
      'an assertion before the address is known',
      { grant_type: JWT, assertion: 'x' },
      400,
      'invalid_grant',
      'the service does not know its address: the operator must set --public-url',
    ],
    [
      'no code',
      { grant_type: 'authorization_code', client_id: 'desk' },
      400,
      'invalid_request',
      'code is missing',
    ],
    [
      'a code that is none',
      { grant_type: 'authorization_code', client_id: 'desk', code: 'x' },
      400,
      'invalid_grant',
      'there is no such code',
    ],
    [
      'no code of a device',
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: 'desk' },
      400,
      'invalid_request',
      'device_code is missing',
    ],
    [
      'a code of no device',
      { grant_type: 'http://oauth.net/grant_type/device/1.0', client_id: 'desk', code: 'x' },
      400,
      'invalid_grant',
      'there is no such device_code',
    ],
  ])('refuses %s', async ([, fields, status, error, description]) => {
    const reply = await form('/token', fields)
    expect([reply.status, reply.json]).toEqual([status, { error, error_description: description }])
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })

  test('gives a token for a refresh token, with the scopes that are asked of it', async () => {
    const refresh_token = await tokenFor(bo, ['drive', 'drive.readonly'], 'refresh')
    const ask = (more = {}, path = '/token') =>
      form(path, { grant_type: 'refresh_token', refresh_token, ...more })
    const given = (scope: string) => ({
      access_token: expect.any(String) as unknown,
      token_type: 'Bearer',
      expires_in: 3600,
      scope,
    })
    for (const path of ['/token', '/oauth2/v4/token', '/o/oauth2/token'])
      expect((await ask({ scope: '' }, path)).json).toEqual(given('drive drive.readonly'))
    const narrow = await ask({ scope: 'https://www.googleapis.com/auth/drive.readonly' })
    expect(narrow.json).toEqual(given('https://www.googleapis.com/auth/drive.readonly'))
    const token = narrow.json.access_token as string
    expect((await drive.ask('GET', '/drive/v2/about', { token })).status).toBe(200)
    expect((await drive.ask('POST', '/drive/v2/files', { token, body: {} })).status).toBe(403)
    const refused = { error: 'invalid_scope', error_description: 'the refresh token has no such scope' }
    for (const scope of ['moon', 'drive.file', 'drive drive.file'])
      expect((await ask({ scope })).json).toEqual(refused)
    expect((await ask({ client_id: 'unknown' })).status).toBe(200)
    expect((await ask({ client_id: 'desk' })).json).toEqual({
      error: 'invalid_grant',
      error_description: 'the refresh token belongs to another program',
    })
  })

  test('gives a token for no time after the refresh token has ended or is revoked', async () => {
    const refused = {
      error: 'invalid_grant',
      error_description: 'there is no such refresh token, or it has expired',
    }
    const ask = async (refresh_token: string) =>
      (await form('/token', { grant_type: 'refresh_token', refresh_token })).json
    expect(await ask(await tokenFor(bo, ['drive'], 'refresh', { expires: Date.now() - 1 }))).toEqual(refused)
    const token = await tokenFor(bo, ['drive'], 'refresh')
    const { access_token: access } = await ask(token)
    expect(await ask(access)).toEqual(refused)
    expect([(await form('/revoke', {})).json, (await form('/revoke', { token })).json]).toEqual([{}, {}])
    expect(await ask(token)).toEqual(refused)
    expect((await drive.ask('GET', '/drive/v2/about', { token: access })).status).toBe(401)
  })
})

describe('a condition of the header X-Hla-If', () => {
  test.for<[method: string, path: string, condition: string, expected: string | undefined]>([
    ['POST', '', 'title-free', undefined],
    ['POST', '', 'empty', 'Unknown condition of files.insert: empty'],
    ['POST', '', 'x', 'Unknown condition of files.insert: x'],
    ['POST', '', 'title-free, title-free', 'Unknown condition of files.insert: title-free'],
    ['PATCH', '/ID', 'title-free,path=root/a', undefined],
    ['PATCH', '/ID', 'path=root', 'Unknown condition of files.patch: path=root'],
    ['PATCH', '/ID', 'path=root/%', 'Unknown condition of files.patch: path=root/%'],
    ['PATCH', '/ID', 'xpath=root/a', 'Unknown condition of files.patch: xpath=root/a'],
    ['POST', '/ID/trash', ' empty ', undefined],
    ['POST', '/ID/trash', 'title-free', 'Unknown condition of files.trash: title-free'],
    ['POST', '/ID/copy', 'path=root/a', 'Unknown condition of files.copy: path=root/a'],
    ['POST', '/ID/copy', 'title-free', undefined],
    ['GET', '/ID', 'empty', 'Unknown condition of files.get: empty'],
  ])('%s %s %s', async ([method, path, condition, expected]) => {
    const parent = await insert({ mimeType: 'application/vnd.google-apps.folder' })
    const title = `t${parent}`
    const id = await insert({ title })
    const headers = { 'x-hla-if': condition.replace('root/a', `root/${title}`) }
    const body = method === 'GET' ? {} : { body: { title: `n${parent}` } }
    const reply = await drive.ask(method, `/drive/v2/files${path.replace('ID', id)}`, { headers, ...body })
    if (expected === undefined) return expect(reply.status).toBe(200)
    expect(refusal(reply)).toBe(`400 invalid X-Hla-If: ${expected.replace('root/a', `root/${title}`)}`)
    expect(reply.json.error.errors[0].locationType).toBe('header')
  })
})

describe('health', () => {
  test('is told to all, and numbers to administrators', async () => {
    const get = (path: string, token?: string) => drive.ask('GET', path, { token })
    expect((await get('/healthz')).json).toEqual({ status: 'ok' })
    expect((await get('/readyz')).json).toEqual({ status: 'ready' })
    expect(refusal(await get('/metrics', his))).toBe('403 forbidden: Metrics are for administrators.')
    const { headers, text } = await get('/metrics', drive.token)
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const { largestChangeId } = (await drive.ask('GET', '/drive/v2/about')).json
    const lines = text.split('\n')
    for (const line of [
      '# HELP hla_drive_info Version of hla that runs the store.',
      '# TYPE hla_drive_info gauge',
      '# HELP hla_drive_changes_total Changes written.',
      '# TYPE hla_drive_changes_total counter',
      `hla_drive_changes_total ${largestChangeId}`,
      '# HELP hla_drive_contents_up Whether the contents can be reached.',
      'hla_drive_contents_up 1',
      '# HELP hla_drive_disk_full Whether the disk is so full that only deletions and revocations are accepted.',
      'hla_drive_disk_full 0',
      '# HELP hla_drive_disk_free_bytes Free bytes on the disks of the database and of the contents.',
      '# TYPE hla_drive_disk_free_bytes gauge',
      '# HELP hla_drive_channels Push channels that are open.',
      'hla_drive_channels 0',
      '# HELP hla_drive_notifications_waiting Channel messages not yet accepted by the receiver.',
      'hla_drive_notifications_waiting 0',
      '# HELP hla_drive_notifications_total Messages sent, by outcome.',
      '# TYPE hla_drive_notifications_total counter',
    ])
      expect(lines).toContain(line)
    expect(text).toMatch(/^hla_drive_info\{version="\d+\.\d+\.\d+[^"]*"\} 1$/m)
    expect(text).toMatch(/^hla_drive_disk_free_bytes\{of="\w+"\} [1-9]\d*$/m)
    expect(text.endsWith('\n')).toBe(true)
  })
})
