/** The sign-in pages as a browser handles them, without a browser.  [network] */
import { createHash } from 'node:crypto'
import type { Drive } from './drive.ts'
import { mustBeWhole } from './whole-page.ts'

export interface SignInPage {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  /** The Cookie header of later requests. */
  readonly cookie: string
  readonly proof: string
}

export async function openPage(url: string, cookie = ''): Promise<SignInPage> {
  return readPage(await fetch(url, { headers: { cookie }, redirect: 'manual' }), cookie)
}

async function readPage(answer: Response, before: string): Promise<SignInPage> {
  const text = await answer.text()
  mustBeWhole(answer.headers, text)
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0])
  const [, proof = ''] = /name="proof" value="([^"]*)"/.exec(text) ?? []
  const { status, headers } = answer
  return { status, text, headers, cookie: cookie.length > 0 ? cookie.join('; ') : before, proof }
}

export async function sendForm(
  url: string,
  { cookie, proof }: Pick<SignInPage, 'cookie' | 'proof'>,
  fields: Readonly<Record<string, string>>,
): Promise<SignInPage & { readonly location: URL | undefined }> {
  const body = new URLSearchParams({ proof, ...fields }).toString()
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  const location = answer.headers.get('location')
  return { ...(await readPage(answer, cookie)), location: location === null ? undefined : new URL(location) }
}

/** Opens the page, signs in and allows access. */
export async function allow(url: string, email: string, password: string) {
  return sendForm(url, await openPage(url), { email, password, decision: 'allow' })
}

export const PASSWORD = 'correct horse battery'
export const REDIRECT = 'http://localhost:9/'
export const VERIFIER = 'v'.repeat(50)
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
export const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

/** How the program `public` signs users in to a store. */
export function signIns(drive: () => Pick<Drive, 'url' | 'ask'>) {
  /** URL of the sign-in page for `public`, with a PKCE challenge; undefined members are left out. */
  function pageUrl(more: Readonly<Record<string, string | undefined>> = {}): string {
    const query = {
      client_id: 'public',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'https://www.googleapis.com/auth/drive',
      state: 's t&',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      ...more,
    }
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    return `${drive().url}/authorize?${new URLSearchParams(Object.fromEntries(given)).toString()}`
  }

  const ask = (path: string, form: Readonly<Record<string, string>>, headers = {}) =>
    drive().ask('POST', path, {
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      token: undefined,
    })
  const exchange = (code: string, more: Readonly<Record<string, string>> = {}, headers = {}) =>
    ask(
      '/token',
      {
        grant_type: 'authorization_code',
        code,
        client_id: 'public',
        redirect_uri: REDIRECT,
        code_verifier: VERIFIER,
        ...more,
      },
      headers,
    )
  const about = async (token: string) => {
    const { status, json } = await drive().ask('GET', '/drive/v2/about', { token })
    return status === 200 ? json.user.emailAddress : status
  }
  async function codeFor(email = 'ada@lab.example', more = {}): Promise<string> {
    const { location } = await allow(pageUrl(more), email, PASSWORD)
    return location?.searchParams.get('code') ?? ''
  }
  return { pageUrl, ask, exchange, about, codeFor }
}
