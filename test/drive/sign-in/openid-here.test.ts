/** Sign-in at an OpenID provider, as a service in this process answers: whole pages, redirects and cookies. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { CLIENT, openProvider, type Provider } from '../../support/openid-provider.ts'
import { quickHash, serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const START = '/sign-in/openid'
let provider: Provider
let drive: ServiceHere
const openId = (more: object = {}) => ({
  issuer: provider.issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  name: 'the hospital',
  createsUsers: false,
  ...more,
})

beforeAll(async () => {
  provider = await openProvider()
  drive = await serveHere(temp('store'), { openId: openId() })
  await command(drive.store, 'addUser', OPERATOR, { email: 'ada@lab.example' })
  const { pk } = await command(drive.store, 'addUser', OPERATOR, { email: 'off@lab.example' })
  await command(drive.store, 'changeUser', OPERATOR, { pk, isDisabled: true })
})
beforeEach(() => {
  const person = { email: 'ada@lab.example', email_verified: true }
  Object.assign(provider, { person, claims: {}, fault: undefined, hangs: undefined })
})
afterAll(async () => {
  await drive.stop()
  await provider.close()
})

const open = (path: string, cookie = '', at = drive) =>
  fetch(`${at.url}${path}`, { headers: { cookie }, redirect: 'manual' })
const cookieOf = (answer: Response, name: string) =>
  answer.headers.getSetCookie().find((one) => one.startsWith(`hla-${name}=`)) ?? ''
const valueOf = (cookie: string) => cookie.split(';', 1)[0]?.replace(/^[^=]*=/, '') ?? ''
const keptIn = (answer: Response) =>
  JSON.parse(Buffer.from(valueOf(cookieOf(answer, 'openid')), 'base64url').toString()) as object
/** Status, paragraphs and links of a page. */
const problem = async (answer: Response) => {
  const text = await answer.text()
  expect(text).toContain('<title>Sign-in failed · Files</title>')
  const links = [...text.matchAll(/<a href="([^"]*)">([^<]*)</g)].map(([, to, shown]) => `${to} ${shown}`)
  return [answer.status, /<p role="alert">([^<]*)</.exec(text)?.[1], ...links]
}
const begin = (to = '#starred', at = drive) => open(`${START}?to=${encodeURIComponent(to)}`, '', at)
/** Goes to the provider and back. */
async function signIn(to?: string, at = drive): Promise<Response> {
  const start = await begin(to, at)
  const there = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  const { pathname, search } = new URL(there.headers.get('location') ?? '')
  return open(`${pathname}${search}`, cookieOf(start, 'openid').split(';', 1)[0], at)
}

const FILES = '/ Back to the files'

test('the page asks how one signs in', async () => {
  const asked = async (at: ServiceHere) => (await open('/sign-in', '', at)).json()
  expect(await asked(drive)).toEqual({ openId: { name: 'the hospital', start: 'sign-in/openid' } })
  const other = await serveHere(temp('other'))
  expect(await asked(other)).toEqual({ isNew: true })
  const password = { email: 'owner@localhost', hash: quickHash('correct horse battery') }
  await command(other.store, 'setPassword', OPERATOR, password)
  expect(await asked(other)).toEqual({})
  for (const path of [START, `${START}/back`]) expect((await open(path, '', other)).status).toBe(404)
  await other.stop()
})

describe('a sign-in begins', () => {
  const text = (length: number) => expect.stringMatching(new RegExp(`^[\\w-]{${length}}$`))

  test.for([
    ['', {}],
    ['&other=1', { prompt: 'select_account' }],
  ] as const)('at the provider: %s', async ([more, asked]) => {
    const { status, headers } = await open(`${START}?to=%23starred${more}`)
    const url = new URL(headers.get('location') ?? '')
    expect([status, url.origin, url.pathname]).toEqual([303, provider.issuer, '/authorize'])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: `${drive.url}${START}/back`,
      scope: 'openid email profile',
      state: text(43),
      nonce: text(43),
      code_challenge: text(43),
      code_challenge_method: 'S256',
      ...asked,
    })
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ])
  })

  test('and is kept by the browser', async () => {
    const start = await begin()
    expect(cookieOf(start, 'openid')).toMatch(
      /^hla-openid=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    const { searchParams } = new URL(start.headers.get('location') ?? '')
    const [state, nonce] = [searchParams.get('state'), searchParams.get('nonce')]
    expect(keptIn(start)).toEqual({ state, nonce, verifier: text(43), target: '#starred' })
  })

  const LONGEST = `/authorize?${'x'.repeat(2500 - 11)}`
  test.for([
    '#', '#a/b_c%20~.-', `#${'x'.repeat(500)}`, '/authorize?a=b', '/device?', '/o/oauth2/auth?a', '/o/oauth2/v2/auth?~!', LONGEST,
  ])('on the way to %s', async (to) => {
    expect(keptIn(await begin(to))).toMatchObject({ target: to })
  }) // prettier-ignore

  test.for([
    '', 'x', 'x#', '#a b', '#a?b', `#${'x'.repeat(501)}`, 'https://evil.example/', '//evil.example/authorize?', '/authorize', '/authorize/?a',
    '/token?a', '/o/oauth2/v3/auth?a', '/o/oauth2/v2auth?a', '/o/oauth2?a', '/authorize?a b', '/authorize?é', 'x/authorize?a', '#\n',
  ])('on the way to the files instead of %j', async (to) => {
    expect(keptIn(await begin(to))).toMatchObject({ target: '#' })
  }) // prettier-ignore

  test('without a way, or with two, on the way to the files', async () => {
    for (const query of ['', '?to=%23a&to=%23b'])
      expect(keptIn(await open(`${START}${query}`))).toMatchObject({ target: '#' })
  })

  test('not for a request that fits into no cookie', async () => {
    expect(await problem(await begin(`${LONGEST}x`))).toEqual([
      400,
      'The program&#39;s sign-in address is too long for this sign-in method.',
      FILES,
    ])
  })
})

describe('a sign-in ends', () => {
  test('on the page, with a session', async () => {
    const end = await signIn('#starred/a b'.replace(' ', '%20'))
    expect([end.status, end.headers.get('location'), end.headers.get('referrer-policy')]).toEqual([
      303,
      `${drive.url}/#signed-in/%23starred%2Fa%2520b`,
      'no-referrer',
    ])
    expect(cookieOf(end, 'openid')).toBe('hla-openid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    expect([cookieOf(end, 'session'), cookieOf(end, 'person')]).toEqual([
      expect.stringMatching(/^hla-session=hla_\S+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/),
      '',
    ])
    const about = await drive.ask('GET', '/drive/v2/about', { token: valueOf(cookieOf(end, 'session')) })
    expect(about.json.user.emailAddress).toBe('ada@lab.example')
    const labels = drive.store.read.all("SELECT label FROM tokens WHERE label LIKE 'signed in%'")
    expect(labels).toEqual([{ label: 'signed in by the hospital' }])
  })

  test('at the request of a program, without a session', async () => {
    const end = await signIn('/authorize?client_id=x')
    expect([end.status, end.headers.get('location'), cookieOf(end, 'session')]).toEqual([
      303,
      `${drive.url}/authorize?client_id=x`,
      '',
    ])
    expect(cookieOf(end, 'person')).toMatch(
      /^hla-person=[\w-]+\.[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
  })

  const kept = (facts: unknown) =>
    `hla-openid=${Buffer.from(typeof facts === 'string' ? facts : JSON.stringify(facts)).toString('base64url')}`
  const whole = { state: 's', nonce: 'n', verifier: 'v', target: '#' }
  test.for([
    '', 'hla-openid=', kept('x'), kept('null'), kept([]), kept({ ...whole, state: 1 }), kept({ ...whole, nonce: null }), kept({ ...whole, verifier: undefined }),
  ])('nowhere where it did not begin: %s', async (cookie) => {
    const answer = await open(`${START}/back?code=1&state=s`, cookie)
    expect(cookieOf(answer, 'openid')).toContain('Max-Age=0')
    expect(await problem(answer)).toEqual([
      400,
      'This sign-in was not started in this browser. Sign in again.',
      FILES,
    ])
  }) // prettier-ignore

  test.for<[object, string]>([
    [{ email_verified: true }, 'the hospital did not send your e-mail address.'],
    [{ email: 1, email_verified: true }, 'the hospital did not send your e-mail address.'],
    [{ email: 'ada@lab.example' }, 'the hospital has not verified your address ada@lab.example.'],
    [
      { email: 'ada@lab.example', email_verified: 'true' },
      'the hospital has not verified your address ada@lab.example.',
    ],
    [
      { email: 'eve@lab.example', email_verified: true },
      'No user has the address eve@lab.example here: ask the operator to add you.',
    ],
    [{ email: 'off@lab.example', email_verified: true }, 'The account of off@lab.example is disabled.'],
  ])('with a refusal of %j: %s', async ([person, why]) => {
    provider.person = person as Record<string, unknown>
    expect(await problem(await signIn())).toEqual([403, why, FILES])
    expect(await problem(await signIn('/device?user_code=x&y'))).toEqual([
      403,
      why,
      '/device?user_code=x&amp;y Back to what the program asks',
    ])
  })

  test.for([
    ['error', 'authorization response from the server is an error'],
    ['key', 'JWT signature verification failed'],
  ] as const)('with a refusal where the provider answers wrongly: %s', async ([fault, why]) => {
    provider.fault = fault
    expect(await problem(await signIn())).toEqual([403, `the hospital did not sign you in: ${why}.`, FILES])
  })

  test('with an account where the operator says so', async () => {
    const other = await serveHere(temp('creating'), { openId: openId({ createsUsers: true }) })
    for (const [email, name] of [
      ['new@lab.example', 'New Ek'],
      ['unnamed@lab.example', ''],
      ['odd@lab.example', 7],
    ] as const) {
      provider.person = { email, email_verified: true, name }
      expect((await signIn('#', other)).headers.get('location')).toBe(`${other.url}/#signed-in/%23`)
    }
    const users = other.store.read.all("SELECT email, name FROM principals WHERE email LIKE '%lab.example'")
    expect(users).toEqual([
      { email: 'new@lab.example', name: 'New Ek' },
      { email: 'unnamed@lab.example', name: 'unnamed' },
      { email: 'odd@lab.example', name: 'odd' },
    ])
    await other.stop()
  })
})

test('a provider that cannot be asked is asked again by the next sign-in', async () => {
  const other = await serveHere(temp('away'), { openId: openId() })
  const failed = async (fault: Provider['fault']) => {
    provider.fault = fault
    return problem(await begin('/device?', other))
  }
  const BACK = '/device? Back to what the program asks'
  const away = (why: string) => [502, `the hospital is not available at the moment: ${why}.`, BACK]
  expect(await failed('long')).toEqual(away(`${provider.issuer} answers with more than 1048576 bytes`))
  expect(await failed('redirect')).toEqual(
    away(
      '&quot;response&quot; is not a conform Authorization Server Metadata response (unexpected HTTP status code)',
    ),
  )
  expect(await failed('garbled')).toEqual(
    away(
      'failed to parse &quot;response&quot; body as JSON (Unexpected token &#39;o&#39;, &quot;no [31mJSON&quot; is not valid JSON)',
    ),
  )
  expect(await failed('insecure')).toEqual(away('http://provider.example is an address without TLS'))
  provider.fault = undefined
  expect((await begin('#', other)).status).toBe(303)
  // what it has told of itself is known for an hour
  provider.fault = 'long'
  expect((await begin('#', other)).status).toBe(303)
  await other.stop()
  const issuer = 'http://127.0.0.1:1'
  const dead = await serveHere(temp('dead'), { openId: openId({ issuer }) })
  expect(await problem(await begin('#', dead))).toEqual([
    502,
    `the hospital is not available at the moment: ${issuer} does not answer (fetch failed).`,
    FILES,
  ])
  await dead.stop()
})
