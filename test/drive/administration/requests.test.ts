/** Administration requests: permissions, effects, the record, and secrets that are shown only once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_REQUESTS, ADMIN_ROOT, type AdminRequest } from '../../../src/drive/contract/admin-requests.ts'
import { command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { digestToken, newToken } from '../../../src/drive/domain/accounts/tokens.ts'
import { hashPassword } from '../../../src/drive/domain/sign-in/passwords.ts'
import { signInSource } from '../../../src/drive/domain/accounts/end-tokens.ts'
import { type Asking, type Drive, type Reply, startDrive } from '../../support/drive.ts'
import { type People, peopleOf, type Person } from '../../support/people.ts'
import { randomNumbers } from '../../support/random-numbers.ts'

let drive: Drive
let people: People
/** Token of an administrator, issued to the store's own program. */
let token: string
let admin: Person
let stranger: Person

beforeAll(async () => {
  drive = await startDrive()
  people = await peopleOf(drive)
  admin = await people.add('admin@lab.example', true)
  token = await people.token(admin.pk, ['drive'], 'hla')
  stranger = await people.add('stranger@lab.example')
})
afterAll(() => people.store.close())

const ask = (method: string, path: string, asking: Asking = {}): Promise<Reply> =>
  drive.ask(method, `${ADMIN_ROOT}/${path}`, { token, ...asking })

const PASSWORD = 'correct horse battery'

test('the name of a token can be typed: no option begins like it', () => {
  for (let round = 0; round < 2000; round += 1) expect(digestToken(newToken())).toMatch(/^[^-]/)
})

describe('who may administer', () => {
  const requests = Object.entries<AdminRequest>(ADMIN_REQUESTS)
  let signedIn: string
  const askers: Record<string, { token?: string; status: number }> = {}

  beforeAll(async () => {
    const { pk } = admin
    const { pk: client } = people.store.read.get<{ pk: number }>("SELECT pk FROM clients WHERE id = 'hla'")!
    const given = async (source: string) => {
      const text = newToken()
      const facts = { user: pk, client, scopes: ['drive' as const], kind: 'access' as const, source }
      await command(people.store, 'addToken', OPERATOR, { digest: digestToken(text), ...facts })
      return text
    }
    const refresh = newToken()
    const facts = { user: pk, client, scopes: ['drive' as const], kind: 'refresh' as const }
    await command(people.store, 'addToken', OPERATOR, { digest: digestToken(refresh), ...facts })
    const off = await people.add('off@lab.example', true)
    const offToken = await people.token(off.pk, ['drive'], 'hla')
    await command(people.store, 'changeUser', OPERATOR, { pk: off.pk, isDisabled: true })
    Object.assign(askers, {
      nobody: { token: undefined, status: 401 },
      'a user': { token: stranger.token, status: 403 },
      'a user, by the own program': { token: await people.token(stranger.pk, ['drive'], 'hla'), status: 403 },
      'another program of an administrator': { token: admin.token, status: 403 },
      'an administrator who lets only read': {
        token: await people.token(pk, ['drive.readonly'], 'hla'),
        status: 403,
      },
      'what was given for a refresh token': { token: await given(digestToken(refresh)), status: 403 },
      'an administrator whose access was taken': { token: offToken, status: 401 },
    })
    signedIn = await given(signInSource(pk))
  })

  test.for(requests)('%s', async ([id, { verb, path }]) => {
    const address = path.replaceAll(/:\w+/g, 'nobody@lab.example')
    for (const [who, { token: of, status }] of Object.entries(askers)) {
      const reply = await ask(verb, address, { token: of })
      const expected = id === 'self.get' && status === 403 ? 200 : status
      expect([who, reply.status]).toEqual([who, expected])
      if (expected === 200) expect(reply.json).toEqual({ isAdministrator: false })
    }
  })

  test('an administrator is told so', async () => {
    expect((await ask('GET', 'self')).json).toEqual({ isAdministrator: true })
    expect((await ask('GET', 'self', { token: signedIn })).json).toEqual({ isAdministrator: true })
  })

  test('a cookie counts for the page alone, and no part of a batch does', async () => {
    await command(people.store, 'setPassword', OPERATOR, {
      email: admin.email,
      hash: await hashPassword(PASSWORD),
    })
    const page = { 'x-hla-page': '1' }
    const form = new URLSearchParams({ email: admin.email, password: PASSWORD }).toString()
    const signedIn = await drive.ask('POST', '/sign-in', { body: form, headers: page, token: undefined })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const add = (headers: Record<string, string>) =>
      ask('POST', 'groups', {
        body: { email: 'g@lab.example' },
        headers: { cookie, ...headers },
        token: undefined,
      })
    expect((await add({})).status).toBe(401)
    expect((await add({ 'sec-fetch-site': 'cross-site', ...page })).status).toBe(401)
    expect((await add({ 'sec-fetch-site': 'same-origin' })).status).toBe(401)
    expect((await add({ 'sec-fetch-site': 'same-origin', ...page })).status).toBe(200)
    const batch = `--b\r\nContent-Type: application/http\r\n\r\nGET ${ADMIN_ROOT}/users HTTP/1.1\r\n\r\n\r\n--b--\r\n`
    const batched = await drive.ask('POST', '/batch/drive/v2', {
      body: batch,
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      token,
    })
    expect(batched.text).toContain('HTTP/1.1 400')
    expect(batched.text).not.toContain(admin.email)
    await ask('DELETE', 'groups/g@lab.example')
  })
})

// the last test reads what the others did
describe('an administrator', () => {
  describe('users', () => {
    test('are made with a password, changed, listed by the beginning of the address, and removed', async () => {
      const made = await ask('POST', 'users', {
        body: { email: 'new@lab.example', name: 'Neu', quotaBytes: 1000, password: PASSWORD },
      })
      expect(made.json).toMatchObject({
        email: 'new@lab.example',
        name: 'Neu',
        isAdmin: false,
        isDisabled: false,
        hasPassword: true,
        quotaBytes: 1000,
        usedBytes: 0,
      })
      expect(made.text).not.toContain(PASSWORD)
      expect(made.headers.get('cache-control')).toBe('no-store')
      const changed = await ask('PATCH', 'users/NEW@lab.example', {
        body: { name: 'Nova', isAdmin: true, isDisabled: true, quotaBytes: null, password: '' },
      })
      expect(changed.json).toMatchObject({
        name: 'Nova',
        isAdmin: true,
        isDisabled: true,
        hasPassword: false,
        quotaBytes: null,
      })
      const { json } = await ask('GET', 'users', { query: { prefix: 'NEW' } })
      expect(json.items.map(({ email }: { email: string }) => email)).toEqual(['new@lab.example'])
      expect((await ask('DELETE', 'users/new@lab.example')).status).toBe(204)
      expect((await ask('DELETE', 'users/new@lab.example')).status).toBe(404)
    })

    test('come in pages, each of them once', async () => {
      for (let at = 0; at < 7; at += 1) await people.add(`page-${at}@lab.example`)
      const found: string[] = []
      let pageToken: string | undefined
      do {
        const query = { maxResults: 3, prefix: 'page-', ...(pageToken === undefined ? {} : { pageToken }) }
        const { json } = await ask('GET', 'users', { query })
        expect(json.items.length).toBeLessThanOrEqual(3)
        found.push(...json.items.map(({ email }: { email: string }) => email))
        pageToken = json.nextPageToken
      } while (pageToken !== undefined)
      expect(found).toEqual(Array.from({ length: 7 }, (_, at) => `page-${at}@lab.example`))
    })

    test.for([
      ['tokens', 'x'],
      ['tokens', '1'],
      ['tokens', 'x1.abcdefghij'],
      ['tokens', '1.abcdefghij x'],
      ['tokens', '1234567890123456.abcdefghij'],
      ['log', 'x'],
      ['log', 'x1'],
      ['log', '1x'],
      ['log', '1234567890123456'],
    ] as const)('%s have no page %s', async ([path, pageToken]) => {
      const { status, json } = await ask('GET', path, { query: { pageToken } })
      expect([status, json.error.message]).toEqual([400, expect.stringMatching(/page ?token/i)])
    })

    test.for<[string, string, unknown, number]>([
      ['the address is taken', 'users', { email: 'stranger@lab.example' }, 409],
      ['no address', 'users', { name: 'x' }, 400],
      ['an empty address', 'users', { email: '' }, 400],
      ['not an address', 'users', { email: 'x' }, 400],
      ['a member that is not known', 'users', { email: 'a@lab.example', admin: true }, 400],
      ['a member of another type', 'users', { email: 'a@lab.example', isAdmin: 'yes' }, 400],
      ['a quota below nothing', 'users', { email: 'a@lab.example', quotaBytes: -1 }, 400],
      ['not JSON', 'users', '{', 400],
      ['an array', 'users', [], 400],
    ])('%s: refused, and nobody is made', async ([, path, body, status]) => {
      const reply = await ask('POST', path, { body })
      expect(reply.status).toBe(status)
      expect(reply.json.error.message).not.toBe('')
      expect((await ask('GET', 'users', { query: { prefix: 'a@' } })).json.items).toEqual([])
    })

    test('a password that is too short makes no user', async () => {
      const body = { email: 'short@lab.example', password: 'short' }
      expect((await ask('POST', 'users', { body })).status).toBe(400)
      expect((await ask('GET', 'users', { query: { prefix: 'short' } })).json.items).toEqual([])
    })

    test('who owns files is removed when it is said who gets them', async () => {
      const who = await people.add('leaves@lab.example')
      await who.ask('POST', '/drive/v2/files', { body: { title: 'kept.csv' } })
      const refused = await ask('DELETE', 'users/leaves@lab.example')
      expect([refused.status, refused.json.error.message]).toEqual([
        409,
        expect.stringContaining('files or folders (1)'),
      ])
      const query = { giveTo: stranger.email }
      expect((await ask('DELETE', 'users/leaves@lab.example', { query })).status).toBe(204)
      const { json } = await stranger.ask('GET', '/drive/v2/files', { query: { q: "title = 'kept.csv'" } })
      expect(json.items).toHaveLength(1)
      expect((await who.ask('GET', '/drive/v2/about')).status).toBe(401)
    })
  })

  test('the last administrator stays one', async () => {
    const { json } = await ask('GET', 'users')
    const others = json.items.filter(
      (one: { email: string; isAdmin: boolean }) => one.isAdmin && one.email !== admin.email,
    )
    for (const { email } of others) await ask('PATCH', `users/${email}`, { body: { isAdmin: false } })
    for (const body of [{ isAdmin: false }, { isDisabled: true }]) {
      const reply = await ask('PATCH', `users/${admin.email}`, { body })
      expect([reply.status, reply.json.error.message]).toEqual([
        409,
        'The store would have no administrator left.',
      ])
    }
    expect((await ask('DELETE', `users/${admin.email}`)).status).toBe(409)
    expect((await ask('GET', 'self')).json).toEqual({ isAdministrator: true })
    await ask('PATCH', `users/${stranger.email}`, { body: { isAdmin: true } })
    // two administrators demote each other at once: one of them stays
    const other = await people.token(stranger.pk, ['drive'], 'hla')
    const replies = await Promise.all([
      ask('PATCH', `users/${stranger.email}`, { body: { isAdmin: false } }),
      ask('PATCH', `users/${admin.email}`, { body: { isAdmin: false }, token: other }),
    ])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
    const { pk } = replies[0]?.status === 200 ? admin : stranger
    if (pk === stranger.pk) {
      await ask('PATCH', `users/${admin.email}`, { body: { isAdmin: true }, token: other })
      await ask('PATCH', `users/${stranger.email}`, { body: { isAdmin: false } })
    }
  })

  test('groups are made, changed, filled, emptied and removed', async () => {
    const body = { email: 'typing@lab.example', name: 'Typing' }
    expect((await ask('POST', 'groups', { body })).json).toMatchObject({
      ...body,
      members: 0,
      isDisabled: false,
    })
    const members = [stranger.email, admin.email]
    expect((await ask('POST', 'groups/typing@lab.example/members', { body: { members } })).json.members).toBe(
      2,
    )
    const listed = async () => (await ask('GET', 'groups/typing@lab.example/members')).json.items
    expect((await listed()).map(({ email }: { email: string }) => email)).toEqual(members.toReversed())
    const missing = await ask('POST', 'groups/typing@lab.example/members', {
      body: { members: ['no@lab.example'] },
    })
    expect(missing.status).toBe(404)
    const changed = await ask('PATCH', 'groups/typing@lab.example', { body: { name: 'T', isDisabled: true } })
    expect(changed.json).toMatchObject({ name: 'T', isDisabled: true, members: 2 })
    expect(await listed()).toHaveLength(2)
    expect((await ask('DELETE', `groups/typing@lab.example/members/${stranger.email}`)).status).toBe(204)
    expect(await listed()).toEqual([{ email: admin.email, name: 'admin' }])
    expect((await ask('GET', 'groups')).json.items).toHaveLength(1)
    expect((await ask('DELETE', 'groups/typing@lab.example')).status).toBe(204)
    expect((await ask('GET', 'groups/typing@lab.example/members')).status).toBe(404)
  })

  test('a token is shown once, opens the store, and is revoked', async () => {
    const made = await ask('POST', 'tokens', {
      body: { user: stranger.email, scopes: ['drive.readonly'], label: 'robot', expiresIn: 3600 },
    })
    const { id, token: text, ...facts } = made.json
    expect(facts).toMatchObject({
      user: stranger.email,
      client: 'hla',
      scopes: ['drive.readonly'],
      label: 'robot',
    })
    expect(Date.parse(facts.expires) - Date.parse(facts.created)).toBeGreaterThan(3_590_000)
    expect((await drive.ask('GET', '/drive/v2/about', { token: text })).status).toBe(200)
    const listed = await ask('GET', 'tokens', { query: { user: stranger.email } })
    expect(listed.json.items.map((one: { id: string }) => one.id)).toContain(id)
    expect(listed.text).not.toContain(text)
    expect((await ask('DELETE', `sessions/${id}`)).status).toBe(404)
    expect((await ask('DELETE', `tokens/${id}`)).status).toBe(204)
    expect((await drive.ask('GET', '/drive/v2/about', { token: text })).status).toBe(401)
    expect((await ask('DELETE', `tokens/${id}`)).status).toBe(404)
    const late = await ask('POST', 'tokens', {
      body: { user: stranger.email, scopes: ['drive'], expiresIn: 9_000_000_000_000 },
    })
    expect([late.status, late.json.error.message]).toEqual([
      400,
      'A token that expires can be valid for a hundred years at most.',
    ])
    const unknown = await ask('POST', 'tokens', { body: { user: stranger.email, scopes: ['drive', 'all'] } })
    expect([unknown.status, unknown.json.error.message]).toEqual([400, 'There is no scope all.'])
  })

  test('tokens come the newest first, page by page', async () => {
    const { json } = await ask('GET', 'tokens', { query: { maxResults: 1000 } })
    const all = json.items.map(({ id }: { id: string }) => id)
    const found: string[] = []
    let query: Record<string, string | number> = { maxResults: 2 }
    for (;;) {
      const { json: page } = await ask('GET', 'tokens', { query })
      found.push(...page.items.map(({ id }: { id: string }) => id))
      if (page.nextPageToken === undefined) break
      query = { maxResults: 2, pageToken: page.nextPageToken }
    }
    expect(found).toEqual(all)
    expect(new Set(found).size).toBe(found.length)
    const dates = json.items.map(({ created }: { created: string }) => created)
    expect(dates).toEqual(dates.toSorted().toReversed())
    for (const path of ['tokens', 'sessions', 'log', 'groups/none@lab.example/members'])
      expect((await ask('GET', path, { query: { pageToken: 'x' } })).status).toBeGreaterThanOrEqual(400)
  })

  test('sessions are listed with their programs, and ended', async () => {
    const who = await people.add('session@lab.example')
    await ask('PATCH', `users/${who.email}`, { body: { password: PASSWORD } })
    const form = new URLSearchParams({ email: who.email, password: PASSWORD }).toString()
    const headers = { 'x-hla-page': '1' }
    const { headers: got } = await drive.ask('POST', '/sign-in', { body: form, headers, token: undefined })
    const cookie = got.get('set-cookie')?.split(';')[0] ?? ''
    const about = () =>
      drive.ask('GET', '/drive/v2/about', { headers: { cookie, ...headers }, token: undefined })
    expect((await about()).status).toBe(200)
    const { json } = await ask('GET', 'sessions', { query: { user: who.email } })
    expect(json.items).toEqual([expect.objectContaining({ user: who.email, label: 'signed in on the page' })])
    expect((await ask('DELETE', `sessions/${json.items[0].id}`)).status).toBe(204)
    expect((await about()).status).toBe(401)
  })

  test('limits are listed, set and set back', async () => {
    const limit = async () =>
      (await ask('GET', 'limits')).json.items.find(({ name }: { name: string }) => name === 'folder-depth')
    expect(await limit()).toMatchObject({ value: 100, standard: 100 })
    expect((await ask('PUT', 'limits/folder-depth', { body: { value: 7 } })).json.value).toBe(7)
    expect((await limit()).value).toBe(7)
    expect((await ask('PUT', 'limits/folder-depth', { body: { value: 5000 } })).status).toBe(400)
    expect((await ask('PUT', 'limits/nothing', { body: { value: 1 } })).status).toBe(400)
    expect((await ask('PUT', 'limits/folder-depth', { body: { value: null } })).json.value).toBe(100)
  })

  test('keys of service accounts are listed, put out of use and revoked', async () => {
    await command(people.store, 'addAccount', OPERATOR, {
      email: 'robot@lab.example',
      kid: 'key-1',
      publicKey: 'PEM',
      mayImpersonate: false,
    })
    expect((await ask('GET', 'keys')).json.items).toEqual([
      expect.objectContaining({ id: 'key-1', account: 'robot@lab.example', isDisabled: false }),
    ])
    const changed = await ask('PATCH', 'keys/key-1', { body: { name: 'sequencer', isDisabled: true } })
    expect(changed.json).toMatchObject({ name: 'sequencer', isDisabled: true })
    expect((await ask('DELETE', 'keys/key-1')).status).toBe(204)
    expect((await ask('GET', 'keys')).json.items).toEqual([])
  })

  test('what was administered is written down: by whom, of whom, and no secret', async () => {
    const { json, text } = await ask('GET', 'log', { query: { maxResults: 1000 } })
    const of = (name: string) => json.items.filter((one: { command: string }) => one.command === name)
    expect(of('addUser')).toContainEqual(
      expect.objectContaining({
        by: admin.email,
        subject: 'new@lab.example',
        detail: { email: 'new@lab.example', name: 'Neu', quota: 1000, isAdmin: undefined },
      }),
    )
    expect(of('setPassword')).toContainEqual(
      expect.objectContaining({
        subject: 'new@lab.example',
        detail: { email: 'new@lab.example', password: 'set' },
      }),
    )
    expect(of('setLimit')).toContainEqual(
      expect.objectContaining({ subject: 'folder-depth', detail: { name: 'folder-depth', value: 7 } }),
    )
    const revoked = of('revokeToken').find(
      ({ detail }: { detail: { user?: string } }) => detail.user === stranger.email,
    )
    expect(revoked).toMatchObject({ by: admin.email, subject: expect.stringMatching(/^[\w-]{10}$/) })
    // a refused request changes nothing
    expect(
      of('setLimit').filter(({ detail }: { detail: { value: number } }) => detail.value === 5000),
    ).toEqual([])
    expect(text).not.toContain('scrypt')
    expect(text).not.toContain(PASSWORD)
    const dates = json.items.map(({ date }: { date: string }) => date)
    expect(dates).toEqual(dates.toSorted().toReversed())
  })
})

test('nothing that is sent makes the service fail', async () => {
  const random = randomNumbers(7)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const texts = [
    '',
    'x',
    '\u0000',
    '\u001B[2J',
    'a\tb',
    '%',
    '*',
    '\u{10FFFF}',
    'x'.repeat(2000),
    admin.email,
    '9'.repeat(30),
    '1.x',
    '-1',
  ]
  const values = [...texts, null, true, 0, -1, 1.5, 1e300, 9_007_199_254_740_991, [], ['x'], {}, [null]]
  for (let round = 0; round < 400; round += 1) {
    const [id, { verb, path, query = {}, body = {} }] = pick(Object.entries<AdminRequest>(ADMIN_REQUESTS))
    // these would end the access of the caller
    if (id === 'users.patch' || id === 'users.delete') continue
    const address = path.replaceAll(/:\w+/g, () => encodeURIComponent(pick(texts)))
    const someOf = (fields: object, from: readonly unknown[]) =>
      Object.fromEntries(
        Object.keys(fields)
          .filter(() => random() < 0.7)
          .map((name) => [name, pick(from)]),
      )
    const asked = { query: someOf(query, texts) as Record<string, string>, body: someOf(body, values) }
    const reply = await ask(verb, address, verb === 'GET' ? { query: asked.query } : asked)
    expect([id, asked, reply.status < 500, reply.text]).toEqual([id, asked, true, reply.text])
    if (reply.status >= 400) expect(reply.json.error.message).not.toBe('')
  }
  for (const path of ['users', 'groups', 'tokens', 'sessions', 'keys', 'limits', 'log'])
    expect((await ask('GET', path)).status).toBe(200)
})
