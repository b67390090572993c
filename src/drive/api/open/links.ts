/** Links of their own: routes of those who make them, and the page that asks for the password.  [network] */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assured } from '../../../errors.ts'
import { type Caller, StorageFailure, invalid, lacksScope, required } from '../../contract/failure.ts'
import { mustAdminister } from '../../domain/administration/administer.ts'
import { OPERATOR, command } from '../../domain/commands.ts'
import { type LinkFacts, findLink, listLinks } from '../../domain/permissions/links.ts'
import { attemptSubjects, describeWait, hashPassword, isPassword } from '../../domain/sign-in/passwords.ts'
import { isRecord, parseJson, readObject, wrongType } from '../../protocol/bodies/body.ts'
import { ANYONE } from '../../persistence/database/tables/schema.ts'
import { dateOrNone, sendJson } from '../answers/json.ts'
import { type DriveContext, baseUrl, pathId, refuseInBatch } from '../requests/call.ts'
import { keepLinkOpen } from '../requests/link-callers.ts'
import { bodyOf, pathOf, queryOf } from '../requests/parts.ts'
import { html, readForm, sendPage } from '../sign-in/html.ts'
import { problemText } from '../sign-in/sessions.ts'
import type { Visit } from '../sign-in/visit.ts'

/** Maximum bytes of a body. */
const MAX_BODY_BYTES = 16_384

export function addLinks(app: FastifyInstance, drive: DriveContext): void {
  const { store } = drive
  app.get('/links', (request, reply) => {
    const caller = callerOf(request)
    const { all } = queryOf(request)
    if (all === 'true') mustAdminister(store.read, caller)
    const found = listLinks(store.read, all === 'true' ? undefined : caller.user)
    const base = baseUrl(request, drive.options)
    return sendJson(reply, { kind: 'hla#linkList', items: found.map((link) => describeLink(link, base)) })
  })
  app.post('/links', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const caller = callerOf(request)
    refuseInBatch(request)
    const { file, password, downloads, expires } = readLink(bodyOf(request))
    const hash = password === undefined ? null : await hashPassword(password)
    const made = await command(store, 'openLink', caller, { file, hash, downloads, expires })
    if (made.expires !== null) drive.expiry.note(made.expires)
    return sendJson(reply, describeLink(made, baseUrl(request, drive.options)))
  })
  app.delete('/links/:link', async (request, reply) => {
    await command(store, 'closeLink', callerOf(request), { id: pathLink(request) })
    return reply.code(204).send()
  })
  const open = { config: { isOpen: true }, bodyLimit: MAX_BODY_BYTES }
  app.get('/link/:link', open, (request, reply) => {
    const visit = { drive, request, reply }
    const link = findLink(store.read, pathLink(request))
    if (link === undefined) return ended(visit)
    return link.password === null ? enter(visit, link) : askPassword(visit, link)
  })
  app.post('/link/:link', open, (request, reply) => tryPassword({ drive, request, reply }))
}

/** @throws 403 */
function callerOf({ caller }: FastifyRequest): Caller {
  const known = assured(caller, 'the route needs credentials')
  if (!known.scopes.includes('drive')) throw lacksScope()
  return known
}

function pathLink(request: FastifyRequest): string {
  return pathId({ path: pathOf(request) }, 'link')
}

function describeLink({ id, file, kind, title, role, created, maker, ...link }: LinkFacts, base: string) {
  return {
    id,
    file,
    title,
    role,
    address: link.pk === ANYONE ? `${base}${pageOf({ file, kind })}` : `${base}/link/${id}`,
    created: dateOrNone(created),
    expires: dateOrNone(link.expires),
    maker,
    hasPassword: link.password !== null,
    downloads: link.downloads,
    mostDownloads: link.most,
  }
}

function pageOf({ file, kind }: Pick<LinkFacts, 'file' | 'kind'>): string {
  return kind === 'folder' ? `/#folder/${file}` : `/#file/${file}`
}

interface LinkBody {
  readonly file: string
  readonly password: string | undefined
  readonly downloads: number | null
  readonly expires: number | null | undefined
}

/** @throws 400 */
function readLink(bytes: Uint8Array | undefined): LinkBody {
  const { file, password, mostDownloads = null, expires, ...others } = readObject(bytes)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw invalid(`Unknown member of a link: ${unknown}.`, unknown)
  if (typeof file !== 'string' || file === '') throw required('file')
  if (password !== undefined && typeof password !== 'string') throw wrongType('password', 'a string')
  const isCount =
    typeof mostDownloads === 'number' && Number.isSafeInteger(mostDownloads) && mostDownloads > 0
  if (mostDownloads !== null && !isCount)
    throw invalid('mostDownloads must be a whole number above 0.', 'mostDownloads')
  return { file, password, downloads: isCount ? mostDownloads : null, expires: readEnd(expires) }
}

/** @throws 400 */
function readEnd(expires: unknown): number | null | undefined {
  if (expires === undefined || expires === null) return expires
  const at = typeof expires === 'string' ? Date.parse(expires) : Number.NaN
  if (Number.isNaN(at))
    throw invalid('expires must be a date, such as 2027-01-31T12:00:00Z, or null.', 'expires')
  return at
}

/** Counts the attempt as wrong before checking, as a sign-in does. */
async function tryPassword(visit: Visit): Promise<FastifyReply> {
  const { drive, request, reply } = visit
  refuseInBatch(request)
  const { store } = drive
  const link = findLink(store.read, pathLink(request))
  if (link === undefined) return ended(visit)
  if (link.password === null) return enter(visit, link)
  const refuse = (failure: StorageFailure) => {
    if (isJson(request)) throw failure
    return askPassword(visit, link, failure)
  }
  const subjects = attemptSubjects(link.id, request.ip)
  const seconds = await command(store, 'countAttempt', OPERATOR, { subjects })
  if (seconds !== undefined) {
    reply.header('retry-after', String(seconds))
    return refuse(new StorageFailure(429, 'rateLimitExceeded', describeWait(seconds)))
  }
  const given = isJson(request) ? readPassword(bodyOf(request)) : readForm(request)['password']
  if (!(await isPassword(given ?? '', link.password)))
    return refuse(new StorageFailure(401, 'authError', 'The password is wrong.'))
  await command(store, 'forgetAttempt', OPERATOR, { subjects })
  return enter(visit, link)
}

function isJson({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('application/json') === true
}

function readPassword(bytes: Uint8Array | undefined): string | undefined {
  const body = parseJson(bytes)
  return isRecord(body) && typeof body['password'] === 'string' ? body['password'] : undefined
}

/** Programs get the id of the file, browsers its page. */
function enter(visit: Visit, link: LinkFacts): FastifyReply {
  const { request, reply } = visit
  keepLinkOpen(visit, link)
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  if (!isJson(request)) return reply.redirect(pageOf(link), 303)
  const { file, title, expires } = link
  return sendJson(reply, { file, title, expires: dateOrNone(expires) })
}

/** The page does not say what the link opens. */
function askPassword(visit: Visit, { id }: LinkFacts, failure?: StorageFailure): FastifyReply {
  const body = html`<form method="post" action="/link/${id}">
    <label for="password">Password</label>
    <input id="password" name="password" type="password" autocomplete="off" required autofocus />
    ${problemText(failure?.message)}
    <button class="main">Open</button>
    <p class="hint">The person who sent you the link knows it.</p>
  </form>`
  return sendPage(visit, { title: 'This link has a password', body, status: failure?.status ?? 200 })
}

/** @throws 404 — to programs */
function ended(visit: Visit): FastifyReply {
  const message = 'This link does not exist, or has ended.'
  if (isJson(visit.request)) throw new StorageFailure(404, 'notFound', message)
  const body = html`<p>${message} Ask the person who sent it for another one.</p>`
  return sendPage(visit, { title: 'No such link', body, status: 404 })
}
