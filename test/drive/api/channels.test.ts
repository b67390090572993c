/** Push channels over HTTP: open, notify, stop. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { packageVersion } from '../../../src/package-root.ts'
import { type Asking, type Drive, startDrive } from '../../support/drive.ts'
import { type Hooks, startHooks, type Taken } from '../../support/hooks.ts'
import { callHla } from '../../support/call-hla.ts'
import { samplesOf } from '../../support/samples.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

let drive: Drive
let hooks: Hooks
/** Statuses to answer in turn before 200, by request path. */
const answers = new Map<string, number[]>()
beforeAll(async () => {
  hooks = await startHooks(({ path }) => answers.get(path)?.shift() ?? 200)
  drive = await startDrive({ args: ['--allow-local-notifications'] })
})

const insert = async (body: object = {}) => (await drive.ask('POST', '/drive/v2/files', { body })).json.id
const patch = (id: string, body: object) => drive.ask('PATCH', `/drive/v2/files/${id}`, { body })

let n = 0
async function watch(path: string, more: object = {}, asking: Asking = {}) {
  const id = `channel-${(n += 1)}`
  const body = { id, type: 'web_hook', address: `${hooks.url}/${id}`, token: 'a=b', ...more }
  return { id, reply: await drive.ask('POST', `/drive/v2/${path}`, { body, ...asking }) }
}

async function expectSoon(told: () => unknown, expected: unknown): Promise<void> {
  await expect.poll(told, { timeout: 10_000, interval: 20 }).toEqual(expected)
}

describe('files.watch', () => {
  test('answers with the channel, says it is open, and tells each change in order', async () => {
    const file = await insert()
    const { id, reply } = await watch(`files/${file}/watch`)
    const { json } = reply
    expect(json).toMatchObject({
      kind: 'api#channel',
      id,
      token: 'a=b',
      resourceUri: `${drive.url}/drive/v2/files/${file}?alt=json`,
      resourceId: expect.stringMatching(/^[\w-]{27}$/),
      expiration: expect.stringMatching(/^\d{13}$/),
    })
    await patch(file, { title: 'one' })
    await drive.ask('PUT', `/upload/drive/v2/files/${file}`, {
      body: 'text',
      headers: { 'content-type': 'text/plain' },
    })
    await drive.ask('POST', `/drive/v2/files/${file}/trash`)
    await expectSoon(
      () => hooks.statesOf(id),
      ['sync', 'update properties', 'update content,properties', 'trash'],
    )
    const mine = hooks.taken.filter(({ headers }) => headers['x-goog-channel-id'] === id)
    expect(mine.map(({ headers }: Taken) => headers['x-goog-message-number'])).toEqual(['1', '2', '3', '4'])
    expect(mine[1]).toMatchObject({
      body: '',
      headers: {
        'x-goog-channel-token': 'a=b',
        'x-goog-resource-id': json.resourceId,
        'x-goog-resource-uri': json.resourceUri,
        'x-goog-channel-expiration': new Date(Number(json.expiration)).toUTCString(),
      },
    })
    expect((await watch(`files/${file}/watch`)).reply.json.resourceId).toBe(json.resourceId)
  })

  test('tells it again until it is taken, and then the next', async () => {
    const file = await insert()
    const path = `/again-${file}`
    answers.set(path, [503, 200, 500])
    const { id } = await watch(`files/${file}/watch`, { address: `${hooks.url}${path}` })
    await patch(file, { title: 'one' })
    await patch(file, { title: 'two' })
    const numbers = () =>
      hooks.taken
        .filter(({ headers }) => headers['x-goog-channel-id'] === id)
        .map(({ headers }) => headers['x-goog-message-number'])
    await expectSoon(numbers, ['1', '1', '2', '2', '3'])
  })

  test('drops what the receiver does not want', async () => {
    const file = await insert()
    const path = `/dropped-${file}`
    answers.set(path, [200, 404])
    const { id } = await watch(`files/${file}/watch`, { address: `${hooks.url}${path}` })
    await patch(file, { title: 'one' })
    await patch(file, { description: 'two' })
    await expectSoon(() => hooks.statesOf(id), ['sync', 'update properties', 'update properties'])
  })

  test('ends with its time', async () => {
    const file = await insert()
    const { id } = await watch(`files/${file}/watch`, { expiration: String(Date.now() + 700) })
    await expectSoon(() => hooks.statesOf(id), ['sync'])
    await new Promise((over) => setTimeout(over, 750))
    await patch(file, { title: 'late' })
    const other = await watch(`files/${file}/watch`)
    await patch(file, { title: 'later' })
    await expectSoon(() => hooks.statesOf(other.id), ['sync', 'update properties'])
    expect(hooks.statesOf(id)).toEqual(['sync'])
  })
})

describe('a file of another', () => {
  const FOLDER = 'application/vnd.google-apps.folder'
  let bo: string
  beforeAll(async () => {
    const hla = (...args: string[]) =>
      callHla(['drive', ...args, '--data', drive.folder], { cwd: drive.folder })
    await hla('user', 'add', 'bo@example.org')
    bo = (await hla('token', 'create', '--user', 'bo@example.org')).stdout.trim()
  })

  const grant = async (file: string, body: object) =>
    (await drive.ask('POST', `/drive/v2/files/${file}/permissions`, { body })).json.id
  const take = (file: string, permission: string) =>
    drive.ask('DELETE', `/drive/v2/files/${file}/permissions/${permission}`)

  test.for<[string, object]>([
    ['given to him', { type: 'user', role: 'reader', value: 'bo@example.org' }],
    ['open to whoever has the link', { type: 'anyone', role: 'reader', withLink: true }],
  ])('%s with its folder: told while he sees it', async ([, body]) => {
    const folder = await insert({ mimeType: FOLDER })
    const file = await insert({ parents: [{ id: folder }] })
    expect((await watch(`files/${file}/watch`, {}, { token: bo })).reply.status).toBe(404)
    const permission = await grant(folder, body)
    const { id } = await watch(`files/${file}/watch`, {}, { token: bo })
    await patch(file, { title: 'seen' })
    await take(folder, permission)
    await patch(file, { title: 'secret' })
    await drive.ask('POST', `/drive/v2/files/${file}/trash`)
    await drive.ask('POST', `/drive/v2/files/${file}/untrash`)
    await grant(folder, body)
    await patch(file, { title: 'seen again' })
    await expectSoon(
      () => hooks.statesOf(id),
      ['sync', 'update properties', 'remove', 'add', 'update properties'],
    )
  })

  test('in his log: told that it came and that it went, and nothing between', async () => {
    const file = await insert()
    const { id } = await watch('changes/watch', {}, { token: bo })
    await expectSoon(() => hooks.statesOf(id), ['sync'])
    await patch(file, { title: 'secret' })
    const permission = await grant(file, { type: 'user', role: 'reader', value: 'bo@example.org' })
    await expectSoon(() => hooks.statesOf(id), ['sync', 'change'])
    await take(file, permission)
    await expectSoon(() => hooks.statesOf(id), ['sync', 'change', 'change'])
    await patch(file, { title: 'more secret' })
    const own = await watch(`files/${file}/watch`)
    await patch(file, { title: 'most secret' })
    await expectSoon(() => hooks.statesOf(own.id), ['sync', 'update properties'])
    expect(hooks.statesOf(id)).toEqual(['sync', 'change', 'change'])
  })
})

describe('changes.watch', () => {
  test('tells that there is more, with the kind of the list', async () => {
    const { id, reply } = await watch('changes/watch', {}, { query: { includeDeleted: false } })
    expect(reply.json).toMatchObject({
      kind: 'api#channel',
      resourceUri: `${drive.url}/drive/v2/changes?alt=json&includeDeleted=false`,
    })
    await expectSoon(() => hooks.statesOf(id), ['sync'])
    await insert()
    await expectSoon(() => hooks.statesOf(id), ['sync', 'change'])
    const last = hooks.taken.findLast(({ headers }) => headers['x-goog-channel-id'] === id)
    expect(last?.body).toBe('{"kind":"drive#changes"}')
  })

  test('tells at once what is behind its page token already', async () => {
    const { startPageToken: pageToken } = (await drive.ask('GET', '/drive/v2/changes/startPageToken')).json
    const none = await watch('changes/watch', {}, { query: { pageToken } })
    await insert()
    const some = await watch('changes/watch', {}, { query: { pageToken } })
    await expectSoon(
      () => [none, some].map(({ id }) => hooks.statesOf(id)),
      [
        ['sync', 'change'],
        ['sync', 'change'],
      ],
    )
  })
})

describe('channels.stop', () => {
  test('ends a channel, once', async () => {
    const file = await insert()
    const { id, reply } = await watch(`files/${file}/watch`)
    const stop = (body: object) => drive.ask('POST', '/drive/v2/channels/stop', { body })
    expect((await stop({ id, resourceId: 'other' })).status).toBe(404)
    expect((await stop({ id })).json.error.errors[0]).toMatchObject({
      reason: 'required',
      location: 'resourceId',
    })
    expect((await stop(reply.json)).status).toBe(204)
    expect((await stop(reply.json)).json.error).toMatchObject({
      code: 404,
      message: `Channel '${id}' not found`,
    })
    const other = await watch(`files/${file}/watch`)
    await patch(file, { title: 'x' })
    await expectSoon(() => hooks.statesOf(other.id), ['sync', 'update properties'])
    expect(hooks.statesOf(id).length).toBeLessThan(2)
  })
})

describe('a token that is revoked', () => {
  const hla = (...args: string[]) =>
    callHla(['drive', ...args, '--data', drive.folder], { cwd: drive.folder })
  const create = async (...args: string[]) =>
    (await hla('token', 'create', '--user', 'owner@localhost', ...args)).stdout.trim()
  const post = (path: string, form: Record<string, string>) =>
    drive.ask('POST', path, {
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: undefined,
    })
  const access = async (refresh: string): Promise<string> =>
    (await post('/token', { grant_type: 'refresh_token', refresh_token: refresh })).json.access_token

  test.for<[string, () => Promise<{ token: string; revoke: () => Promise<unknown> }>]>([
    [
      'by the command',
      async () => {
        const token = await create()
        return { token, revoke: () => hla('token', 'revoke', token) }
      },
    ],
    [
      'by itself',
      async () => {
        const token = await access(await create('--refresh'))
        return { token, revoke: () => post('/revoke', { token }) }
      },
    ],
    [
      'as the refresh token it was given for',
      async () => {
        const refresh = await create('--refresh')
        return { token: await access(refresh), revoke: () => post('/revoke', { token: refresh }) }
      },
    ],
  ])('%s, ends the channels that were opened with it, and no others', async ([, make]) => {
    const { token, revoke } = await make()
    const other = await create()
    const file = await insert()
    const path = `/late-${file}`
    // waiting messages are dropped, too
    answers.set(path, [200, 503, 503])
    const ofFile = await watch(`files/${file}/watch`, {}, { token })
    const ofAll = await watch('changes/watch', {}, { token })
    const late = await watch(`files/${file}/watch`, { address: `${hooks.url}${path}` }, { token })
    const kept = await watch(`files/${file}/watch`, {}, { token: other })
    const told = () => [ofFile, ofAll, late, kept].map(({ id }) => hooks.statesOf(id).length)
    await expectSoon(told, [1, 1, 1, 1])
    await patch(file, { title: 'before' })
    await expectSoon(() => told().map((count) => count > 1), [true, true, true, true])
    await revoke()
    const before = told()
    await patch(file, { title: 'after' })
    await expectSoon(() => hooks.statesOf(kept.id), ['sync', 'update properties', 'update properties'])
    // longer than the first pause before a retry
    await new Promise((over) => setTimeout(over, 2500))
    expect(told().slice(0, 3)).toEqual(before.slice(0, 3))
    // also before the service has read the change
    expect((await watch(`files/${file}/watch`, {}, { token })).reply.status).toBe(401)
    await expect
      .poll(async () => (await drive.ask('GET', '/drive/v2/about', { token })).status, { timeout: 10_000 })
      .toBe(401)
  })
})

test.for<[object, number, string, string]>([
  [{ address: undefined }, 400, 'required', 'address'],
  [{ address: 'http://example.org/' }, 400, 'push.webhookUrlNotHttps', 'address'],
  [{ address: 'https://10.0.0.1/' }, 400, 'invalid', 'address'],
  [{ id: 'a b' }, 400, 'invalid', 'id'],
])('%j is refused: %i %s', async ([more, status, reason, location]) => {
  const { reply } = await watch('changes/watch', more)
  expect([reply.status, reply.json.error.errors[0]]).toMatchObject([status, { reason, location }])
})

test('local addresses need leave', async () => {
  const strict = await startDrive()
  for (const address of [`${hooks.url}/x`, 'http://localhost/x', 'https://127.0.0.1/x']) {
    const body = { id: 'x', type: 'web_hook', address }
    expect((await strict.ask('POST', '/drive/v2/changes/watch', { body })).status).toBe(400)
  }
  await strict.stop()
})

test.skipIf(!hasOpenssl)('by TLS, a receiver has to be who its name says', async () => {
  const folder = temp('tls')
  mkdirSync(folder)
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '1']
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', [...words, ...name], { stdio: 'ignore' })
  const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  const secure = await startHooks(() => 200, tls)
  const args = ['--allow-local-notifications']
  const knowing = await startDrive({ args, env: { NODE_EXTRA_CA_CERTS: cert } })
  const unknowing = await startDrive({ args })
  const open = (one: Drive, id: string, host: string) => {
    const body = { id, type: 'web_hook', address: `https://${host}:${secure.port}/` }
    return one.ask('POST', '/drive/v2/changes/watch', { body })
  }
  await open(unknowing, 'unknown-issuer', 'localhost')
  await open(knowing, 'other-name', '127.0.0.1')
  await open(knowing, 'right', 'localhost')
  await expectSoon(() => secure.statesOf('right'), ['sync'])
  const failed = async (one: Drive) =>
    /notifications_total\{outcome="again"\} (\d+)/.exec((await one.ask('GET', '/metrics')).text)?.[1]
  for (const one of [knowing, unknowing]) await expectSoon(() => failed(one).then((n) => n !== '0'), true)
  expect(secure.taken).toHaveLength(1)
})

test('a program that reads the log whenever it is told misses nothing, whatever fails', async () => {
  const { startPageToken } = (await drive.ask('GET', '/drive/v2/changes/startPageToken')).json
  const state = { pageToken: startPageToken as string, told: 0 }
  const seen = new Set<string>()
  const follower = await startHooks(async () => {
    state.told += 1
    if (state.told % 5 === 4) return 503
    const query = { pageToken: state.pageToken, maxResults: 1000, fields: 'items(fileId),newStartPageToken' }
    const { json } = await drive.ask('GET', '/drive/v2/changes', { query })
    for (const { fileId } of json.items) seen.add(fileId)
    state.pageToken = json.newStartPageToken
    return 200
  })
  await watch('changes/watch', { address: follower.url })
  const made: string[] = []
  for (let at = 0; at < 200; at += 1) made.push(await insert({ title: String(at) }))
  await expectSoon(() => made.filter((id) => !seen.has(id)), [])
})

test('the metrics count changes, channels and messages', async () => {
  // the channels of the tests before count, too
  drive = await startDrive({ args: ['--allow-local-notifications'] })
  const samples = async () => samplesOf((await drive.ask('GET', '/metrics')).text)
  const before = await samples()
  const file = await insert()
  answers.set(`/channel-${n + 1}`, [503])
  await watch(`files/${file}/watch`)
  await patch(file, { title: 'counted' })
  const grown = async (name: string) => ((await samples()).get(name) ?? 0) - (before.get(name) ?? 0)
  // one about the channel, which is refused once, and one about the change
  await expectSoon(() => grown('hla_drive_notifications_total{outcome="done"}'), 2)
  expect(await grown('hla_drive_notifications_total{outcome="again"}')).toBe(1)
  expect(await grown('hla_drive_notifications_total{outcome="dropped"}')).toBe(0)
  await expectSoon(() => grown('hla_drive_notifications_waiting'), 0)
  expect(await grown('hla_drive_channels')).toBe(1)
  expect(await grown('hla_drive_changes_total')).toBe(2)
  const route = 'method="PATCH",route="/drive/v2/files/:fileId"'
  await expectSoon(() => grown(`hla_drive_requests_total{${route},status="200"}`), 1)
  expect(await grown(`hla_drive_request_seconds_count{${route}}`)).toBe(1)
  const after = await samples()
  expect(after.get(`hla_drive_info{version="${packageVersion()}"}`)).toBe(1)
  expect([after.get('hla_drive_contents_up'), after.get('hla_drive_disk_full')]).toEqual([1, 0])
  for (const of of ['database', 'contents'])
    expect(after.get(`hla_drive_disk_free_bytes{of="${of}"}`)).toBeGreaterThan(1 << 20)
  for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'process_uptime_seconds'])
    expect(after.get(name)).toBeGreaterThan(0)
})
