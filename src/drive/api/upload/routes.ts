/** Upload routes, below `/upload/`: uploads in one request, and the requests of upload sessions (spec 6).  [network] */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Connections } from '../../../web/connections.ts'
import { openingContents } from '../../domain/access/access.ts'
import { digestToken } from '../../domain/accounts/tokens.ts'
import { findUpload, type UploadTarget } from '../../domain/uploads/upload-sessions.ts'
import { StorageFailure, notFound } from '../../contract/failure.ts'
import { findMethod } from '../../contract/methods.ts'
import { parseEntityTags } from '../../protocol/etags.ts'
import { type Selection, parseFields } from '../../protocol/answers/fields.ts'
import {
  type UploadKind,
  type UploadQuery,
  readLength,
  parseMediaType,
  uploadKind,
  expectedMd5,
  parseMultipartUpload,
  readMultipartUpload,
} from '../../protocol/bodies/multipart-upload.ts'
import { type Call, type CallAnswer, type DriveContext, refuseInBatch } from '../requests/call.ts'
import { queryOf, readAtMost } from '../requests/parts.ts'
import { readCall, returningNothing, send } from '../dispatch.ts'
import { type UploadOutcome, continueUpload, stepByCommand, stepByRange } from './session.ts'
import { askForBody, isAwaitingContinue } from '../requests/expectations.ts'
import { accessHook } from '../requests/note-accesses.ts'
import { fileAnswer } from '../operations/files.ts'
import { command } from '../../domain/commands.ts'
import { GRANULE } from '../../contract/upload-granule.ts'
import { newSecret } from '../../protocol/ids.ts'
import { requestUrl } from '../answers/paging.ts'
import {
  chooseTarget,
  expectedHash,
  readContent,
  requireRoom,
  openAdmission,
  requireConvertible,
  requireMd5,
  wholeBody,
} from './target.ts'
import { readLimits } from '../../domain/settings.ts'
import {
  type Incoming,
  type Admit,
  INLINE_LIMIT,
  stagedBytes,
  type UseContent,
} from '../../persistence/contents/staging.ts'

const PATHS = ['/upload/drive/v2/files', '/upload/drive/v2/files/:fileId']

export function addUploads(app: FastifyInstance, drive: DriveContext, connections: Connections): void {
  const inTurn = newTurns()
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    // handlers read the body from the request itself
    scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null))
    scope.addHook('onRequest', (request, reply, next) => {
      refuseInBatch(request)
      connections.begin(request, reply, 'content')
      // an invalid type counts as missing, which is no reason to refuse the bytes
      const { headers } = request.raw
      if (parseMediaType(headers['content-type']) === undefined) delete headers['content-type']
      // the upload id is itself the credential
      if (!hasUploadId(request)) request.caller = drive.callers.callerOf(request)
      next()
    })
    for (const url of PATHS.flatMap((path) => [path, `/resumable${path}`]))
      scope.route({
        method: ['POST', 'PUT', 'DELETE'],
        url,
        config: { isOpen: true, asksForBody: true },
        onSend: accessHook(drive, { action: 'change', method: 'files.insert' }),
        handler: returningNothing((request, reply) => answerUpload({ drive, inTurn }, request, reply)),
      })
    done()
  })
}

function hasUploadId(request: FastifyRequest): boolean {
  const { upload_id: id } = uploadQuery(request)
  return id !== undefined && id !== ''
}

/** Query parameters; of a repeated one the last counts. */
function uploadQuery(request: FastifyRequest): UploadQuery {
  return Object.fromEntries(
    Object.entries(queryOf(request)).map(([name, text]) => [
      name,
      typeof text === 'object' ? text.at(-1) : text,
    ]),
  )
}

interface Service {
  readonly drive: DriveContext
  readonly inTurn: InTurn
}

async function answerUpload(
  { drive, inTurn }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  let kind: UploadKind | undefined
  try {
    kind = uploadKind(request.headers, uploadQuery(request))
    if (kind.kind === 'session') {
      await goOnWith({ drive, inTurn, by: kind.by }, request, reply)
      return
    }
    // an upload id does not authorize the start of another upload
    request.caller ??= drive.callers.callerOf(request)
    const call = makeCall(drive, request, kind)
    refuseIfNoneMatch(request)
    const selection = readSelection(call)
    await send(await answerTo(kind, { call, reply }), call, selection, reply)
  } catch (error) {
    if (kind !== undefined && 'by' in kind && kind.by === 'commands')
      reply.header('x-goog-upload-status', 'final')
    leaveBody(request, reply)
    throw error
  }
}

function answerTo(kind: UploadKind, uploading: UploadRequest): Promise<CallAnswer> {
  switch (kind.kind) {
    case 'media':
      return receiveMedia(uploading)
    case 'multipart':
      return receiveMultipart(uploading)
    case 'start':
    case 'session':
      return startUpload(uploading.call, uploading.reply, kind.by)
  }
}

/**
 * A session of an existing file is opened by PUT, as the interface says, or by POST, as KDE's library opens all
 * sessions. @throws 404 — no operation at this address; 401; 403
 */
function makeCall(drive: DriveContext, request: FastifyRequest, { kind }: UploadKind): Call {
  const isInsert = request.routeOptions.url?.endsWith('/files') === true
  const verbs = isInsert ? ['POST'] : kind === 'start' ? ['PUT', 'POST'] : ['PUT']
  if (!verbs.includes(request.method)) throw new StorageFailure(404, 'notFound', 'Not Found')
  return readUploadCall(drive, request, isInsert)
}

function readUploadCall(drive: DriveContext, request: FastifyRequest, isInsert: boolean): Call {
  const method = findMethod(isInsert ? 'files.insert' : 'files.update')
  const call = readCall(drive, method, request)
  return { ...call, caller: openingContents(call.caller) }
}

/** Refuses an insert with `If-None-Match: *`, as the public service does. @throws 412 */
function refuseIfNoneMatch({ headers, method }: FastifyRequest): void {
  if (method !== 'POST' || parseEntityTags(headers['if-none-match']) !== '*') return
  throw new StorageFailure(412, 'conditionNotMet', 'Precondition Failed', {
    location: 'If-None-Match',
    locationType: 'header',
  })
}

interface Session {
  readonly drive: DriveContext
  readonly inTurn: InTurn
  readonly by: 'ranges' | 'commands'
}

async function goOnWith(
  { drive, inTurn, by }: Session,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { upload_id: id = '' } = uploadQuery(request)
  const digest = digestToken(id)
  const step = by === 'ranges' ? stepByRange(request) : stepByCommand(request)
  const { call, outcome } = await inTurn(digest, request, async () => {
    const session = findUpload(drive.store.read, digest, Date.now())
    if (session === undefined) throw notFound('Upload', id, 'upload_id')
    request.caller = session.caller
    const read = readUploadCall(drive, request, session.target.kind === 'insert')
    return { call: read, outcome: await continueUpload({ drive, session, request, reply, by }, step) }
  })
  await send(answerOutcome(outcome, call, reply, by), call, readSelection(call), reply)
}

/** @throws 400 — unknown fields */
function readSelection({ method: { response }, parameters }: Call): Selection | undefined {
  return response === undefined ? undefined : parseFields(parameters.fields, response)
}

/** ms during which a client may keep sending after the response. */
const LINGER_MS = 10_000

function leaveBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw, socket } = request
  // the body may or may not follow, so the start of the next request is unknown
  if (isAwaitingContinue(request)) reply.header('connection', 'close')
  reply.raw.once('finish', () => {
    if (raw.complete) return
    // Node drops an unread body; the rest of a partly read one would block the next request
    raw.resume()
    // closing at once would lose the response
    setTimeout(() => raw.complete || socket.destroy(), LINGER_MS).unref()
  })
}

function answerOutcome(
  outcome: UploadOutcome,
  call: Call,
  reply: FastifyReply,
  by: 'ranges' | 'commands',
): CallAnswer {
  if (outcome.kind === 'file') {
    if (by === 'commands') reply.header('x-goog-upload-status', 'final')
    return fileAnswer(outcome.view, call)
  }
  const headers = by === 'commands' ? statusHeader(outcome) : rangeHeader(outcome, call)
  return {
    kind: 'own',
    send: (to) =>
      to
        .code(statusCode(outcome, call, by))
        .headers(headers)
        .send(),
  }
}

type Unfinished = Exclude<UploadOutcome, { readonly kind: 'file' }>

function statusCode(outcome: Unfinished, call: Call, by: 'ranges' | 'commands'): number {
  if (by === 'commands') return 200
  if (outcome.kind === 'cancelled') return 499
  return takes308(call) ? 308 : 200
}

/** False for clients that refuse 308 by a header, because their libraries treat it as a redirect. */
function takes308({ request }: Call): boolean {
  return request.headers['x-guploader-no-308']?.toString().toLowerCase() !== 'yes'
}

function statusHeader(outcome: Unfinished): Record<string, string> {
  if (outcome.kind === 'cancelled') return { 'x-goog-upload-status': 'cancelled' }
  return { 'x-goog-upload-status': 'active', 'x-goog-upload-size-received': String(outcome.received) }
}

/** Omits the range of an empty upload: `bytes=0--1` is invalid. */
function rangeHeader(outcome: Unfinished, call: Call): Record<string, string> {
  if (outcome.kind === 'cancelled') return {}
  return {
    ...(takes308(call) ? {} : { 'x-http-status-code-override': '308' }),
    ...(outcome.received === 0 ? {} : { range: `bytes=0-${outcome.received - 1}` }),
  }
}

type By = Extract<UploadKind, { readonly by: unknown }>['by']

/** Headers that describe the content, by the protocol of the upload. */
const HEADERS = {
  ranges: ['x-upload-content-type', 'x-upload-content-length'],
  commands: ['x-goog-upload-header-content-type', 'x-goog-upload-header-content-length'],
} as const

async function startUpload(call: Call, reply: FastifyReply, by: By): Promise<CallAnswer> {
  const { drive, caller, request } = call
  const { store, options } = drive
  const [type, length] = HEADERS[by]
  const total = readLength(request.headers, length)
  askForBody(reply)
  const metadata = await readAtMost(readContent(request), options.maxBody)
  // this header occurs once
  const target = chooseTarget(call, { metadata, contentType: request.headers[type]?.toString() })
  requireRoom(drive, caller, { target, received: 0 }, total ?? 0)
  const id = newSecret()
  const staged = store.blobs.uploads.newName()
  const facts = { digest: digestToken(id), target, total, staged, md5: expectedHash(call) }
  await command(store, 'openUpload', caller, facts)
  return { kind: 'own', send: (to) => to.headers(sessionAddresses(call, id, by)).send() }
}

/** Addresses of the session; the id in them is its credential. */
function sessionAddresses(call: Call, id: string, by: By): Record<string, string> {
  const common = { 'x-guploader-uploadid': id, 'content-length': '0' }
  if (by === 'ranges') return { ...common, location: requestUrl(call, { upload_id: id }) }
  const url = requestUrl(call, { upload_id: id, upload_protocol: 'resumable' })
  return {
    ...common,
    'x-goog-upload-status': 'active',
    'x-goog-upload-url': url,
    'x-goog-upload-control-url': url,
    'x-goog-upload-chunk-granularity': String(GRANULE),
  }
}

type InTurn = <Result>(
  upload: string,
  request: FastifyRequest,
  work: () => Promise<Result>,
) => Promise<Result>

interface Turn {
  readonly request: FastifyRequest
  readonly over: Promise<void>
}

function newTurns(): InTurn {
  const turns = new Map<string, Turn>()
  return async (upload, request, work) => {
    const before = turns.get(upload)
    let end: () => void = () => undefined
    const turn: Turn = { request, over: new Promise((resolve) => (end = resolve)) }
    turns.set(upload, turn)
    if (before !== undefined && before.request.socket !== request.socket) before.request.socket.destroy()
    try {
      // lets the earlier request store what has arrived
      await before?.over
      return await work()
    } finally {
      if (turns.get(upload) === turn) turns.delete(upload)
      end()
    }
  }
}

/** Request whose body is an upload. */
interface UploadRequest {
  readonly call: Call
  readonly reply: FastifyReply
}

/** Keeps nothing of an incomplete body. */
function receiveMedia(uploading: UploadRequest): Promise<CallAnswer> {
  const { request } = uploading.call
  const target = chooseTarget(uploading.call, {
    metadata: undefined,
    contentType: request.headers['content-type'],
  })
  const size = readLength(request.headers, 'content-length')
  const content = isFew(size) ? () => wholeBody(request) : readContent(request)
  return receive(uploading, { target, size, most: size, content })
}

async function receiveMultipart(uploading: UploadRequest): Promise<CallAnswer> {
  const { call, reply } = uploading
  const { headers } = call.request
  const boundary = parseMediaType(headers['content-type'])?.parameters.get('boundary')
  const most = readLength(headers, 'content-length')
  askForBody(reply)
  const { metadata, contentType, content } = isFew(most)
    ? parseMultipartUpload(await wholeBody(call.request), boundary)
    : await readMultipartUpload(
        readContent(call.request),
        boundary,
        readLimits(call.drive.store.read)['metadata-bytes'],
      )
  const target = chooseTarget(call, { metadata, contentType })
  return receive(uploading, { target, size: undefined, most, content })
}

/** True for a body read at once: its content is small enough to be stored in the database. */
function isFew(length: number | undefined): boolean {
  return length !== undefined && length <= INLINE_LIMIT
}

interface Upload {
  readonly target: UploadTarget
  /** Bytes of the content; undefined if not declared. */
  readonly size: number | undefined
  /** Bytes of the body that holds the content; undefined if not declared. */
  readonly most: number | undefined
  /** Stream of the content, or a function that returns all of it. */
  readonly content: Incoming | (() => Uint8Array | Promise<Uint8Array>)
}

/** Bytes: storing a smaller upload costs less than a trial run or a look-up of the quota. */
const SMALL_BYTES = 256 * 1024

async function receive({ call, reply }: UploadRequest, upload: Upload): Promise<CallAnswer> {
  const { target, size, most, content } = upload
  const { caller, drive, request } = call
  const { admit, end } = openAdmission(drive, caller, { target, few: SMALL_BYTES })
  try {
    admit(size ?? 0)
    if (most === undefined || most > SMALL_BYTES)
      await command(drive.store, 'tryUpload', caller, { target, size: size ?? 0 })
    const wanted = expectedMd5(request.headers)
    askForBody(reply)
    const view = await stage(call, content, admit, async (staged) => {
      requireMd5(staged, wanted)
      await requireConvertible(drive, target, staged)
      end()
      return command(drive.store, 'storeUpload', caller, { target, staged })
    })
    return fileAnswer(view, call)
  } finally {
    end()
  }
}

async function stage<Result>(
  { drive }: Call,
  content: Upload['content'],
  admit: Admit,
  use: UseContent<Result>,
): Promise<Result> {
  if (typeof content !== 'function') return drive.store.blobs.stage(content, admit, use)
  const bytes = await content()
  admit(bytes.length)
  return use(stagedBytes(bytes))
}
