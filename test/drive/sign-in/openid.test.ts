/** Sign-in with a real outside OpenID provider on this machine, with a browser and with plain requests. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { barriersOf, hasChromium, openBrowser, visitPage } from '../../support/browser.ts'
import { CLIENT, openProvider, type Provider } from '../../support/openid-provider.ts'
import { type People, peopleOf } from '../../support/people.ts'
import { callHla } from '../../support/call-hla.ts'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const secret = temp('secret')
let provider: Provider
let drive: Drive
let people: People

const options = (more: readonly string[] = []) => [
  '--openid-issuer', provider.issuer, '--openid-client-id', CLIENT.id, '--openid-client-secret-file', secret,
  '--openid-name', 'the hospital', ...more,
] // prettier-ignore

beforeAll(async () => {
  writeFileSync(secret, `${CLIENT.secret}\n`)
  provider = await openProvider()
  drive = await startDrive({ args: options() })
  people = await peopleOf(drive)
  await people.add('ada@lab.example')
})
beforeEach(() => {
  Object.assign(provider, {
    person: { email: 'ada@lab.example', email_verified: true },
    claims: {},
    fault: undefined,
    hangs: undefined,
  })
})
afterAll(async () => {
  await people.store.close()
  await drive.stop()
  await provider.close()
})

const open = { token: undefined }
const cookiesIn = (headers: Headers) =>
  headers.getSetCookie().map((one) => one.split(';')[0] ?? '').filter((one) => !one.endsWith('=')).join('; ') // prettier-ignore

interface Attempt {
  readonly status: number
  readonly text: string
  readonly session: string
  readonly location: string | null
}

/** Goes to the provider and back, as a browser does. */
async function signIn(
  at: Drive,
  change: (back: URL) => void = () => undefined,
  cookie?: string,
): Promise<Attempt> {
  const start = await at.ask('GET', '/sign-in/openid?to=%23starred', open)
  if (start.status !== 303) return { status: start.status, text: start.text, session: '', location: null }
  const there = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  const back = new URL(there.headers.get('location') ?? '')
  change(back)
  const kept = cookie ?? cookiesIn(start.headers)
  const end = await at.ask('GET', `${back.pathname}${back.search}`, { ...open, headers: { cookie: kept } })
  return {
    status: end.status,
    text: end.text,
    session: cookiesIn(end.headers),
    location: end.headers.get('location'),
  }
}

const about = (at: Drive, cookie: string) =>
  at.ask('GET', '/drive/v2/about', { ...open, headers: { cookie, 'x-hla-page': '1' } })

describe('an OpenID provider', () => {
  test('signs in who has an account of the verified address, with PKCE, state and nonce', async () => {
    const made = await signIn(drive)
    expect([made.status, made.location]).toEqual([303, `${drive.url}/#signed-in/%23starred`])
    expect((await about(drive, made.session)).json.user.emailAddress).toBe('ada@lab.example')
    const asked = Object.fromEntries(provider.asked.at(-1) ?? [])
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: CLIENT.id,
      redirect_uri: `${drive.url}/sign-in/openid/back`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]).toMatch(/^[\w-]{43}$/)
    const listed = await callHla(['drive', 'token', 'list', '--data', drive.folder], {
      cwd: drive.folder,
      env: {},
    })
    expect(listed.stdout).toContain('signed in by the hospital')
  })

  test.for([
    ['whose address is not verified', { person: { email: 'ada@lab.example' } }, 'has not verified'],
    ['whose address is said to be verified in a text', { person: { email: 'ada@lab.example', email_verified: 'true' } }, 'has not verified'],
    ['who has no address', { person: {} }, 'did not send your e-mail'],
    ['who has no account', { person: { email: 'eve@lab.example', email_verified: true } }, 'No user has the address eve@lab.example'],
    ['whom the provider refuses', { fault: 'error' }, 'did not sign you in'],
    ['whose token another key has signed', { fault: 'key' }, 'did not sign you in'],
    ['whose token is for another program', { claims: { aud: 'others' } }, 'did not sign you in'],
    ['whose token is of another provider', { claims: { iss: 'http://127.0.0.1:1' } }, 'did not sign you in'],
    ['whose token is over', { claims: { until: '5 minutes ago' } }, 'did not sign you in'],
    ['whose token was made for another sign-in', { claims: { nonce: 'x'.repeat(43) } }, 'did not sign you in'],
  ] as const)('does not sign in somebody %s', async ([, change, why]) => {
    Object.assign(provider, change)
    const made = await signIn(drive)
    expect([made.status, made.session]).toEqual([403, ''])
    expect(made.text).toContain(why)
  }) // prettier-ignore

  test('counts only for the browser that began, and once', async () => {
    expect(await signIn(drive, undefined, 'hla-openid=')).toMatchObject({ status: 400, session: '' })
    expect(await signIn(drive, undefined, 'hla-openid=e30')).toMatchObject({ status: 400, session: '' })
    const other = await drive.ask('GET', '/sign-in/openid', open)
    expect(await signIn(drive, undefined, cookiesIn(other.headers))).toMatchObject({
      status: 403,
      session: '',
    })
    expect(await signIn(drive, (back) => back.searchParams.set('state', 'x'))).toMatchObject({
      status: 403,
      session: '',
    })
    expect(await signIn(drive, (back) => back.searchParams.append('code', '2'))).toMatchObject({
      status: 403,
      session: '',
    })
  })

  test('leads nowhere but to the page', async () => {
    for (const to of [
      'https://evil.example/',
      'https://evil.example/#starred',
      '//evil.example',
      '#"><script>',
      `#${'x'.repeat(600)}`,
    ]) {
      const start = await drive.ask('GET', `/sign-in/openid?to=${encodeURIComponent(to)}`, open)
      const kept = cookiesIn(start.headers).split('=')[1] ?? ''
      expect(JSON.parse(Buffer.from(kept, 'base64url').toString())).toMatchObject({ target: '#' })
    }
  })

  test.for([
    ['long', 'more than'], ['redirect', 'is not available'], ['insecure', 'without TLS'],
    ['garbled', 'is not available'],
  ] as const)('that misbehaves (%s) is not followed', async ([fault, why]) => {
    provider.fault = fault
    const fresh = await startDrive({ args: options() })
    const made = await signIn(fresh)
    expect([made.status, made.session]).toEqual([502, ''])
    expect(made.text).toContain(why)
    expect(/<p role="alert">([^]*?)<\/p>/.exec(made.text)?.[1]).toMatch(/^\P{Cc}+$/u)
    // and the wrong answer is not stored
    provider.fault = undefined
    expect((await fresh.ask('GET', '/sign-in/openid', open)).status).toBe(303)
    await fresh.stop()
  }) // prettier-ignore

  test.for([
    '/.well-known/openid-configuration', '/token', '/jwks',
  ])('that hangs at %s is given up in time, and keeps nobody waiting', async (path) => {
    const fresh = await startDrive({ args: options(['--openid-create-users']) })
    provider.hangs = path
    const began = performance.now()
    const signingIn = signIn(fresh)
    const { token } = fresh
    expect((await fresh.ask('GET', '/drive/v2/about', { token })).status).toBe(200)
    expect(await signingIn).toMatchObject({ status: 502, session: '' })
    expect(performance.now() - began).toBeLessThan(15_000)
    provider.hangs = undefined
    expect(await signIn(fresh)).toMatchObject({ status: 303 })
    await fresh.stop()
  }) // prettier-ignore

  test('gives an account to who has none only where the operator says so', async () => {
    const fresh = await startDrive({ args: options(['--openid-create-users']) })
    Object.assign(provider, { person: { email: 'eve@lab.example', email_verified: true, name: 'Eve' } })
    const { session } = await signIn(fresh)
    expect((await about(fresh, session)).json.user).toMatchObject({
      emailAddress: 'eve@lab.example',
      displayName: 'Eve',
    })
    await fresh.stop()
  })

  test('does not let in who is disabled', async () => {
    const bo = await people.add('bo@lab.example')
    const ran = await callHla(['drive', 'user', 'set', bo.email, '--disable', '--data', drive.folder], {
      cwd: drive.folder,
      env: {},
    })
    expect(ran.status).toBe(0)
    Object.assign(provider, { person: { email: bo.email, email_verified: true } })
    expect(await signIn(drive)).toMatchObject({ status: 403, session: '' })
  })

  test('that is away is said to be', async () => {
    const away = await openProvider()
    const fresh = await startDrive({ args: [...options(), '--openid-issuer', away.issuer] })
    await away.close()
    expect(await signIn(fresh)).toMatchObject({ status: 502, session: '' })
    await fresh.stop()
  })

  test('is offered by the page', async ({ skip }) => {
    if (!hasChromium) skip()
    const browser = await openBrowser()
    const page = await visitPage(browser, `${drive.url}/#starred`, [])
    const link = page.getByRole('link', { name: 'Sign in with the hospital' })
    await link.waitFor()
    expect(await barriersOf(page)).toEqual([])
    await link.click()
    await page.getByRole('heading', { name: 'Starred' }).waitFor()
    expect(await page.locator('#who').innerText()).toBe('ada@lab.example')
    expect(new URL(page.url()).hash).toBe('#starred')
    await page.reload()
    await page.getByRole('heading', { name: 'Starred' }).waitFor()
    await browser.close()
  })
})

test.for([
  [['--openid-client-id', 'x'], 'need --openid-issuer'],
  [['--openid-issuer', 'https://id.example'], 'needs --openid-client-id'],
  [['--openid-issuer', 'http://id.example', '--openid-client-id', 'x'], 'an https address'],
  [['--openid-issuer', 'https://u@id.example', '--openid-client-id', 'x'], 'an https address'],
  [['--openid-issuer', 'https://id.example', '--openid-client-id', 'x', '--openid-client-secret-file', '/none'], '/none'],
] as const)('options that make no sense are refused: %j', async ([words, why]) => {
  const ran = await runHla(['drive', 'serve', '--data', temp('none'), ...words], { cwd: drive.folder, env: {} })
  expect([ran.status === 0, ran.stderr.includes(why)]).toEqual([false, true])
}) // prettier-ignore
