/** The page where somebody signs in and lets a program at the files (RFC 6749, 4.1). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isStorageFailure } from '../../contract/failure.ts'
import { digestToken, newToken } from '../../domain/accounts/tokens.ts'
import { command, OPERATOR } from '../../domain/commands.ts'
import { redirectSource, redirectWith } from '../../protocol/redirects.ts'
import { baseUrl } from '../requests/base-url.ts'
import type { DriveContext } from '../requests/call.ts'
import { type AuthorizeRequest, checkAuthorize } from './authorize-request.ts'
import { formProof, isProven, readForm } from './forms.ts'
import { html, sendPage } from './html.ts'
import { checkPerson, forgetPerson } from './openid/person.ts'
import { describeCheck } from './password-check.ts'
import { decisionFields, type FormState } from './parts.ts'
import { scopeList } from './scope-words.ts'

/** The last two are where clients of the public service point. */
export const AUTHORIZE_PATHS = ['/authorize', '/o/oauth2/auth', '/o/oauth2/v2/auth'] as const

export function addAuthorize(app: FastifyInstance, drive: DriveContext): void {
  const open = { config: { isOpen: true }, bodyLimit: 65_536 }
  for (const path of AUTHORIZE_PATHS) {
    app.get(path, open, (request, reply) =>
      answer(drive, request, reply, () => showForm(drive, request, reply)),
    )
    app.post(path, open, (request, reply) =>
      answer(drive, request, reply, (asked) => decide(drive, request, reply, asked)),
    )
  }
}

async function answer(
  drive: DriveContext,
  request: FastifyRequest,
  reply: FastifyReply,
  proceed: (asked: AuthorizeRequest) => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
  const checked = checkAuthorize(drive.store.read, request)
  switch (checked.kind) {
    case 'asked':
      return proceed(checked.asked)
    case 'back':
      return sendBack(drive, request, reply, checked)
    case 'stays':
      return sendPage(reply, {
        title: 'This cannot go on',
        status: 400,
        body: html`<p>${checked.why}</p>
          <p>Nobody was told anything.</p>`,
      })
  }
}

function showForm(
  drive: DriveContext,
  request: FastifyRequest,
  reply: FastifyReply,
  state: FormState = {},
): FastifyReply {
  const checked = checkAuthorize(drive.store.read, request)
  if (checked.kind !== 'asked') throw new Error('the form is shown for what can be asked')
  const { client, redirect, scopes } = checked.asked
  const body = html`<form class="note" method="post">
    <p><strong>${client.name}</strong> wants to:</p>
    ${scopeList(scopes)}
    <p class="hint">Afterwards you are sent to ${redirectSource(redirect)}.</p>
    ${formProof(drive, request, reply)} ${decisionFields(drive, request, state)}
  </form>`
  return sendPage(reply, {
    title: 'Sign in',
    body,
    status: state.status ?? 200,
    leadsTo: redirectSource(redirect),
  })
}

async function decide(
  drive: DriveContext,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: AuthorizeRequest,
): Promise<FastifyReply> {
  const form = readForm(request)
  const { email } = form
  const again = (problem: string, status: number) =>
    showForm(drive, request, reply, { problem, email, status })
  if (!isProven(drive, request, form)) return again('The form was open too long: try again.', 403)
  const { redirect, state } = asked
  if (form['decision'] !== 'allow') {
    forgetPerson(drive, request, reply)
    return sendBack(drive, request, reply, {
      redirect,
      answer: { error: 'access_denied', error_description: 'it was not allowed', state },
    })
  }
  const check = await checkPerson(drive, request, form)
  if (check.kind !== 'known') return again(describeCheck(check), check.kind === 'wait' ? 429 : 401)
  const code = newToken()
  const { scopes, scope, challenge, isLasting, client } = asked
  const facts = { redirect, challenge, scope, isLasting }
  try {
    const made = { digest: digestToken(code), user: check.user, client: client.pk, scopes, facts }
    await command(drive.store, 'addCode', OPERATOR, made)
  } catch (error) {
    if (!isStorageFailure(error) || error.status !== 403) throw error
    return again('This account is disabled.', 403)
  }
  forgetPerson(drive, request, reply)
  return sendBack(drive, request, reply, { redirect, answer: { code, state, scope } })
}

/** With who answered, so that a program that asks several services is not misled (RFC 9207). */
function sendBack(
  { options }: DriveContext,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    redirect,
    answer: said,
  }: { readonly redirect: string; readonly answer: Readonly<Record<string, string | undefined>> },
): FastifyReply {
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  return reply.redirect(redirectWith(redirect, { ...said, iss: baseUrl(request, options) }), 303)
}
