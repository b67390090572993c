/** Where uploads come in: the addresses below `/upload/`, which hand on bodies as they come (spec 6).  [network] */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Connections } from '../../../web/connections.ts'
import { openingContents } from '../../domain/access/access.ts'
import { digestToken } from '../../domain/accounts/tokens.ts'
import { findUpload } from '../../domain/uploads/upload-sessions.ts'
import { notFound, StorageFailure } from '../../contract/failure.ts'
import { findMethod } from '../../contract/methods.ts'
import { parseEntityTags } from '../../protocol/etags.ts'
import { parseFields, type Selection } from '../../protocol/answers/fields.ts'
import { parseMediaType } from '../../protocol/media-type.ts'
import { type UploadKind, uploadKind, type UploadQuery } from '../../protocol/bodies/upload-headers.ts'
import { mustNotBeInBatch } from '../requests/base-url.ts'
import type { CallAnswer, Call, DriveContext } from '../requests/call.ts'
import { readCall, returningNothing, send } from '../dispatch.ts'
import { leaveBody } from './leave-body.ts'
import { answerOutcome } from './answer.ts'
import { goOn } from './session.ts'
import { startUpload } from './start.ts'
import { stepByCommand, stepByRange } from './step.ts'
import { type InTurn, newTurns } from './turns.ts'
import { receiveMedia, receiveMultipart, type Uploading } from './whole.ts'

const PATHS = ['/upload/drive/v2/files', '/upload/drive/v2/files/:fileId']

export function addUploads(app: FastifyInstance, drive: DriveContext, connections: Connections): void {
  const inTurn = newTurns()
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    // handlers read it from the request itself
    scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null))
    scope.addHook('onRequest', (request, reply, next) => {
      mustNotBeInBatch(request)
      connections.begin(request, reply, 'content')
      // a type that is none is as none: it is no reason to refuse the bytes
      const { headers } = request.raw
      if (parseMediaType(headers['content-type']) === undefined) delete headers['content-type']
      // the id of an upload is its credential
      if (!hasUploadId(request)) request.caller = drive.callers.callerOf(request)
      next()
    })
    for (const url of PATHS.flatMap((path) => [path, `/resumable${path}`]))
      scope.route({
        method: ['POST', 'PUT', 'DELETE'],
        url,
        config: { isOpen: true, asksForBody: true },
        handler: returningNothing((request, reply) => answerUpload({ drive, inTurn }, request, reply)),
      })
    done()
  })
}

function hasUploadId(request: FastifyRequest): boolean {
  const { upload_id: id } = uploadQuery(request)
  return id !== undefined && id !== ''
}

/** Of a parameter that is given twice the last counts. */
function uploadQuery({ query }: FastifyRequest): UploadQuery {
  const texts = query as Record<string, string | string[]> // as fastify parses it
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Array.isArray(text) ? text.at(-1) : text]),
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
    // the id of an upload is no credential for beginning another
    request.caller ??= drive.callers.callerOf(request)
    const call = makeCall(drive, request)
    mustBeNew(request)
    const uploading = { call, reply, selection: readSelection(call) }
    await send(await answerTo(kind, uploading), call, uploading, reply)
  } catch (error) {
    if (kind !== undefined && 'by' in kind && kind.by === 'commands')
      reply.header('x-goog-upload-status', 'final')
    leaveBody(request, reply)
    throw error
  }
}

function answerTo(kind: UploadKind, uploading: Uploading): Promise<CallAnswer> {
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

/** @throws 404 — no operation has this address; 401; 403 */
function makeCall(drive: DriveContext, request: FastifyRequest): Call {
  const isInsert = request.routeOptions.url?.endsWith('/files') === true
  if (request.method !== (isInsert ? 'POST' : 'PUT')) throw new StorageFailure(404, 'notFound', 'Not Found')
  return readUploadCall(drive, request, isInsert)
}

function readUploadCall(drive: DriveContext, request: FastifyRequest, isInsert: boolean): Call {
  const method = findMethod(isInsert ? 'files.insert' : 'files.update')
  const call = readCall(drive, method, request)
  return { ...call, caller: openingContents(call.caller) }
}

/** An insert that must not replace anything is refused, as by the service whose interface this is. @throws 412 */
function mustBeNew({ headers, method }: FastifyRequest): void {
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
    return { call: read, outcome: await goOn({ drive, session, request, reply, by }, step) }
  })
  await send(answerOutcome(outcome, call, reply, by), call, { selection: readSelection(call) }, reply)
}

/** @throws 400 — fields that a file does not have */
function readSelection({ method: { response }, parameters }: Call): Selection | undefined {
  return response === undefined ? undefined : parseFields(parameters.fields, response)
}
