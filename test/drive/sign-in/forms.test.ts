/** The forms of the sign-in pages: how long they are, how often they count, and the page around them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestToken } from '../../../src/drive/domain/accounts/tokens.ts'
import { command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { quickHash, serveHere, type ServiceHere } from '../../support/service-here.ts'
import { allow, DEVICE, openPage, PASSWORD, sendForm, signIns } from '../../support/sign-in.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
beforeAll(async () => {
  drive = await serveHere(temp('store'))
  for (const email of ['ada@lab.example', 'off@lab.example']) {
    const { pk } = await command(drive.store, 'addUser', OPERATOR, { email })
    await command(drive.store, 'setPassword', OPERATOR, { email, hash: quickHash(PASSWORD) })
    if (email.startsWith('off')) await command(drive.store, 'changeUser', OPERATOR, { pk, isDisabled: true })
  }
  const redirects = ['http://localhost']
  for (const id of ['public', 'off', 'desk'])
    await command(drive.store, 'addClient', OPERATOR, { id, redirects })
  await command(drive.store, 'changeClient', OPERATOR, { id: 'off', isDisabled: true })
  await command(drive.store, 'changeClient', OPERATOR, { id: 'desk', secret: digestToken('hla_secret') })
})
afterAll(() => drive.stop())

const { pageUrl, ask } = signIns(() => drive)
const PAGE = { 'x-hla-page': '1' }
const alertOf = (text: string) => /<p role="alert">([^<]*)</.exec(text)?.[1]

test('a page is whole', async () => {
  const { text } = await openPage(pageUrl({ client_id: 'none' }))
  expect(text.replaceAll(/\s+/g, ' ').replaceAll('> <', '><').trim()).toBe(
    [
      '<!doctype html><html lang="en"><head><meta charset="utf-8" />',
      '<meta name="viewport" content="width=device-width, initial-scale=1" />',
      '<meta name="color-scheme" content="light dark" /><title>This request cannot continue · Files</title>',
      '<link rel="stylesheet" href="/page.css" /><link rel="stylesheet" href="/drive.css" /></head><body><header>',
      '<svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" />',
      '<path d="M10 6v20M22 6v20M10 12h12M10 20h12" /></svg><h1>Files</h1></header><main><section id="sign-in">',
      '<h2>This request cannot continue</h2>',
      '<p>The program that sent you here is not registered or is disabled.</p>',
      '<p>No information was sent to the application.</p></section></main></body></html>',
    ].join(''),
  )
})

test('scripts of other origins read no page, and no header of one', async () => {
  const { headers } = await fetch(pageUrl(), { headers: { origin: 'https://evil.example' } })
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

describe('a form', () => {
  test('counts beside another one of the same browser', async () => {
    const [url, other] = [pageUrl(), pageUrl({ scope: 'drive.readonly' })]
    const first = await openPage(url)
    const second = await openPage(other, first.cookie)
    expect(second.cookie).toBe(first.cookie)
    for (const [at, page] of [
      [url, first],
      [other, second],
    ] as const)
      expect((await sendForm(at, page, { decision: 'refuse' })).status).toBe(303)
  })

  test.for(['', 'Allow', 'refuse'])('that decides %j refuses', async (decision) => {
    const fields = { email: 'ada@lab.example', password: PASSWORD, ...(decision === '' ? {} : { decision }) }
    const { status, location } = await sendForm(pageUrl(), await openPage(pageUrl()), fields)
    expect([status, location?.searchParams.get('error')]).toEqual([303, 'access_denied'])
  })

  test.for(['/sign-in', '/sign-out', '/authorize', '/o/oauth2/auth', '/o/oauth2/v2/auth', '/device'])(
    'of up to 64 KiB is read: %s',
    async (path) => {
      const send = async (length: number) =>
        (
          await fetch(`${drive.url}${path}`, {
            method: 'POST',
            body: 'x'.repeat(length),
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          })
        ).status
      expect([(await send(65_536)) === 413, (await send(65_537)) === 413]).toEqual([false, true])
    },
  )

  test('lets nobody in who is disabled', async () => {
    const { status, text, location } = await allow(pageUrl(), 'off@lab.example', PASSWORD)
    expect([status, alertOf(text), location]).toEqual([403, 'This account is disabled.', undefined])
    const page = await ask('/sign-in', { email: 'off@lab.example', password: PASSWORD }, PAGE)
    expect([page.status, page.json.error.message]).toEqual([
      403,
      'The user, the program or the key is disabled.',
    ])
    expect(page.headers.get('set-cookie')).toBeNull()
  })
})

describe('a program that is disabled', () => {
  test('is not let on', async () => {
    const { status, text } = await openPage(pageUrl({ client_id: 'off' }))
    expect([status, text.includes('is not registered or is disabled.')]).toEqual([400, true])
  })

  test('gets no code and no tokens', async () => {
    const error = 'invalid_client'
    for (const [path, form] of [
      ['/device/code', { client_id: 'off', scope: 'drive' }],
      ['/token', { grant_type: 'authorization_code', client_id: 'off', code: 'x' }],
      ['/token', { grant_type: DEVICE, client_id: 'off', device_code: 'x' }],
    ] as const) {
      const { status, json } = await ask(path, form)
      expect([status, json.error]).toEqual([401, error])
    }
  })
})

describe('the page for the code of a program', () => {
  const ASKS = '<label for="user-code">Code that the program shows</label>'

  test('asks for it where it has none, or two', async () => {
    for (const query of ['', '?user_code=A&user_code=B']) {
      const { status, text } = await openPage(`${drive.url}/device${query}`)
      expect([status, text.includes(ASKS), alertOf(text)]).toEqual([200, true, undefined])
    }
  })

  test('takes no form without its proof, and asks again', async () => {
    const { json } = await ask('/device/code', { client_id: 'public', scope: 'drive' })
    const none = { cookie: '', proof: '' }
    for (const [url, isAsked] of [
      [`${drive.url}/device`, true],
      [json.verification_uri_complete as string, false],
    ] as const) {
      const { status, text } = await sendForm(url, none, { decision: 'refuse' })
      const why = 'The form was open too long: try again.'
      expect([status, text.includes(ASKS), alertOf(text)]).toEqual([403, isAsked, why])
    }
    const form = { grant_type: DEVICE, device_code: json.device_code as string, client_id: 'public' }
    expect((await ask('/token', form)).json.error).toBe('authorization_pending')
  })

  test('shows no code to who guesses, and forgets the guesses of who knows one', async () => {
    const failures = (value: number) =>
      command(drive.store, 'setLimit', OPERATOR, { name: 'sign-in-failures', value })
    const { json } = await ask('/device/code', { client_id: 'public', scope: 'drive' })
    const guess = async (url = `${drive.url}/device?user_code=BBBB-BBBB`) => {
      const { status, text } = await openPage(url)
      return [status, alertOf(text)]
    }
    await failures(3)
    const wrong = [404, 'No program is waiting for this code.']
    for (const _ of [1, 2]) expect(await guess()).toEqual(wrong)
    expect(await guess(json.verification_uri_complete)).toEqual([200, undefined])
    for (const _ of [1, 2, 3]) expect(await guess()).toEqual(wrong)
    const waits = 'Too many wrong passwords: try again in 15 minutes.'
    expect(await guess()).toEqual([429, waits])
    expect(await guess(json.verification_uri_complete)).toEqual([429, waits])
    await failures(10)
  })
})
