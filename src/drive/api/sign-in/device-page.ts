/** Device sign-in: the endpoint that gives a client without a browser its code, and the page on which its user types it (RFC 8628). */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SCOPES } from '../../contract/failure.ts'
import { digestToken, newToken, readScopes, scopeWords } from '../../domain/accounts/tokens.ts'
import { OPERATOR, command } from '../../domain/commands.ts'
import { attemptSubjects } from '../../domain/sign-in/passwords.ts'
import {
  DEVICE_LIFE,
  DEVICE_PAUSE,
  findWaitingDevice,
  newUserCode,
  readUserCode,
} from '../../domain/sign-in/devices.ts'
import { type DriveContext, baseUrl, refuseInBatch } from '../requests/call.ts'
import { queryOf } from '../requests/parts.ts'
import { authenticateClient, describeCheck, forgetPerson, GrantError } from './client-login.ts'
import { OPEN_FORM, type Visit } from './visit.ts'
import { formProof, html, readForm, sendPage } from './html.ts'
import { type FormState, addSessions, decideForm, decisionFields, problemText } from './sessions.ts'
import { addAuthorize, scopeList } from './authorize.ts'
import { addOpenId } from './openid/routes.ts'
import { sendJson } from '../answers/json.ts'
import type { DriveOptions } from '../options.ts'

/** Device authorization response of RFC 8628. @throws {GrantError} */
export async function openDeviceRequest(drive: DriveContext, request: FastifyRequest): Promise<object> {
  refuseInBatch(request)
  const { store, options } = drive
  const form = readForm(request)
  const client = authenticateClient(store.read, request, form)
  const { scope = '' } = form
  if (readScopes(scope).length === 0)
    throw new GrantError('invalid_scope', 'scope contains no scope of this store')
  const [code, userCode] = [newToken(), newUserCode()]
  const address = createHash('sha256').update(request.ip).digest('base64url')
  const asked = { digest: digestToken(code), userCode, client: client.pk, scope: scopeWords(scope), address }
  if (!(await command(store, 'openDevice', OPERATOR, asked)))
    throw new GrantError('slow_down', 'too many sign-ins are waiting: try again in a while')
  const page = `${baseUrl(request, options)}/device`
  return {
    device_code: code,
    user_code: userCode,
    verification_uri: page,
    // name in the public service
    verification_url: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: DEVICE_LIFE / 1000,
    interval: DEVICE_PAUSE / 1000,
  }
}

function addDevicePage(app: FastifyInstance, drive: DriveContext): void {
  app.get('/device', OPEN_FORM, (request, reply) => showDevice({ drive, request, reply }))
  app.post('/device', OPEN_FORM, (request, reply) => decide({ drive, request, reply }))
}

async function showDevice(visit: Visit, state: FormState = {}): Promise<FastifyReply> {
  const { drive, request } = visit
  const { user_code: given } = queryOf(request)
  if (typeof given !== 'string') return askCode(visit, state.problem, state.status)
  const userCode = readUserCode(given)
  const subjects = attemptSubjects(undefined, request.ip)
  // limits guesses of codes like guesses of passwords
  const seconds = await command(drive.store, 'countAttempt', OPERATOR, { subjects })
  if (seconds !== undefined) return askCode(visit, describeCheck({ kind: 'wait', seconds }), 429)
  const device = findWaitingDevice(drive.store.read, userCode)
  if (device === undefined) return askCode(visit, 'No program is waiting for this code.', 404)
  await command(drive.store, 'forgetAttempt', OPERATOR, { subjects })
  const body = html`<form method="post">
    <p><strong>${device.name}</strong> shows the code <strong>${userCode}</strong> and wants to:</p>
    ${scopeList(device.scopes)}
    <p class="hint">Allow this only if you have just started the program yourself and it shows this code.</p>
    ${formProof(visit)} ${decisionFields(visit, state)}
  </form>`
  return sendPage(visit, { title: 'Sign in', body, status: state.status ?? 200 })
}

function askCode(visit: Visit, problem: string | undefined, status = 200): FastifyReply {
  const body = html`<form method="get">
    <label for="user-code">Code that the program shows</label>
    <input id="user-code" name="user_code" autocomplete="off" spellcheck="false" required />
    ${problemText(problem)}
    <button class="main">Continue</button>
  </form>`
  return sendPage(visit, { title: 'Sign in a program', body, status })
}

function decide(visit: Visit): Promise<FastifyReply> {
  const userCode = readUserCode(String(queryOf(visit.request)['user_code']))
  const carryOut = async (user: number | undefined) => {
    const isAllowed = user !== undefined
    const decision = { userCode, user: user ?? 0, isAllowed }
    if (!(await command(visit.drive.store, 'decideDevice', OPERATOR, decision)))
      return askCode(visit, 'No program is waiting for this code any more.', 404)
    forgetPerson(visit)
    const done = isAllowed
      ? 'The program continues: you can close this page.'
      : 'You refused access. The program is not signed in.'
    return sendPage(visit, { title: isAllowed ? 'Signed in' : 'Refused', body: html`<p>${done}</p>` })
  }
  return decideForm(visit, (state) => showDevice(visit, state), carryOut)
}

export function addSignIn(app: FastifyInstance, drive: DriveContext): void {
  addAuthorize(app, drive)
  addDevicePage(app, drive)
  addSessions(app, drive)
  addOpenId(app, drive)
  addMetadata(app, drive.options)
}

function addMetadata(app: FastifyInstance, options: DriveOptions): void {
  app.get('/.well-known/oauth-authorization-server', { config: { isOpen: true } }, (request, reply) => {
    const issuer = baseUrl(request, options)
    return sendJson(reply, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      device_authorization_endpoint: `${issuer}/device/code`,
      revocation_endpoint: `${issuer}/revoke`,
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
}
