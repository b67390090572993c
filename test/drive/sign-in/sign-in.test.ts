/** User sign-in: codes for programs with and without a browser, and attacks. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { printedBy } from '../../support/call-hla.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { allow, openPage, PASSWORD, signIns } from '../../support/sign-in.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

let drive: Drive
/** Secret of the confidential program. */
let secret: string
const hla = (...args: string[]) => printedBy(['drive', ...args, '--data', drive.folder], { cwd: temp('.') })

beforeAll(async () => {
  drive = await startDrive()
  writeFileSync(temp('password'), `${PASSWORD}\n`)
  for (const name of ['ada', 'eve', 'kim', 'leo'])
    await hla('user', 'add', `${name}@lab.example`, '--password-file', temp('password'))
  await hla('user', 'add', 'none@lab.example')
  const redirects = ['http://localhost', 'http://127.0.0.1/back?x=1', 'https://app.example/cb', 'org.lab:/cb']
  const said = redirects.flatMap((one) => ['--redirect', one])
  await hla('client', 'add', 'desk', '--name', 'Desk <b>&', ...said)
  await hla('client', 'add', 'public', ...said)
  secret = JSON.parse(await hla('client', 'credentials', 'desk', '--url', drive.url)).installed?.client_secret
  secret ??= JSON.parse(await hla('client', 'credentials', 'desk', '--url', drive.url)).web.client_secret
})
afterAll(() => drive.stop())

const { pageUrl, ask, exchange, about, codeFor } = signIns(() => drive)

describe('the page', () => {
  test.for([
    ['nobody@lab.example', PASSWORD, 401],
    ['none@lab.example', '', 401],
    ['', '', 401],
  ] as const)('lets %s with %j not in', async ([email, password, expected]) => {
    const { status, location, text } = await allow(pageUrl(), email, password)
    expect([status, location]).toEqual([expected, undefined])
    expect(text).toContain('E-mail address or password is wrong.')
    if (password !== '') expect(text).not.toContain(password)
  })

  test('takes so many wrong passwords, and then not even the right one, for that user from there', async () => {
    await hla('limit', 'set', 'sign-in-failures=3')
    const tried = await Promise.all(
      Array.from({ length: 5 }, () => allow(pageUrl(), 'eve@lab.example', 'no horse')),
    )
    const statuses = tried.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([401, 401, 401, 429, 429])
    expect((await allow(pageUrl(), 'EVE@lab.example', PASSWORD)).status).toBe(429)
    const onPage = await ask(
      '/sign-in',
      { email: 'eve@lab.example', password: PASSWORD },
      { 'x-hla-page': '1' },
    )
    expect([onPage.status, onPage.json.error.errors[0]]).toEqual([
      429,
      {
        domain: 'usageLimits',
        reason: 'rateLimitExceeded',
        message: 'Too many wrong passwords: try again in 15 minutes.',
      },
    ])
    expect(Number(onPage.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await allow(pageUrl(), 'ada@lab.example', PASSWORD)).status).toBe(303)
    await hla('limit', 'set', 'sign-in-failures=standard')
    expect((await allow(pageUrl(), 'eve@lab.example', PASSWORD)).status).toBe(303)
  })
})

test('wrong passwords of many users, from one address, lock out nobody else; the proxy they may come through is named', async () => {
  await hla('limit', 'set', 'sign-in-failures=1')
  const forwarded = (at: number) => ({ 'x-hla-page': '1', 'x-forwarded-for': `192.0.2.${at}` })
  const wrong = { password: 'no horse at all' }
  for (let at = 1; at <= 31; at += 1)
    expect((await ask('/sign-in', { email: `other${at}@lab.example`, ...wrong }, forwarded(at))).status).toBe(
      401,
    )
  // nothing wrong was typed for Leo before
  const { status } = await ask('/sign-in', { email: 'leo@lab.example', password: PASSWORD }, forwarded(1))
  await hla('limit', 'set', 'sign-in-failures=standard')
  expect(status).toBe(200)
  const warnings = () =>
    // in the format of the access log
    drive.printed().match(/127\.0\.0\.1 forwards requests of several clients.*--trust-proxy/g)
  await expect.poll(() => warnings()?.length).toBe(1)
})

describe('a program without a browser', () => {
  test('is not found by trying codes, and begins so often from one address', async () => {
    const other = await startDrive()
    const begun = async () =>
      other.ask('POST', '/device/code', {
        body: 'client_id=hla&scope=drive',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        token: undefined,
      })
    const fifty = await Promise.all(Array.from({ length: 50 }, begun))
    expect(new Set(fifty.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await begun()).toMatchObject({
      status: 400,
      json: { error: 'slow_down', error_description: 'too many sign-ins are waiting: try again in a while' },
    })
    const statuses = []
    for (let at = 0; at < 12; at += 1)
      statuses.push((await openPage(`${other.url}/device?user_code=BCDF-GHJ${'BCDFGHJKLMNP'[at]}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429])
    await other.stop()
  })
})

describe('who signs in on the page of the store', () => {
  const PAGE = { 'x-hla-page': '1' }
  const signIn = async (email: string, headers: Readonly<Record<string, string>> = PAGE) => {
    const { status, headers: said } = await ask('/sign-in', { email, password: PASSWORD }, headers)
    return { status, cookie: said.get('set-cookie') ?? '' }
  }
  const aboutBy = async (cookie: string, headers: Readonly<Record<string, string>>, method = 'GET') => {
    const path = method === 'GET' ? '/drive/v2/about' : '/drive/v2/files'
    return (
      await drive.ask(method, path, {
        token: undefined,
        headers: { cookie: cookie.split(';', 1)[0] ?? '', ...headers },
      })
    ).status
  }

  test.for([
    ['another password', () => hla('user', 'set', 'leo@lab.example', '--password-file', temp('password'))],
    ['none', () => hla('user', 'set', 'leo@lab.example', '--no-password')],
    ['no account', () => hla('user', 'remove', 'leo@lab.example')],
  ] as const)('is signed out everywhere with %s', async ([, change]) => {
    await hla('user', 'set', 'leo@lab.example', '--password-file', temp('password'))
    const { cookie } = await signIn('leo@lab.example')
    const { json } = await exchange(await codeFor('leo@lab.example'))
    const code = await codeFor('leo@lab.example')
    expect([await aboutBy(cookie, PAGE), await about(json.access_token)]).toEqual([200, 'leo@lab.example'])
    await change()
    expect([await aboutBy(cookie, PAGE), await about(json.access_token)]).toEqual([401, 401])
    const form = { grant_type: 'refresh_token', refresh_token: json.refresh_token }
    expect((await ask('/token', form)).json.error).toBe('invalid_grant')
    expect((await exchange(code)).json.error).toBe('invalid_grant')
  })
})

test('a disabled user gets no code, and a disabled program is not known', async () => {
  await hla('user', 'set', 'kim@lab.example', '--disable')
  expect((await allow(pageUrl(), 'kim@lab.example', PASSWORD)).status).toBe(403)
  await hla('client', 'set', 'public', '--disable')
  expect((await openPage(pageUrl())).status).toBe(400)
  await hla('client', 'set', 'public', '--enable')
})

test.for([
  'ftp://x.example/',
  'http://app.example/',
  'javascript:alert(1)',
  'myapp:/cb',
  'https://a:b@app.example/',
  'https://app.example/#x',
  'https://app.example/?code=1',
  'nonsense',
])('nobody is sent to %s', async (redirect) => {
  await expect(hla('client', 'set', 'public', '--redirect', redirect)).rejects.toThrow(
    'redirect URI not allowed',
  )
})

test('a short password is none', async () => {
  writeFileSync(temp('short'), 'short\n')
  await expect(hla('user', 'set', 'ada@lab.example', '--password-file', temp('short'))).rejects.toThrow(
    '12 to 1024',
  )
})

test('sessions and refresh tokens last as long as the operator says', async () => {
  await hla('limit', 'set', 'session-seconds=60')
  await hla('limit', 'set', 'refresh-days=2')
  const form = { email: 'ada@lab.example', password: PASSWORD }
  const { headers } = await ask('/sign-in', form, { 'x-hla-page': '1' })
  expect(headers.get('set-cookie')).toContain('Max-Age=60;')
  await exchange(await codeFor())
  const rows = (await hla('token', 'list', '--json')).trim().split('\n')
  const seconds = (of: string) =>
    rows
      .map((row) => JSON.parse(row))
      .filter(({ kind }) => kind === of)
      .toSorted((a, b) => Date.parse(a.created) - Date.parse(b.created))
      .map(({ created, expires }) => Math.round((Date.parse(expires) - Date.parse(created)) / 1000))
  expect(seconds('refresh').at(-1)).toBe(2 * 86_400)
  expect(seconds('access')).toContain(60)
  for (const name of ['session-seconds', 'refresh-days']) await hla('limit', 'set', `${name}=standard`)
})
