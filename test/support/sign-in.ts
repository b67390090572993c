/** The sign-in pages as a browser handles them, without a browser.  [network] */
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
