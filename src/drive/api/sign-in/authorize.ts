/** Authorization endpoint: the page on which a user signs in and allows a client to access the files (RFC 6749, 4.1). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../contract/failure.ts'
import { digestToken, newToken, readScopes, scopeWords } from '../../domain/accounts/tokens.ts'
import { OPERATOR, command } from '../../domain/commands.ts'
import { isKnownRedirect, redirectSource, redirectWith } from '../../protocol/redirects.ts'
import { type DriveContext, baseUrl } from '../requests/call.ts'
import { queryOf } from '../requests/parts.ts'
import { OPEN_FORM, type Visit } from './visit.ts'
import { type Html, formProof, html, sendPage } from './html.ts'
import { forgetPerson } from './client-login.ts'
import { type FormState, decideForm, decisionFields } from './sessions.ts'
import { type ClientFacts, findClient } from '../../domain/accounts/clients.ts'
import type { Database } from '../../persistence/database/database.ts'

/** Authorization endpoints; clients of the public service have the last two built in. */
export const AUTHORIZE_PATHS = ['/authorize', '/o/oauth2/auth', '/o/oauth2/v2/auth'] as const

export function addAuthorize(app: FastifyInstance, drive: DriveContext): void {
  for (const path of AUTHORIZE_PATHS) {
    app.get(path, OPEN_FORM, (request, reply) => answer({ drive, request, reply }, showForm))
    app.post(path, OPEN_FORM, (request, reply) => answer({ drive, request, reply }, decide))
  }
}

async function answer(
  visit: Visit,
  proceed: (visit: Visit, asked: AuthorizeRequest) => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
  const checked = checkAuthorize(visit.drive.store.read, visit.request)
  switch (checked.kind) {
    case 'asked':
      return proceed(visit, checked.asked)
    case 'back':
      return sendBack(visit, checked)
    case 'stays':
      return sendPage(visit, {
        title: 'This request cannot continue',
        status: 400,
        body: html`<p>${checked.why}</p>
          <p>No information was sent to the application.</p>`,
      })
  }
}

function showForm(visit: Visit, asked: AuthorizeRequest, state: FormState = {}): FastifyReply {
  const { client, redirect, scopes } = asked
  const body = html`<form method="post">
    <p><strong>${client.name}</strong> wants to:</p>
    ${scopeList(scopes)}
    <p class="hint">After that, the browser goes to ${redirectSource(redirect)}.</p>
    ${formProof(visit)} ${decisionFields(visit, state)}
  </form>`
  const leadsTo = redirectSource(redirect)
  return sendPage(visit, { title: 'Sign in', body, status: state.status ?? 200, leadsTo })
}

function decide(visit: Visit, asked: AuthorizeRequest): Promise<FastifyReply> {
  const { client, redirect, state, scopes, scope, challenge, isLasting } = asked
  const carryOut = async (user: number | undefined) => {
    const code = newToken()
    if (user !== undefined) {
      const facts = { redirect, challenge, scope, isLasting }
      const made = { digest: digestToken(code), user, client: client.pk, scopes, facts }
      await command(visit.drive.store, 'addCode', OPERATOR, made)
    }
    forgetPerson(visit)
    const refused = { error: 'access_denied', error_description: 'the user refused access', state }
    return sendBack(visit, { redirect, answer: user === undefined ? refused : { code, state, scope } })
  }
  return decideForm(visit, (form) => showForm(visit, asked, form), carryOut)
}

/** Adds the issuer, so that a client of several services cannot be misled (RFC 9207). */
function sendBack({ drive, request, reply }: Visit, { redirect, answer: said }: WayBack): FastifyReply {
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  return reply.redirect(redirectWith(redirect, { ...said, iss: baseUrl(request, drive.options) }), 303)
}

interface WayBack {
  readonly redirect: string
  readonly answer: Readonly<Record<string, string | undefined>>
}

interface AuthorizeRequest {
  readonly client: ClientFacts
  readonly redirect: string
  readonly state: string | undefined
  readonly scopes: readonly Scope[]
  /** Scopes as the client wrote them. */
  readonly scope: string
  readonly challenge: string | undefined
  readonly isLasting: boolean
}

type CheckedRequest =
  | { readonly kind: 'asked'; readonly asked: AuthorizeRequest }
  /** Failure that is reported to the client by redirecting back to it. */
  | ({ readonly kind: 'back' } & WayBack)
  /** Failure that is shown to the user, because the redirect URI is not registered. */
  | { readonly kind: 'stays'; readonly why: string }

const PARAMETERS = [
  'client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method', 'access_type', 'prompt',
] as const // prettier-ignore

const CHALLENGE = /^[\w-]{43}$/

function checkAuthorize(db: Database, request: FastifyRequest): CheckedRequest {
  const query = queryOf(request)
  const twice = PARAMETERS.find((name) => Array.isArray(query[name]))
  if (twice !== undefined) return { kind: 'stays', why: `The address of this page has ${twice} twice.` }
  const given = (name: (typeof PARAMETERS)[number]) => {
    const value = query[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const id = given('client_id')
  const client = id === undefined ? undefined : findClient(db, id)
  if (client === undefined || client.is_disabled === 1)
    return { kind: 'stays', why: 'The program that sent you here is not registered or is disabled.' }
  const redirect = given('redirect_uri') ?? ''
  // `readRedirect` checked them
  if (!isKnownRedirect(JSON.parse(client.redirects) as string[], redirect))
    return {
      kind: 'stays',
      why: `${client.name} asks to send you to an address that is not registered for it.`,
    }
  const state = given('state')
  const back = (error: string, why: string): CheckedRequest => ({
    kind: 'back',
    redirect,
    answer: { error, error_description: why, state },
  })
  if (given('response_type') !== 'code')
    return back('unsupported_response_type', 'response_type must be code')
  const scope = given('scope') ?? ''
  const scopes = readScopes(scope)
  if (scopes.length === 0) return back('invalid_scope', 'scope contains no scope of this store')
  const [challenge, method] = [given('code_challenge'), given('code_challenge_method')]
  if (challenge === undefined && (client.secret === null || method !== undefined))
    return back('invalid_request', 'code_challenge is missing: a program without a secret needs one (PKCE)')
  if (challenge !== undefined && (method !== 'S256' || !CHALLENGE.test(challenge)))
    return back('invalid_request', 'code_challenge must use code_challenge_method=S256')
  if (given('prompt') === 'none') return back('login_required', 'the user must sign in')
  const isLasting = given('access_type') !== 'online'
  const asked = { client, redirect, state, scopes, scope: scopeWords(scope), challenge, isLasting }
  return { kind: 'asked', asked }
}

const WORDS: Readonly<Record<Scope, string>> = {
  drive: 'see, change, share and delete all your files',
  'drive.readonly': 'see and download all your files',
  'drive.file': 'see and change the files that it created or opened',
  'drive.appdata': 'keep its own data in a folder that only it sees',
  'drive.metadata': 'see and change names and properties of your files, not what is in them',
  'drive.metadata.readonly': 'see names and properties of your files, not what is in them',
  'drive.apps.readonly': 'see which programs you use with the files',
  'drive.photos.readonly': 'see your photographs',
  'drive.meet.readonly': 'see files that were made in meetings',
  'drive.scripts': 'change how your scripts behave',
}

export function scopeList(scopes: readonly Scope[]): Html {
  return html`<ul>
    ${scopes.map((scope) => html`<li>${WORDS[scope]}</li>`)}
  </ul>`
}
