/** How programs get tokens: service accounts and refresh tokens. */
import { beforeAll, describe, expect, test } from 'vitest'
import { printedBy } from '../../support/call-hla.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { beginRequest, replyTo } from '../../support/raw-request.ts'
import { startResumable } from '../../support/resumable.ts'
import { assertion, BEARER, type Credentials, now, tokenRequest } from '../../support/service-account.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

let drive: Drive
let robot: Credentials
let proxy: Credentials
beforeAll(async () => {
  drive = await startDrive()
  const add = async (...args: string[]) =>
    JSON.parse(await hla('account', 'add', '--url', drive.url, ...args)) as Credentials
  robot = await add('robot@lab.example')
  proxy = await add('proxy@lab.example', '--impersonate')
})

const hla = (...args: string[]) => printedBy(['drive', ...args, '--data', drive.folder], { cwd: temp('.') })

const askToken = (form: Record<string, string>, path = '/token') =>
  drive.ask('POST', path, tokenRequest(form))
const about = async (token: string) =>
  (await drive.ask('GET', '/drive/v2/about', { token })).json.user.emailAddress

/** Each row: fault, assertion, error. */
const REFUSED: readonly (readonly [string, () => string, string])[] = [
  ['another signature', () => assertion({ ...robot, private_key: proxy.private_key }), 'invalid_grant'],
  ['an unknown key', () => assertion(robot, {}, { kid: 'none' }), 'invalid_grant'],
  ['another audience', () => assertion(robot, { aud: 'https://elsewhere.example/token' }), 'invalid_grant'],
  ['another issuer', () => assertion(robot, { iss: 'owner@localhost' }), 'invalid_grant'],
  ['the past', () => assertion(robot, { iat: now() - 7200, exp: now() - 3600 }), 'invalid_grant'],
  ['a day', () => assertion(robot, { exp: now() + 86_400 }), 'invalid_grant'],
  ['no scope', () => assertion(robot, { scope: 'email' }), 'invalid_scope'],
  ['scopes that are no text', () => assertion(robot, { scope: ['drive'] }), 'invalid_scope'],
  ['a user that is no text', () => assertion(proxy, { sub: 1 }), 'invalid_grant'],
  [
    'no signature',
    () => `${assertion(robot, {}, { alg: 'none' }).split('.', 2).join('.')}.`,
    'invalid_grant',
  ],
  ['an HMAC', () => assertion(robot, {}, { alg: 'HS256' }), 'invalid_grant'],
  ['nonsense', () => 'x', 'invalid_grant'],
  ['nothing', () => '', 'invalid_grant'],
  ['another user', () => assertion(robot, { sub: 'owner@localhost' }), 'unauthorized_client'],
  ['an unknown user', () => assertion(proxy, { sub: 'nobody@localhost' }), 'unauthorized_client'],
]

describe('a service account', () => {
  test.for(['/token', '/oauth2/v4/token', '/o/oauth2/token'])('gets a token at %s', async (path) => {
    const aud = `${drive.url}${path}`
    const { status, json, headers } = await askToken(
      { grant_type: BEARER, assertion: assertion(robot, { aud }) },
      path,
    )
    expect(status).toBe(200)
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'drive' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await about(json.access_token)).toBe('robot@lab.example')
  })

  test('opens the service for as long as the operator says', async () => {
    await hla('limit', 'set', 'token-seconds=2')
    const { json } = await askToken({ grant_type: BEARER, assertion: assertion(robot) })
    expect(json.expires_in).toBe(2)
    const statusOf = async () =>
      (await drive.ask('GET', '/drive/v2/about', { token: json.access_token })).status
    expect(await statusOf()).toBe(200)
    await hla('limit', 'set', 'token-seconds=standard')
    await expect.poll(statusOf, { timeout: 10_000 }).toBe(401)
  })

  test('has a drive of its own', async () => {
    const { json } = await askToken({ grant_type: BEARER, assertion: assertion(robot) })
    const made = await drive.ask('POST', '/drive/v2/files', {
      token: json.access_token,
      body: { title: 'r' },
    })
    expect(made.json.owners[0].emailAddress).toBe('robot@lab.example')
    expect((await drive.ask('GET', `/drive/v2/files/${made.json.id}`)).status).toBe(404)
  })

  test('may speak for another if it was allowed to', async () => {
    const sub = 'owner@localhost'
    const { json } = await askToken({ grant_type: BEARER, assertion: assertion(proxy, { sub }) })
    expect(await about(json.access_token)).toBe(sub)
  })

  test.for(REFUSED)('is refused with %s', async ([, make, error]) => {
    const { status, json } = await askToken({ grant_type: BEARER, assertion: make() })
    expect([status, json.error]).toEqual([error === 'unauthorized_client' ? 401 : 400, error])
    expect(json).not.toHaveProperty('access_token')
  })
})

describe('a key that is', () => {
  test.for([
    ['disabled', (kid: string) => hla('key', 'set', '--disable', kid)],
    ['rotated', (kid: string) => hla('key', 'rotate', kid)],
    ['revoked', (kid: string) => hla('key', 'revoke', kid)],
    ['of an account that is disabled', () => hla('user', 'set', '--disable', 'clerk@lab.example')],
    ['of an account that is removed', () => hla('account', 'remove', 'clerk@lab.example')],
  ] as const)('%s, opens nothing any more', async ([, end]) => {
    const add = ['account', 'add', '--impersonate', '--url', drive.url, 'clerk@lab.example']
    const clerk = JSON.parse(await hla(...add)) as Credentials
    const sub = 'owner@localhost'
    const given = async () => askToken({ grant_type: BEARER, assertion: assertion(clerk, { sub }) })
    const token = (await given()).json.access_token as string
    expect(await about(token)).toBe(sub)
    await end(clerk.private_key_id)
    expect((await drive.ask('GET', '/drive/v2/about', { token })).status).toBe(401)
    expect((await given()).json.error).toBe('invalid_grant')
    // clean up for the next test
    if ((await hla('account', 'list')).includes('clerk')) await hla('account', 'remove', 'clerk@lab.example')
  })

  test('not a text, is not known', async () => {
    for (const kid of [[], {}, 7, null]) {
      const { status, json } = await askToken({
        grant_type: BEARER,
        assertion: assertion(robot, {}, { kid }),
      })
      expect([status, json.error]).toEqual([400, 'invalid_grant'])
    }
    for (const sub of [[], {}, 7])
      expect((await askToken({ grant_type: BEARER, assertion: assertion(proxy, { sub }) })).json.error).toBe(
        'invalid_grant',
      )
  })
})

describe('a refresh token', () => {
  const create = async (...args: string[]) =>
    (await hla('token', 'create', '--user', 'owner@localhost', '--refresh', ...args)).trim()
  const refresh = (token: string, more = {}) =>
    askToken({ grant_type: 'refresh_token', refresh_token: token, ...more })

  test('gets access tokens, and opens nothing itself', async () => {
    const token = await create()
    expect((await drive.ask('GET', '/drive/v2/about', { token })).status).toBe(401)
    const { json } = await refresh(token)
    expect(await about(json.access_token)).toBe('owner@localhost')
  })

  test('gives no more than it has', async () => {
    const token = await create('--scopes', 'drive.readonly')
    expect((await refresh(token)).json.scope).toBe('drive.readonly')
    for (const scope of ['drive', 'drive drive.readonly', 'drive.readonly drive'])
      expect((await refresh(token, { scope })).json.error).toBe('invalid_scope')
    expect((await refresh(token, { scope: 'email drive.readonly' })).json.scope).toBe('drive.readonly')
  })

  test('of several scopes gives them all', async () => {
    const token = await create('--scopes', 'drive.readonly,drive.file')
    expect((await refresh(token)).json.scope.split(' ').toSorted()).toEqual(['drive.file', 'drive.readonly'])
  })

  test('revoked, is none', async () => {
    const token = await create()
    await askToken({ token }, '/revoke')
    expect((await refresh(token)).json.error).toBe('invalid_grant')
  })
})

describe('a token that is revoked', () => {
  const create = async (...args: string[]) =>
    (await hla('token', 'create', '--user', 'owner@localhost', ...args)).trim()

  test('opens nothing from then on', async () => {
    const token = await create()
    expect(await about(token)).toBe('owner@localhost')
    await askToken({ token }, '/revoke')
    expect((await drive.ask('GET', '/drive/v2/about', { token })).status).toBe(401)
  })

  test.for(['itself', 'the refresh token it was given for'])(
    'as %s, ends the uploads begun with it',
    async (how) => {
      const refresh = await create('--refresh')
      const { json } = await askToken({ grant_type: 'refresh_token', refresh_token: refresh })
      const token: string = json.access_token
      const other = await create()
      const begin = (by: string) => startResumable(drive, { token: by, body: { title: 'secret' } })
      const [done, open, kept] = [await begin(token), await begin(token), await begin(other)]
      expect((await done.send('0-3/4', Buffer.from('done'))).json.title).toBe('secret')
      await askToken({ token: how === 'itself' ? token : refresh }, '/revoke')
      for (const upload of [done, open]) {
        expect((await upload.send('*/*')).status).toBe(410)
        expect((await upload.send('0-3/4', Buffer.from('late'))).status).toBe(410)
      }
      expect((await kept.send('0-3/4', Buffer.from('kept'))).status).toBe(200)
    },
  )
})

test.for([
  [{}, 'invalid_request'],
  [{ grant_type: 'password', username: 'x', password: 'y' }, 'unsupported_grant_type'],
  [{ grant_type: 'refresh_token' }, 'invalid_grant'],
] as const)('%j: %s', async ([form, error]) => {
  const { status, json } = await askToken(form)
  expect([status, json.error]).toEqual([400, error])
})

// last, because the address of the service changes
describe('the address that an assertion is for', () => {
  /** Requests a token at `url`; `headers` may name another host. */
  async function askAt(service: Drive, aud: string, headers: Record<string, string> = {}): Promise<number> {
    const form = { grant_type: BEARER, assertion: assertion(robot, { aud: `${aud}/token` }) }
    const asked = beginRequest(service, 'POST', '/token', {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    })
    asked.end(new URLSearchParams(form).toString())
    return (await replyTo(asked)).status
  }
  const stop = (service: Drive) => service.stop()

  test('is that of the first start, whatever Host says, and at the next one still', async () => {
    const first = drive.url
    expect(await askAt(drive, 'http://evil.example', { host: 'evil.example' })).toBe(400)
    expect(await askAt(drive, first, { host: 'evil.example' })).toBe(200)
    expect(await askAt(drive, first.replace('127.0.0.1', 'localhost'))).toBe(200)
    const copy = temp('backup')
    await hla('backup', copy)
    await stop(drive)
    const again = await startDrive({ folder: drive.folder, token: drive.token })
    expect([await askAt(again, again.url), await askAt(again, first)]).toEqual([400, 200])
    await stop(again)
    const told = await startDrive({
      folder: drive.folder,
      token: drive.token,
      args: ['--public-url', 'https://drive.example.org'],
    })
    const answers = [await askAt(told, first), await askAt(told, 'https://drive.example.org')]
    expect(answers).toEqual([400, 200])
    await stop(told)
    drive = await startDrive({ folder: drive.folder, token: drive.token })
    expect(await askAt(drive, 'https://drive.example.org')).toBe(200)
  })

  test('is to be told to a copy that was restored', async () => {
    const folder = temp('restored')
    await printedBy(['drive', 'restore', temp('backup'), '--data', folder], { cwd: temp('.') })
    const copy = await startDrive({ folder, token: drive.token })
    expect(copy.said()).toContain(
      'hla: warning: service accounts get no tokens: the public address is unknown; set it with --public-url\n',
    )
    expect([await askAt(copy, copy.url), await askAt(copy, drive.url)]).toEqual([400, 400])
    await stop(copy)
    const told = await startDrive({
      folder,
      token: drive.token,
      args: ['--public-url', 'http://copy.example'],
    })
    expect(told.said()).not.toContain('get no tokens')
    expect(await askAt(told, 'http://copy.example')).toBe(200)
    await stop(told)
  })

  test('is not known where the service listens everywhere', async () => {
    const open = await startDrive({ args: ['--host', '0.0.0.0'] })
    expect(open.said()).not.toContain('service accounts')
    const args = ['drive', 'account', 'add', 'r@lab.example', '--url', open.url, '--data', open.folder]
    const own = JSON.parse(await printedBy(args, { cwd: temp('.') })) as Credentials
    const form = { grant_type: BEARER, assertion: assertion(own) }
    const reply = await open.ask('POST', '/token', {
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: undefined,
    })
    expect(reply.json.error_description).toContain('--public-url')
    await stop(open)
  })
})
