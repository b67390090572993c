/** `hla drive login` and `logout`, and the tokens that commands use in between, against a store of the test. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

interface Answer {
  readonly status?: number
  readonly body?: object
}

const temp = tempFolder()
const CODE = { device_code: 'd', user_code: 'BCDF-GHJK', verification_uri: 'https://s/device', verification_uri_complete: 'https://s/device?c', interval: 0.01, expires_in: 60 } // prettier-ignore
/** Path -> answers in turn; the last one is given again. */
let answers: Record<string, Answer[]> = {}
/** `POST /token refresh_token=r`, `DELETE /drive/v2/files/trash Bearer a` */
let asked: string[] = []
const server = createServer(async (request, response) => {
  const path = request.url?.split('?')[0] ?? ''
  const form = new URLSearchParams(await text(request))
  const said = [...form].filter(([name]) => !['client_id', 'grant_type'].includes(name))
  const { authorization = '' } = request.headers
  asked.push([request.method, path, ...said.map((one) => one.join('=')), authorization].join(' ').trim())
  const [answer = {}, ...rest] = answers[path] ?? []
  if (rest.length > 0) answers[path] = rest
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer.body ?? {}))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  url = `http://127.0.0.1:${port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

let home = ''
let homes = 0
beforeEach(() => {
  home = temp(`home-${(homes += 1)}`)
  mkdirSync(home)
  answers = {}
  asked = []
})
const hla = (...words: readonly string[]) =>
  callHla(['drive', ...words], { cwd: home, env: { HLA_DRIVE_URL: url, XDG_CONFIG_HOME: home } })
const file = () => join(home, 'hla', 'drive-logins.json')
const logins = () => JSON.parse(readFileSync(file(), 'utf8')) as Record<string, object>
const tokens = (name: string, seconds: number, more = {}) => ({
  body: { access_token: name, expires_in: seconds, ...more },
})
const pending = { status: 400, body: { error: 'authorization_pending' } }
const USE = 'DELETE /drive/v2/files/trash Bearer'

test('a code is shown, asked for until somebody has typed it, and its tokens are renewed, used and revoked', async () => {
  answers = {
    '/device/code': [{ body: CODE }],
    // less than a minute before it ends a token is renewed
    '/token': [pending, pending, tokens('a1', 59, { refresh_token: 'r' }), tokens('a2', 61)],
  }
  expect(await hla('login')).toEqual({
    status: 0,
    stdout: '',
    stderr: `hla: open https://s/device and type the code BCDF-GHJK\nhla: or open https://s/device?c\nhla: signed in to ${url}\n`,
  })
  expect(logins()).toEqual({ [url]: { access: 'a1', refresh: 'r', expires: expect.any(Number) } })
  expect([statSync(file()).mode & 0o077, statSync(dirname(file())).mode & 0o077]).toEqual([0, 0])
  const code = 'POST /token device_code=d'
  expect(asked).toEqual(['POST /device/code scope=drive drive.apps.readonly', code, code, code])
  asked = []
  for (const _ of [1, 2]) expect(await hla('empty-trash')).toMatchObject({ status: 0, stderr: '' })
  expect(asked).toEqual(['POST /token refresh_token=r', `${USE} a2`, `${USE} a2`])
  expect(logins()).toEqual({ [url]: { access: 'a2', refresh: 'r', expires: expect.any(Number) } })
  asked = []
  expect(await hla('logout')).toMatchObject({ status: 0, stderr: `hla: signed out of ${url}\n` })
  expect([asked, existsSync(file())]).toEqual([['POST /revoke token=r'], false])
  expect(await hla('logout')).toMatchObject({ status: 4, stderr: `hla: error: not signed in to ${url}\n` })
})

test('a store that is asked too often is asked five seconds later each time', async () => {
  const slower = { status: 400, body: { error: 'slow_down' } }
  answers = {
    '/device/code': [{ body: { ...CODE, interval: 7 } }],
    '/token': [slower, slower, pending, tokens('a', 3600, { refresh_token: 'r' })],
  }
  const waits: number[] = []
  const { setTimeout: wait } = globalThis
  const waiting = vi.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, ms = 0) => {
    const isPause = ms % 1000 === 0 && ms > 6000 && ms < 30_000
    if (isPause) waits.push(ms)
    return wait(run, isPause ? 1 : ms)
  })
  try {
    expect(await hla('login')).toMatchObject({ status: 0 })
  } finally {
    waiting.mockRestore()
  }
  expect(waits).toEqual([7000, 12_000, 17_000, 17_000])
})

test('a sign-in of another store stays', async () => {
  mkdirSync(dirname(file()))
  const other = { access: 'o', refresh: 'p', expires: 1 }
  writeFileSync(file(), JSON.stringify({ 'https://other.example': other }))
  answers = { '/token': [tokens('a', 3600)] }
  writeFileSync(join(home, 'refresh'), ' r\n')
  expect(await hla('login', '--refresh-file', 'refresh', '--scopes', 'drive.readonly')).toMatchObject({
    status: 0,
    stderr: `hla: signed in to ${url}\n`,
  })
  expect(asked).toEqual(['POST /token refresh_token=r'])
  expect(Object.keys(logins())).toEqual(['https://other.example', url])
  await hla('logout')
  expect(logins()).toEqual({ 'https://other.example': other })
})

test.for<[Answer[], object, string]>([
  [[pending], { expires_in: 0.05 }, 'no sign-in arrived in time'],
  [
    [
      pending,
      { status: 400, body: { error: 'access_denied', error_description: 'the user refused access' } },
    ],
    {},
    'sign-in failed: the user refused access',
  ],
])('a code that nobody allows signs in nobody: %j %j', async ([replies, more, message]) => {
  answers = { '/device/code': [{ body: { ...CODE, ...more } }], '/token': replies }
  const { status, stdout, stderr } = await hla('login')
  expect([status, stdout, stderr.split('\n')[2]]).toEqual([5, '', `hla: error: ${message}`])
  expect(existsSync(file())).toBe(false)
})

test('a sign-in that the store has ended is told', async () => {
  mkdirSync(dirname(file()))
  writeFileSync(file(), JSON.stringify({ [url]: { access: 'a', refresh: 'r', expires: 1 } }))
  answers = { '/token': [{ status: 400, body: { error: 'invalid_grant' } }] }
  expect(await hla('empty-trash')).toEqual({
    status: 5,
    stdout: '',
    stderr: `hla: error: ${url} does not know this sign-in any more\n  hla drive login signs in again\n`,
  })
})

test.for(['', '[]', '1', '{"u":1}', '{"u":{"access":1,"refresh":"r","expires":1}}', '{"u":{"access":"a","expires":1}}', '{"u":{"access":"a","refresh":"r","expires":"1"}}'])(
  'a damaged file of sign-ins is told, and stays: %j',
  async (damaged) => {
    mkdirSync(dirname(file()))
    writeFileSync(file(), damaged)
    expect(await hla('empty-trash')).toEqual({
      status: 2,
      stdout: '',
      stderr: `hla: error: ${file()} is not a sign-in file of hla drive login, or is damaged\n  remove it, and sign in again with hla drive login\n`,
    })
    expect([asked, readFileSync(file(), 'utf8')]).toEqual([[], damaged])
  },
) // prettier-ignore

test.for(['a b', 'é a', 'a é', 'a\nb'])(
  'a text that is no token is refused, and not shown: %j',
  async (text) => {
    const env = { HLA_DRIVE_URL: url, XDG_CONFIG_HOME: home }
    const refused = (from: string) => ({
      status: 2,
      stdout: '',
      stderr: `hla: error: ${from} contains no token\n`,
    })
    const calling = (words: readonly string[], more = {}) =>
      callHla(['drive', 'empty-trash', ...words], { cwd: home, env: { ...env, ...more } })
    expect(await calling([], { HLA_DRIVE_TOKEN: text })).toEqual(refused('HLA_DRIVE_TOKEN'))
    writeFileSync(join(home, 'token'), `${text}\n`)
    expect(await calling(['--drive-token-file', 'token'])).toEqual(refused('token'))
    expect(asked).toEqual([])
  },
)
