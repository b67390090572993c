/** Programs use an outside OpenID provider: the sign-in page leads there, and back to the same request. */
import { createHash, createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setting } from '../../../src/drive/domain/settings.ts'
import { barriersOf, hasChromium, openBrowser, visitPage } from '../../support/browser.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { CLIENT, openProvider, type Provider } from '../../support/openid-provider.ts'
import { type People, peopleOf } from '../../support/people.ts'
import { runHla } from '../../support/run-hla.ts'
import { openPage, sendForm, type SignInPage } from '../../support/sign-in.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const REDIRECT = 'http://localhost:9/'
const VERIFIER = 'v'.repeat(50)
const ADA = 'ada@lab.example'
let provider: Provider
let drive: Drive
let people: People

beforeAll(async () => {
  writeFileSync(temp('secret'), CLIENT.secret)
  provider = await openProvider()
  const args = ['--openid-issuer', provider.issuer, '--openid-client-id', CLIENT.id, '--openid-name', 'the <hospital>']
  drive = await startDrive({ args: [...args, '--openid-client-secret-file', temp('secret')] })
  people = await peopleOf(drive)
  for (const name of ['ada', 'bo']) await people.add(`${name}@lab.example`)
  await hla('client', 'add', 'public', '--redirect', 'http://localhost')
}) // prettier-ignore
beforeEach(() => {
  Object.assign(provider, { person: { email: ADA, email_verified: true }, claims: {}, fault: undefined })
})
afterAll(async () => {
  await people.store.close()
  await drive.stop()
  await provider.close()
})

const hla = (...words: string[]) =>
  runHla(['drive', ...words, '--data', drive.folder], { cwd: drive.folder, env: {} })

/** Authorisation request of `public`. */
function request(more: Readonly<Record<string, string>> = {}, path = '/authorize'): string {
  const query = {
    client_id: 'public',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'https://www.googleapis.com/auth/drive',
    state: 's t&"<',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  }
  return `${drive.url}${path}?${new URLSearchParams(query).toString()}`
}

const ask = (path: string, form: Readonly<Record<string, string>>) =>
  drive.ask('POST', path, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    token: undefined,
  })

/** The page's link to the OpenID provider; empty without one. */
function linkOn({ text }: Pick<SignInPage, 'text'>, base = drive.url): string {
  const [, href = ''] = /href="([^"]*sign-in\/openid[^"]*)"/.exec(text) ?? []
  return href === '' ? '' : new URL(href.replaceAll('&amp;', '&'), base).href
}

/** Goes to the provider and back. Returns the last address, and the page with the browser's cookies. */
async function visitProvider(link: string): Promise<{ readonly at: string; readonly page: SignInPage }> {
  const start = await openPage(link)
  const there = await fetch(start.headers.get('location') ?? link, { redirect: 'manual' })
  const back = await openPage(there.headers.get('location') ?? link, start.cookie)
  const at = back.headers.get('location')
  return { at: at ?? '', page: at === null ? back : { ...(await openPage(at, back.cookie)), cookie: back.cookie } }
} // prettier-ignore

/** The page after sign-in, with the cookies of both the page and the sign-in. */
async function returned(url: string): Promise<SignInPage> {
  const { at, page } = await visitProvider(linkOn(await openPage(url)))
  expect(at).toBe(url)
  const shown = await openPage(at, page.cookie)
  return { ...shown, cookie: `${shown.cookie}; ${page.cookie}` }
}

describe('a program with a browser', () => {
  test.for(['/authorize', '/o/oauth2/auth', '/o/oauth2/v2/auth'])(
    'gets tokens of whom the provider has named, at %s',
    async (path) => {
      const url = request({}, path)
      const first = await openPage(url)
      expect(first.text).toContain('Sign in with the &lt;hospital&gt;')
      const page = await returned(url)
      expect(page.text).toContain(`says that you are <strong>${ADA}</strong>`)
      expect(page.text).not.toContain('type="password"')
      const sent = await sendForm(url, page, { decision: 'allow', email: ADA })
      expect([sent.status, sent.location?.searchParams.get('state')]).toEqual([303, 's t&"<'])
      expect(sent.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^hla-person=; .*Max-Age=0/))
      const code = sent.location?.searchParams.get('code') ?? ''
      const form = { grant_type: 'authorization_code', code, client_id: 'public', redirect_uri: REDIRECT }
      const { json } = await ask('/token', { ...form, code_verifier: VERIFIER })
      const about = await drive.ask('GET', '/drive/v2/about', { token: json.access_token })
      expect(about.json.user.emailAddress).toBe(ADA)
    },
  )

  test('is refused by whom the provider has named, too', async () => {
    const page = await returned(request())
    const { location } = await sendForm(request(), page, { decision: 'refuse', email: ADA })
    expect(location?.searchParams.get('error')).toBe('access_denied')
  })

  test('is let in for the request that was asked for alone, in time, as who the page shows', async () => {
    const page = await returned(request())
    const fields = { decision: 'allow', email: ADA }
    const other = request({ scope: 'drive.readonly' })
    const proven = await openPage(other, page.cookie)
    expect(proven.text).toContain('type="password"')
    const kept = page.cookie.split('; ').find((one) => one.startsWith('hla-person=')) ?? ''
    const key = Buffer.from(setting(people.store.read, 'page-key'), 'base64url')
    const facts = JSON.stringify([ADA, Date.now() - 1000])
    const path = request().slice(drive.url.length)
    const signature = createHmac('sha256', key).update(JSON.stringify(['person', path, facts])).digest('base64url')
    const over = `hla-person=${Buffer.from(facts).toString('base64url')}.${signature}`
    const bo = Buffer.from(JSON.stringify(['bo@lab.example', Date.now() + 60_000])).toString('base64url')
    const forged = kept.replace(/=[^.]*/, `=${bo}`)
    const tries = [
      [other, { ...proven, cookie: `${proven.cookie}; ${kept}` }, fields],
      [request(), { ...page, cookie: page.cookie.replace(kept, 'x=1') }, fields],
      [request(), { ...page, cookie: page.cookie.replace(kept, over) }, fields],
      [request(), { ...page, cookie: page.cookie.replace(kept, forged) }, { ...fields, email: 'bo@lab.example' }],
      [request(), page, { ...fields, email: 'bo@lab.example' }],
      [request(), page, { decision: 'allow' }],
    ] as const
    for (const [url, state, said] of tries) {
      const { status, location, text } = await sendForm(url, state, said)
      expect([status, location, text.includes('sign in again')]).toEqual([401, undefined, true])
    }
    const { status } = await sendForm(request(), { ...page, proof: proven.proof }, fields)
    expect(status).toBe(403)
    expect((await sendForm(request(), page, fields)).status).toBe(303)
  }) // prettier-ignore

  test('says so where the provider lets nobody in, and leads back to the request', async () => {
    const cases = [
      [{ fault: 'error' }, 'did not sign you in'],
      [{ person: { email: 'eve@lab.example', email_verified: true } }, 'No user has the address eve@lab.example'],
      [{ person: { email: ADA } }, 'has not verified'],
    ] as const
    for (const [change, why] of cases) {
      Object.assign(provider, { person: { email: ADA, email_verified: true }, fault: undefined }, change)
      const { at, page } = await visitProvider(linkOn(await openPage(request())))
      expect([at, page.status, page.text.includes(why)]).toEqual(['', 403, true])
      const [, back = ''] = /<a href="([^"]*)">Back to what the program asks/.exec(page.text) ?? []
      expect(`${drive.url}${back.replaceAll('&amp;', '&')}`).toBe(request())
    }
  }) // prettier-ignore

  test('may ask for another person than the one who is signed in there', async () => {
    const page = await returned(request())
    await visitProvider(linkOn(page))
    expect(provider.asked.at(-1)?.get('prompt')).toBe('select_account')
    expect(provider.asked.at(-2)?.has('prompt')).toBe(false)
  })

  test('whose request fits into no cookie is told so', async () => {
    const page = await openPage(linkOn(await openPage(request({ state: 'x'.repeat(3000) }))))
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect(page.text).toContain('too long for this sign-in method')
    // the longest request that fits comes back unchanged
    await returned(request({ state: 'x'.repeat(2500 - request({ state: '' }).slice(drive.url.length).length) }))
  }) // prettier-ignore

  test('leads nowhere else', async () => {
    for (const to of ['//evil.example/authorize?x', '/authorize', '/authorizes?x', '/drive/v2/about?x', '/authorize?x\r\ny', '/\\evil?x']) {
      const { headers } = await openPage(`${drive.url}/sign-in/openid?to=${encodeURIComponent(to)}`)
      const [, kept = ''] = headers.getSetCookie()[0]?.split(/[=;]/) ?? []
      expect(JSON.parse(Buffer.from(kept, 'base64url').toString())).toMatchObject({ target: '#' })
    }
  }) // prettier-ignore
})

describe('a program without a browser', () => {
  const poll = (code: string) =>
    ask('/token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code, client_id: 'hla' })
      .then(({ json }) => json) // prettier-ignore

  test('gets tokens of whom the provider has named', async () => {
    const { json } = await ask('/device/code', { client_id: 'hla', scope: 'drive' })
    const url: string = json.verification_uri_complete
    const page = await returned(url)
    const { status, text } = await sendForm(url, page, { decision: 'allow', email: ADA })
    expect([status, text.includes('The program continues')]).toEqual([200, true])
    const { access_token: token } = await poll(json.device_code)
    expect((await drive.ask('GET', '/drive/v2/about', { token })).json.user.emailAddress).toBe(ADA)
  })

  test('is not said to go on for who is disabled: by a password, or by the provider', async () => {
    writeFileSync(temp('password'), 'correct horse battery')
    const bo = 'bo@lab.example'
    Object.assign(provider, { person: { email: bo, email_verified: true } })
    const { json } = await ask('/device/code', { client_id: 'hla', scope: 'drive' })
    const url: string = json.verification_uri_complete
    const named = await returned(url)
    await hla('user', 'set', bo, '--password-file', temp('password'), '--disable')
    for (const fields of [{}, { password: 'correct horse battery' }]) {
      const { status, text } = await sendForm(url, named, { decision: 'allow', email: bo, ...fields })
      expect([status, text.includes('This account is disabled.')]).toEqual([403, true])
    }
    expect((await poll(json.device_code)).error).toBe('authorization_pending')
    const { page } = await visitProvider(linkOn(await openPage(url)))
    expect([page.status, page.text.includes('is disabled')]).toEqual([403, true])
  })
})

test('without a provider the pages ask for a password alone, and a cookie of another time opens nothing', async () => {
  const kept = (await returned(request())).cookie
  const other = await startDrive()
  const { json } = await other.ask('POST', '/device/code', {
    body: 'client_id=hla&scope=drive',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    token: undefined,
  })
  const page = await openPage(json.verification_uri_complete, kept)
  expect([page.text.includes('type="password"'), linkOn(page)]).toEqual([true, ''])
  await other.stop()
})

test.for([1280, 390])('in a browser of %i pixels', async (width, { skip }) => {
  if (!hasChromium) skip()
  const { json } = await ask('/device/code', { client_id: 'hla', scope: 'drive' })
  const browser = await openBrowser()
  const page = await visitPage(browser, json.verification_uri, [], { viewport: { width, height: 800 } })
  await page.getByLabel('Code that the program shows').fill(json.user_code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password').waitFor()
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Sign in with the <hospital>' }).click()
  await page.getByText(ADA).waitFor()
  expect(await barriersOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('The program continues').waitFor()
  await browser.close()
})
