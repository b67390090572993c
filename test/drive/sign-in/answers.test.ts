/** Signing in users and programs: the pages, the codes and the tokens, as a service in this process answers them. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { keepPerson, readPerson } from '../../../src/drive/api/sign-in/client-login.ts'
import type { Visit } from '../../../src/drive/api/sign-in/visit.ts'
import { SCOPES } from '../../../src/drive/contract/failure.ts'
import { digestToken } from '../../../src/drive/domain/accounts/tokens.ts'
import { command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { quickHash, serveHere, type ServiceHere } from '../../support/service-here.ts'
import {
  allow,
  DEVICE,
  openPage,
  PASSWORD,
  REDIRECT,
  sendForm,
  signIns,
  VERIFIER,
} from '../../support/sign-in.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
/** Secret of the confidential program. */
const secret = 'hla_secret'

let drive: ServiceHere
beforeAll(async () => {
  drive = await serveHere(temp('store'))
  for (const name of ['ada', 'kim', 'none']) {
    const email = `${name}@lab.example`
    await command(drive.store, 'addUser', OPERATOR, { email })
    if (name !== 'none')
      await command(drive.store, 'setPassword', OPERATOR, { email, hash: quickHash(PASSWORD) })
  }
  const redirects = ['http://localhost', 'http://127.0.0.1/back?x=1', 'https://app.example/cb', 'org.lab:/cb']
  await command(drive.store, 'addClient', OPERATOR, { id: 'desk', name: 'Desk <b>&', redirects })
  await command(drive.store, 'changeClient', OPERATOR, { id: 'desk', secret: digestToken(secret) })
  await command(drive.store, 'addClient', OPERATOR, { id: 'public', redirects })
})
afterAll(() => drive.stop())

const { pageUrl, ask, exchange, about, codeFor } = signIns(() => drive)

const MISSING = 'code_challenge is missing: a program without a secret needs one (PKCE)'
const PLAIN = 'code_challenge must use code_challenge_method=S256'

describe('a program with a browser', () => {
  test('gets tokens for a code, in its own words', async () => {
    const { location, status } = await allow(pageUrl(), 'Ada@lab.example ', PASSWORD)
    expect([status, location?.origin, location?.pathname]).toEqual([303, 'http://localhost:9', '/'])
    expect([location?.searchParams.get('state'), location?.searchParams.get('iss')]).toEqual([
      's t&',
      drive.url,
    ])
    const { json, headers } = await exchange(location?.searchParams.get('code') ?? '')
    expect(json).toMatchObject({ token_type: 'Bearer', scope: 'https://www.googleapis.com/auth/drive' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await about(json.access_token)).toBe('ada@lab.example')
    const again = await ask('/token', { grant_type: 'refresh_token', refresh_token: json.refresh_token })
    expect(again.json.scope).toBe('https://www.googleapis.com/auth/drive')
    expect(await about(again.json.access_token)).toBe('ada@lab.example')
    await ask('/revoke', { token: json.refresh_token })
    expect([await about(json.access_token), await about(again.json.access_token)]).toEqual([401, 401])
  })

  test.for([
    ['https://app.example/cb', 'https://app.example/cb?'],
    ['http://127.0.0.1:4711/back?x=1', 'http://127.0.0.1:4711/back?x=1&'],
    ['org.lab:/cb', 'org.lab:/cb?'],
  ] as const)('is answered at %s', async ([redirect, begin]) => {
    const url = pageUrl({ redirect_uri: redirect })
    const { headers } = await openPage(url)
    expect(headers.get('content-security-policy')).toContain(
      `form-action 'self' ${redirect.split('/cb')[0]}`.split('/back')[0],
    )
    const page = await openPage(url)
    const { headers: sent } = await sendForm(url, page, { decision: 'refuse' })
    expect(sent.get('location')?.startsWith(`${begin}error=access_denied`)).toBe(true)
  })

  test.for([
    'http://localhost:9/other', 'http://localhost:9', 'http://localhost:9/?x=1', 'http://localhost:9/#x', 'https://localhost:9/',
    'http://localhost.evil.example/', 'http://localhost:9@evil.example/', 'http://evil.example/', 'http://localhost\\@evil.example/',
    'https://app.example/cb/', 'https://app.example/cb?x=1', 'https://app.example:444/cb', 'https://APP.example/cb', 'https://app.example/cb/..',
    'http://127.0.0.1/back', 'http://127.1/back?x=1', 'http://[::1]/', '//evil.example', 'javascript:alert(1)', '', 'http://localhost/%0d%0a',
  ])('is never answered at %s', async (redirect) => {
    const { status, headers, text } = await openPage(pageUrl({ redirect_uri: redirect }))
    // any port is accepted, and the trailing slash is optional
    const isSame = redirect === 'http://localhost:9'
    expect([status, headers.get('location')]).toEqual([isSame ? 200 : 400, null])
    expect(text).not.toContain('href="http')
  }) // prettier-ignore

  test.for([
    [{ response_type: 'token' }, 'unsupported_response_type', 'response_type must be code'],
    [{ scope: 'email' }, 'invalid_scope', 'scope contains no scope of this store'],
    [{ code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request', MISSING],
    [{ client_id: 'desk', code_challenge: undefined }, 'invalid_request', MISSING],
    [{ code_challenge: VERIFIER, code_challenge_method: 'plain' }, 'invalid_request', PLAIN],
    [{ code_challenge_method: undefined }, 'invalid_request', PLAIN],
    [{ code_challenge: 'c'.repeat(42) }, 'invalid_request', PLAIN],
    [{ code_challenge: 'c'.repeat(44) }, 'invalid_request', PLAIN],
    [{ prompt: 'none' }, 'login_required', 'the user must sign in'],
  ] as const)('is refused %j: %s, %s', async ([more, error, why]) => {
    const { status, headers } = await openPage(pageUrl(more))
    const { searchParams: said } = new URL(headers.get('location') ?? '')
    expect([status, said.get('error'), said.get('error_description'), said.get('state')]).toEqual([303, error, why, 's t&'])
  }) // prettier-ignore

  test.for([
    [{ client_id: 'nobody' }, '', 'The program that sent you here is not registered or is disabled.'],
    [{ client_id: undefined }, '', 'The program that sent you here is not registered or is disabled.'],
    [{}, '&redirect_uri=https%3A%2F%2Fevil.example%2F', 'The address of this page has redirect_uri twice.'],
    [
      { redirect_uri: 'https://evil.example/' },
      '',
      'asks to send you to an address that is not registered for it.',
    ],
  ] as const)('is not believed with %j%s', async ([more, behind, why]) => {
    const { status, headers, text } = await openPage(`${pageUrl(more)}${behind}`)
    expect([status, headers.get('location')]).toEqual([400, null])
    expect(text).toContain('<h2>This request cannot continue</h2>')
    expect(text).toContain(`${why}</p>`)
    expect(text).toContain('<p>No information was sent to the application.</p>')
  })

  test('asks in words for each scope, and says where the browser goes', async () => {
    const { text } = await openPage(pageUrl({ scope: SCOPES.join(' ') }))
    const words = [...text.matchAll(/<li>([^<]*)<\/li>/g)].map(([, word]) => word)
    expect(words).toEqual([
      'see, change, share and delete all your files',
      'see and download all your files',
      'see and change the files that it created or opened',
      'keep its own data in a folder that only it sees',
      'see and change names and properties of your files, not what is in them',
      'see names and properties of your files, not what is in them',
      'see which programs you use with the files',
      'see your photographs',
      'see files that were made in meetings',
      'change how your scripts behave',
    ])
    for (const shown of ['</strong> wants to:</p>', '<p class="hint">After that, the browser goes to http://localhost:9.</p>', '>E-mail address</label>', '>Password</label>', '>Sign in and allow</button>', '>Refuse</button>'])
      expect(text).toContain(shown)
  }) // prettier-ignore

  test.for([
    ['another program', { client_id: 'desk', client_secret: 'SECRET' }],
    ['another address', { redirect_uri: 'http://localhost:10/' }],
    ['another verifier', { code_verifier: 'w'.repeat(50) }],
    ['no verifier', { code_verifier: undefined }],
  ] as const)('has no use of a code with %s, and none afterwards', async ([, more]) => {
    const code = await codeFor()
    const form = Object.fromEntries(
      Object.entries(more).map(([name, value]) => [name, value === 'SECRET' ? secret : (value ?? '')]),
    )
    const given = 'code_verifier' in form && form['code_verifier'] === '' ? { code_verifier: '' } : form
    expect((await exchange(code, given)).json.error).toBe('invalid_grant')
    expect((await exchange(code)).json.error).toBe('invalid_grant')
  })

  test('loses what it got for a code that comes again', async () => {
    const code = await codeFor()
    const { json } = await exchange(code)
    expect(await about(json.access_token)).toBe('ada@lab.example')
    expect((await exchange(code)).json).toMatchObject({ error: 'invalid_grant' })
    expect(await about(json.access_token)).toBe(401)
    const form = { grant_type: 'refresh_token', refresh_token: json.refresh_token }
    expect((await ask('/token', form)).json.error).toBe('invalid_grant')
  })

  test('of many that use one code at once, one gets tokens', async () => {
    const code = await codeFor()
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
  })

  test('that has a secret proves itself by it', async () => {
    const plain = { client_id: 'desk', code_challenge: undefined, code_challenge_method: undefined }
    const form = { client_id: 'desk', code_verifier: '' }
    const own = async (more: Readonly<Record<string, string>>, headers = {}) => {
      const code = await codeFor('ada@lab.example', plain)
      const body = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, ...more }
      const { status, json } = await ask('/token', body, headers)
      return status === 200 ? json : [status, json.error]
    }
    expect(await own({ client_id: 'desk' })).toEqual([401, 'invalid_client'])
    expect(await own({ client_id: 'desk', client_secret: 'hla_wrong' })).toEqual([401, 'invalid_client'])
    expect(await own({ client_id: 'desk', client_secret: secret, code_verifier: VERIFIER })).toEqual([
      400,
      'invalid_grant',
    ])
    const basic = `Basic ${Buffer.from(`desk:${secret}`).toString('base64')}`
    const { refresh_token: refresh } = await own({}, { authorization: basic })
    expect(await own({}, { authorization: basic.replace('Basic', 'basic ') })).toHaveProperty('refresh_token')
    for (const authorization of [`${basic} x`, `x ${basic}`])
      expect(await own({}, { authorization })).toEqual([401, 'invalid_client'])
    const { access_token: token } = await own({ ...form, client_secret: secret }).then((json) => json)
    expect(token).toBeUndefined()
    const again = { grant_type: 'refresh_token', refresh_token: refresh }
    expect((await ask('/token', again)).json.error).toBe('invalid_client')
    expect((await ask('/token', { ...again, client_id: 'public' })).json.error).toBe('invalid_grant')
    expect((await ask('/token', { ...again, client_id: 'desk', client_secret: secret })).status).toBe(200)
  })

  test('gets no refresh token where it asks for none', async () => {
    const { json } = await exchange(await codeFor('ada@lab.example', { access_type: 'online' }))
    expect(json).not.toHaveProperty('refresh_token')
    expect(await about(json.access_token)).toBe('ada@lab.example')
  })
})

describe('the page', () => {
  test('lets nobody frame it, script it or read it from elsewhere, and shows names as text', async () => {
    const answer = await fetch(pageUrl({ client_id: 'desk' }), {
      headers: { origin: 'https://evil.example' },
    })
    const { headers } = answer
    expect(headers.get('content-security-policy')).toContain(
      "default-src 'none'; style-src 'self'; form-action 'self' http://localhost:9;",
    )
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect([
      headers.get('x-frame-options'),
      headers.get('cache-control'),
      headers.get('referrer-policy'),
    ]).toEqual(['DENY', 'no-store', 'no-referrer'])
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict$/)
    expect(await answer.text()).toContain('Desk &lt;b&gt;&amp;')
  })

  test.for(['no cookie', 'the cookie of another', 'the proof for another address'])(
    'takes no form with %s',
    async (how) => {
      const [page, other] = [await openPage(pageUrl()), await openPage(pageUrl({ scope: 'drive.readonly' }))]
      const cookie = how === 'no cookie' ? '' : how === 'the cookie of another' ? other.cookie : page.cookie
      const proof =
        how === 'the proof for another address'
          ? (await openPage(pageUrl({ state: 'x' }), page.cookie)).proof
          : page.proof
      const fields = { email: 'ada@lab.example', password: PASSWORD, decision: 'allow' }
      const { status, location } = await sendForm(pageUrl(), { cookie, proof }, fields)
      expect([status, location]).toEqual([403, undefined])
    },
  )

  test.for([['ada@lab.example', 'wrong horse battery', 401]] as const)(
    'lets %s with %j not in',
    async ([email, password, expected]) => {
      const { status, location, text } = await allow(pageUrl(), email, password)
      expect([status, location]).toEqual([expected, undefined])
      expect(text).toContain('E-mail address or password is wrong.')
      expect(text).not.toContain(password)
    },
  )
})

describe('a program without a browser', () => {
  const begin = async (form: Readonly<Record<string, string>> = {}) =>
    ask('/device/code', { client_id: 'hla', scope: 'drive', ...form })
  const poll = async (code: string, more = {}) => {
    const form = { grant_type: DEVICE, device_code: code, client_id: 'hla', ...more }
    const { status, json } = await ask('/token', form)
    return status === 200 ? json : json.error
  }

  test('gets tokens when somebody has typed its code, once', async () => {
    const { json } = await begin({ scope: 'email drive' })
    expect(json).toMatchObject({ verification_uri: `${drive.url}/device`, expires_in: 900, interval: 5 })
    expect(json.user_code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/)
    expect([await poll(json.device_code), await poll(json.device_code)]).toEqual([
      'authorization_pending',
      'slow_down',
    ])
    const typed = `${drive.url}/device?user_code=${json.user_code.toLowerCase().replace('-', '+')}`
    const { status, text } = await allow(typed, 'ada@lab.example', PASSWORD)
    expect([status, text.includes('Signed in')]).toEqual([200, true])
    expect(await poll(json.device_code, { client_id: 'public' })).toBe('invalid_grant')
    const { access_token: token, refresh_token: refresh, scope } = await poll(json.device_code)
    expect([await about(token), scope]).toEqual(['ada@lab.example', 'drive'])
    expect(refresh).toMatch(/^hla_/)
    expect(await poll(json.device_code)).toBe('invalid_grant')
    expect((await openPage(typed)).status).toBe(404)
  })

  test('is told when it was refused', async () => {
    const { json } = await begin()
    const page = json.verification_uri_complete as string
    const opened = await openPage(page)
    const refused = await sendForm(page, opened, { decision: 'refuse' })
    expect([
      refused.status,
      refused.text.includes('You refused access. The program is not signed in.'),
    ]).toEqual([200, true])
    const again = await sendForm(page, opened, { decision: 'refuse' })
    expect([again.status, again.text.includes('No program is waiting for this code any more.')]).toEqual([
      404,
      true,
    ])
    expect(await poll(json.device_code)).toBe('access_denied')
  })

  test.for([
    [
      { client_id: 'nobody' },
      401,
      'invalid_client',
      'the program is not registered: ask the operator to run hla drive client add',
    ],
    [{ client_id: 'desk' }, 401, 'invalid_client', 'the secret of the program is wrong, or missing'],
    [{ scope: 'email' }, 400, 'invalid_scope', 'scope contains no scope of this store'],
    [{ scope: '' }, 400, 'invalid_scope', 'scope contains no scope of this store'],
  ] as const)('%j: %i %s', async ([form, status, error, description]) => {
    const reply = await begin(form)
    expect([reply.status, reply.json]).toEqual([status, { error, error_description: description }])
  })

  test('takes the first of repeated fields', async () => {
    const { json } = await drive.ask('POST', '/device/code', {
      body: 'client_id=hla&client_id=nobody&scope=drive',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: undefined,
    })
    expect(json).toHaveProperty('user_code')
  })
})

describe('who signs in on the page of the store', () => {
  const PAGE = { 'x-hla-page': '1' }
  const signIn = async (email: string, headers: Readonly<Record<string, string>> = PAGE) => {
    const { status, headers: said } = await ask('/sign-in', { email, password: PASSWORD }, headers)
    return { status, cookie: said.get('set-cookie') ?? '', caching: said.get('cache-control') }
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

  test('has a cookie that scripts do not read and other sites do not use', async () => {
    const { status, cookie, caching } = await signIn('kim@lab.example')
    expect([status, caching, cookie]).toEqual([
      200,
      'no-store',
      expect.stringMatching(/^hla-session=hla_\S+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/),
    ])
    expect(await aboutBy(cookie, PAGE)).toBe(200)
    expect(await aboutBy(cookie, PAGE, 'POST')).toBe(200)
    expect(await aboutBy(cookie, {})).toBe(401)
    expect(await aboutBy(cookie, { ...PAGE, 'sec-fetch-site': 'cross-site' })).toBe(401)
    expect(await aboutBy(cookie, { 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await aboutBy(cookie, { 'sec-fetch-site': 'same-origin' }, 'POST')).toBe(401)
    expect(await aboutBy(cookie, { 'sec-fetch-site': 'same-site' })).toBe(401)
    const out = await ask('/sign-out', {}, { ...PAGE, cookie: cookie.split(';', 1)[0] })
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')])
    expect(await aboutBy(cookie, PAGE)).toBe(401)
  })

  test('is not signed in by another site, and not signed out', async () => {
    const { cookie } = await signIn('kim@lab.example')
    for (const headers of [{}, { ...PAGE, 'sec-fetch-site': 'cross-site' }]) {
      expect((await signIn('kim@lab.example', headers)).status).toBe(403)
      const out = await ask('/sign-out', {}, { ...headers, cookie: cookie.split(';', 1)[0] })
      expect([out.status, out.json.error.message]).toEqual([
        403,
        'Only the page of the store can make this request: sign in there.',
      ])
    }
    expect(await aboutBy(cookie, PAGE)).toBe(200)
  })

  test('has a token of half a day in the list of tokens', async () => {
    const before = Date.now()
    const { json } = await ask('/sign-in', { email: ' Kim@lab.example ', password: PASSWORD }, PAGE)
    expect(json).toEqual({ email: 'Kim@lab.example', expiresIn: 43_200 })
    const made = drive.store.read.all<{ expires: number }>(
      `SELECT t.kind, t.scopes, t.label, c.id AS client, p.email, t.expires
      FROM tokens t JOIN clients c ON c.pk = t.client JOIN principals p ON p.pk = t.user
      WHERE t.label = 'signed in on the page'`,
    )
    const token = {
      kind: 'access',
      scopes: 'drive drive.apps.readonly',
      client: 'hla',
      email: 'kim@lab.example',
    }
    expect(made).not.toEqual([])
    expect(made).toEqual(made.map(({ expires }) => ({ ...token, label: 'signed in on the page', expires })))
    const last = Math.max(...made.map(({ expires }) => expires))
    expect(last).toBeGreaterThanOrEqual(before + 43_200_000)
    expect(last).toBeLessThanOrEqual(Date.now() + 43_200_000)
  })

  test('signs out without a session, too', async () => {
    const { status, headers } = await ask('/sign-out', {}, PAGE)
    expect([status, headers.get('set-cookie')]).toEqual([
      204,
      'hla-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ])
  })

  test('with wrong passwords waits, with a right one does not', async () => {
    const email = 'sam@lab.example'
    await command(drive.store, 'addUser', OPERATOR, { email })
    await command(drive.store, 'setPassword', OPERATOR, { email, hash: quickHash(PASSWORD) })
    const attempt = (password: string, of = email) => ask('/sign-in', { email: of, password }, PAGE)
    const answers = (password: string) => attempt(password).then(({ status }) => status)
    const failures = (value: number) =>
      command(drive.store, 'setLimit', OPERATOR, { name: 'sign-in-failures', value })
    await failures(2)
    // a right password takes back its own attempt and those before it
    for (const [password, status] of [
      ['x', 401],
      [PASSWORD, 200],
      ['x', 401],
      [PASSWORD, 200],
      ['x', 401],
    ] as const)
      expect(await answers(password)).toBe(status)
    const wrong = await attempt('x')
    expect([wrong.status, wrong.json]).toEqual([
      401,
      {
        error: {
          errors: [
            { domain: 'global', reason: 'authError', message: 'E-mail address or password is wrong.' },
          ],
          code: 401,
          message: 'E-mail address or password is wrong.',
        },
      },
    ])
    const text = 'Too many wrong passwords: try again in 15 minutes.'
    const waits = await attempt(PASSWORD)
    expect([waits.status, waits.json]).toEqual([
      429,
      {
        error: {
          errors: [{ domain: 'usageLimits', reason: 'rateLimitExceeded', message: text }],
          code: 429,
          message: text,
        },
      },
    ])
    expect(Number(waits.headers.get('retry-after'))).toBeGreaterThan(850)
    expect(Number(waits.headers.get('retry-after'))).toBeLessThanOrEqual(900)
    const page = await allow(pageUrl(), email, PASSWORD)
    expect([page.status, page.location, page.text.includes(`<p role="alert">${text}</p>`)]).toEqual([
      429,
      undefined,
      true,
    ])
    expect((await attempt(PASSWORD, 'kim@lab.example')).status).toBe(200)
    await failures(10)
    expect(await answers(PASSWORD)).toBe(200)
  })
})

test('programs read where to sign in', async () => {
  const { json } = await drive.ask('GET', '/.well-known/oauth-authorization-server', { token: undefined })
  expect(json).toEqual({
    issuer: drive.url,
    authorization_endpoint: `${drive.url}/authorize`,
    token_endpoint: `${drive.url}/token`,
    device_authorization_endpoint: `${drive.url}/device/code`,
    revocation_endpoint: `${drive.url}/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
  })
})

/** Texts that a page shows, in order, without blanks around them. */
function shown(page: string): string[] {
  const body = page.slice(page.indexOf('<body>'))
  return body.split(/<[^>]*>/).map((text) => text.trim()).filter((text) => text !== '') // prettier-ignore
}

/** Fields and buttons of a page, with their attributes. */
function controls(page: string): Record<string, string | true>[] {
  return [...page.matchAll(/<(form|input|button)\b([^>]*?)\/?>/g)].map(([, tag = '', attributes = '']) => ({
    tag,
    ...Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name, value ?? true]),
    ),
  }))
}

const PROOF = { tag: 'input', type: 'hidden', name: 'proof', value: expect.stringMatching(/^[\w-]{43}$/) }
const credentials = (value: string) => [
  { tag: 'input', id: 'email', name: 'email', type: 'email', autocomplete: 'username', required: true, value },
  { tag: 'input', id: 'password', name: 'password', type: 'password', autocomplete: 'current-password', required: true },
  { tag: 'button', class: 'main', name: 'decision', value: 'allow' },
  { tag: 'button', name: 'decision', value: 'refuse', formnovalidate: true },
] // prettier-ignore
const DECISION = ['E-mail address', 'Password', 'Sign in and allow', 'Refuse']

describe('a whole page', () => {
  test('of a program with a browser', async () => {
    const { text, headers } = await openPage(
      pageUrl({ client_id: 'desk', scope: 'drive.readonly drive.file' }),
    )
    expect(text).toContain('<title>Sign in · Files</title>')
    expect(shown(text)).toEqual([
      'Files',
      'Sign in',
      'Desk &lt;b&gt;&amp;',
      'wants to:',
      'see and download all your files',
      'see and change the files that it created or opened',
      'After that, the browser goes to http://localhost:9.',
      ...DECISION,
    ])
    expect(controls(text)).toEqual([{ tag: 'form', method: 'post' }, PROOF, ...credentials('')])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; form-action 'self' http://localhost:9; base-uri 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'set-cookie': expect.stringMatching(
        /^hla-form=[\w-]{32}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict$/,
      ),
    })
  })

  test('after a wrong password keeps the address, not the password', async () => {
    const url = pageUrl({ client_id: 'desk' })
    const { text, status } = await allow(url, 'kim@lab.example', 'wrong horse battery')
    expect([status, shown(text).slice(-5)]).toEqual([
      401,
      ['E-mail address or password is wrong.', ...DECISION],
    ])
    expect(text).toContain('<p role="alert">E-mail address or password is wrong.</p>')
    expect(controls(text)).toEqual([
      { tag: 'form', method: 'post' },
      PROOF,
      ...credentials('kim@lab.example'),
    ])
  })

  test('that is sent without its proof is shown again', async () => {
    const url = pageUrl()
    const { text, status } = await sendForm(
      url,
      { cookie: '', proof: '' },
      { email: '"x"', decision: 'refuse' },
    )
    expect([status, shown(text).slice(-5)]).toEqual([
      403,
      ['The form was open too long: try again.', ...DECISION],
    ])
    expect(controls(text)).toEqual([{ tag: 'form', method: 'post' }, PROOF, ...credentials('&quot;x&quot;')])
  })

  test('sends a refusal back, and a code with the scope', async () => {
    const url = pageUrl()
    const refused = await sendForm(url, await openPage(url), { decision: 'refuse' })
    expect([refused.status, Object.fromEntries(refused.location?.searchParams ?? [])]).toEqual([
      303,
      { error: 'access_denied', error_description: 'the user refused access', state: 's t&', iss: drive.url },
    ])
    const { location, headers } = await allow(url, 'ada@lab.example', PASSWORD)
    expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
      code: expect.stringMatching(/^hla_\S+$/),
      state: 's t&',
      scope: 'https://www.googleapis.com/auth/drive',
      iss: drive.url,
    })
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ])
  })

  test('of a program without a browser', async () => {
    const asking = await openPage(`${drive.url}/device`)
    expect([asking.status, shown(asking.text)]).toEqual([
      200,
      ['Files', 'Sign in a program', 'Code that the program shows', 'Continue'],
    ])
    expect(controls(asking.text)).toEqual([
      { tag: 'form', method: 'get' },
      { tag: 'input', id: 'user-code', name: 'user_code', autocomplete: 'off', spellcheck: 'false', required: true },
      { tag: 'button', class: 'main' },
    ]) // prettier-ignore
    const unknown = await openPage(`${drive.url}/device?user_code=BBBB-BBBB`)
    expect([unknown.status, shown(unknown.text).slice(3)]).toEqual([
      404,
      ['No program is waiting for this code.', 'Continue'],
    ])
    const { json } = await ask('/device/code', { client_id: 'public', scope: 'drive.metadata drive' })
    expect(json).toEqual({
      device_code: expect.stringMatching(/^hla_\S+$/),
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${drive.url}/device`,
      verification_url: `${drive.url}/device`,
      verification_uri_complete: `${drive.url}/device?user_code=${json.user_code}`,
      expires_in: 900,
      interval: 5,
    })
    const page = await openPage(json.verification_uri_complete)
    expect(shown(page.text)).toEqual([
      'Files',
      'Sign in',
      'public',
      'shows the code',
      json.user_code,
      'and wants to:',
      'see, change, share and delete all your files',
      'see and change names and properties of your files, not what is in them',
      'Allow this only if you have just started the program yourself and it shows this code.',
      ...DECISION,
    ])
    expect(controls(page.text)).toEqual([{ tag: 'form', method: 'post' }, PROOF, ...credentials('')])
    expect(page.headers.get('content-security-policy')).toContain("; form-action 'self'; ")
    const { text } = await allow(json.verification_uri_complete, 'ada@lab.example', PASSWORD)
    expect(shown(text)).toEqual(['Files', 'Signed in', 'The program continues: you can close this page.'])
  })

  test('that refuses a program says so', async () => {
    const { json } = await ask('/device/code', { client_id: 'public', scope: 'drive' })
    const url = json.verification_uri_complete as string
    const { text } = await sendForm(url, await openPage(url), { decision: 'refuse' })
    expect(shown(text)).toEqual(['Files', 'Refused', 'You refused access. The program is not signed in.'])
  })
})

test.for([
  'client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method', 'access_type', 'prompt',
])('a request with %s twice is not believed', async (name) => {
  const { status, text } = await openPage(`${pageUrl({ access_type: 'x', prompt: 'x' })}&${name}=x`)
  expect([status, shown(text).slice(2)]).toEqual([
    400,
    [`The address of this page has ${name} twice.`, 'No information was sent to the application.'],
  ])
}) // prettier-ignore

describe('whom a provider has named for a request', () => {
  const PATH = '/authorize?client_id=public'
  /** Whom the cookie names that was kept for ada and `PATH`, in a request that brings it. */
  const named = (more: { url?: string; isWithout?: boolean; change?: (cookie: string) => string } = {}) => {
    const set: string[] = []
    const visit = {
      drive: { store: drive.store, options: { publicUrl: drive.url } },
      request: { headers: {} },
      reply: { header: (_name: string, value: string) => set.push(value) },
    }
    keepPerson(visit as unknown as Visit, 'ada@lab.example', PATH)
    const { url = PATH, isWithout = false, change = (cookie) => cookie } = more
    const cookie = change(set[0]?.split(';', 1)[0] ?? '')
    const options = isWithout ? {} : { openId: { name: 'the hospital' } }
    return readPerson({ store: drive.store, options } as never, { url, headers: { cookie } } as never) // the parts that are read
  }
  const forged = (email: string, time: number) =>
    Buffer.from(JSON.stringify([email, time])).toString('base64url')

  test('is known in this request, and in no other', () => {
    expect(named()).toBe('ada@lab.example')
    for (const url of ['/authorize', `${PATH}&scope=drive`, '/device?client_id=public', ''])
      expect(named({ url }), `at ${url}`).toBeUndefined()
  })

  test('is not known by a cookie that somebody else made, or without one', () => {
    const facts = forged('kim@lab.example', Date.now() + 1000)
    for (const change of [
      (cookie: string) => cookie.replace(/=[^.]*/, `=${facts}`),
      (cookie: string) => cookie.replace(/\..*/, ''),
      (cookie: string) => cookie.replace(/\..*/, '.'),
      (cookie: string) => `${cookie}x`,
      () => `hla-person=${facts}.${facts}`,
      () => 'hla-person=',
      () => '',
    ])
      expect(named({ change }), `by ${String(change)}`).toBeUndefined()
  })

  test('is not known when the store uses no provider any more', () => {
    expect(named({ isWithout: true })).toBeUndefined()
  })

  test('is known for ten minutes', () => {
    const [begin] = [Date.now()]
    const clock = vi.spyOn(Date, 'now').mockReturnValue(begin)
    const after = (ms: number) =>
      named({
        change: (cookie) => {
          clock.mockReturnValue(begin + ms)
          return cookie
        },
      })
    const known = [599_999, 600_000].map((ms) => {
      clock.mockReturnValue(begin)
      return after(ms)
    })
    clock.mockRestore()
    expect(known).toEqual(['ada@lab.example', undefined])
  })
})

describe('tokens', () => {
  const JWT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const NAMED = 'the program is not registered: ask the operator to run hla drive client add'
  const SECRET = 'the secret of the program is wrong, or missing'
  const NO_REFRESH = 'there is no such refresh token, or it has expired'
  test.for<[Readonly<Record<string, string>>, number, string, string]>([
    [{}, 400, 'invalid_request', 'grant_type is missing'],
    [
      { grant_type: 'password' },
      400,
      'unsupported_grant_type',
      'tokens are given for authorization_code, device_code, jwt-bearer and refresh_token',
    ],
    [{ grant_type: 'refresh_token' }, 400, 'invalid_grant', NO_REFRESH],
    [{ grant_type: 'refresh_token', refresh_token: 'hla_none' }, 400, 'invalid_grant', NO_REFRESH],
    [{ grant_type: 'authorization_code', client_id: 'public' }, 400, 'invalid_request', 'code is missing'],
    [{ grant_type: 'authorization_code', client_id: 'nobody' }, 401, 'invalid_client', NAMED],
    [{ grant_type: 'authorization_code' }, 401, 'invalid_client', NAMED],
    [{ grant_type: 'authorization_code', client_id: 'desk' }, 401, 'invalid_client', SECRET],
    [{ grant_type: DEVICE, client_id: 'public' }, 400, 'invalid_request', 'device_code is missing'],
    [
      { grant_type: DEVICE, client_id: 'public', device_code: 'x' },
      400,
      'invalid_grant',
      'there is no such device_code',
    ],
    [
      { grant_type: JWT, assertion: 'x' },
      400,
      'invalid_grant',
      'the service does not know its address: the operator must set --public-url',
    ],
  ])('are refused for %j', async ([form, status, error, description]) => {
    for (const path of ['/token', '/oauth2/v4/token', '/o/oauth2/token']) {
      const reply = await ask(path, form)
      expect([reply.status, reply.json]).toEqual([status, { error, error_description: description }])
      expect([reply.headers.get('cache-control'), reply.headers.get('www-authenticate')]).toEqual([
        'no-store',
        null,
      ])
    }
  })

  test('are refused to a wrong login with the way to log in', async () => {
    const login = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    for (const text of ['desk:wrong', 'desk', 'desk:', `:${secret}`, `nobody:${secret}`]) {
      const reply = await ask('/token', { grant_type: 'authorization_code', code: 'x' }, login(text))
      expect([reply.status, reply.json.error, reply.headers.get('www-authenticate')]).toEqual([
        401,
        'invalid_client',
        'Basic realm="hla drive"',
      ])
    }
    // right, in the encoding of forms
    const reply = await ask(
      '/token',
      { grant_type: 'authorization_code', code: 'x' },
      login('de%73k:hla%5Fsecret'),
    )
    expect([reply.status, reply.json.error]).toEqual([400, 'invalid_grant'])
  })

  test('are given whole, and again for fewer scopes, as they were written', async () => {
    const scope = 'https://www.googleapis.com/auth/drive.readonly drive.file'
    const { json } = await exchange(await codeFor('ada@lab.example', { scope }))
    expect(json).toEqual({
      access_token: expect.stringMatching(/^hla_\S+$/),
      refresh_token: expect.stringMatching(/^hla_\S+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope,
    })
    const again = (more: Readonly<Record<string, string>>) =>
      ask('/token', { grant_type: 'refresh_token', refresh_token: json.refresh_token, ...more })
    for (const [asked, given] of [
      ['', scope],
      ['drive.file', 'drive.file'],
      ['drive.file email', 'drive.file'],
    ] as const)
      expect((await again({ scope: asked })).json).toEqual({
        access_token: expect.stringMatching(/^hla_\S+$/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: given,
      })
    for (const wider of ['drive', 'drive.file drive', 'email'])
      expect((await again({ scope: wider })).json).toEqual({
        error: 'invalid_scope',
        error_description: 'the refresh token has no such scope',
      })
    expect((await again({ client_id: 'desk' })).json).toEqual({
      error: 'invalid_grant',
      error_description: 'the refresh token belongs to another program',
    })
    expect((await again({ client_id: 'unknown' })).status).toBe(200)
  })

  test('of a code of a device are refused with the reason why', async () => {
    const { json } = await ask('/device/code', { client_id: 'public', scope: 'drive' })
    const poll = async () =>
      (await ask('/token', { grant_type: DEVICE, client_id: 'public', device_code: json.device_code })).json
    expect([await poll(), await poll()]).toEqual([
      { error: 'authorization_pending', error_description: 'the user has not signed in yet' },
      { error: 'slow_down', error_description: 'ask less often' },
    ])
    const url = json.verification_uri_complete as string
    await sendForm(url, await openPage(url), { decision: 'refuse' })
    expect(await poll()).toEqual({ error: 'access_denied', error_description: 'the user refused access' })
  })

  test('of who was disabled since the sign-in are refused as such', async () => {
    const email = 'later@lab.example'
    const { pk } = await command(drive.store, 'addUser', OPERATOR, { email })
    await command(drive.store, 'setPassword', OPERATOR, { email, hash: quickHash(PASSWORD) })
    const code = await codeFor(email)
    expect(code).not.toBe('')
    await command(drive.store, 'changeUser', OPERATOR, { pk, isDisabled: true })
    const reply = await exchange(code)
    expect([reply.status, reply.json.error]).toEqual([400, 'invalid_grant'])
  })

  test('end when they are revoked, whatever else is', async () => {
    const { json } = await exchange(await codeFor())
    const revoke = (form: Readonly<Record<string, string>>) => ask('/revoke', form)
    for (const form of [{}, { token: '' }, { token: 'hla_other' }])
      expect((await revoke(form)).json).toEqual({})
    expect(await about(json.access_token)).toBe('ada@lab.example')
    expect((await revoke({ token: json.access_token })).status).toBe(200)
    expect(await about(json.access_token)).toBe(401)
  })
})
