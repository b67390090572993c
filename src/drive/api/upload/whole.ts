/** Uploads in one request: a body that is the content, or one with metadata and content in two parts (spec 6.1, 6.2).  [network] */
import type { FastifyReply } from 'fastify'
import { type CommandCall, command, commandPreparing } from '../../domain/commands.ts'
import { readLimits } from '../../domain/settings.ts'
import type { UploadTarget } from '../../domain/uploads/upload-sessions.ts'
import type { Selection } from '../../protocol/answers/fields.ts'
import {
  expectedMd5,
  readLength,
  parseMediaType,
  parseMultipartUpload,
  readMultipartUpload,
} from '../../protocol/bodies/multipart-upload.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Incoming } from '../../persistence/contents/content-file.ts'
import { type Admit, INLINE_LIMIT, stagedBytes } from '../../persistence/contents/staging.ts'
import type { Call, CallAnswer } from '../requests/call.ts'
import { askForBody } from '../requests/expectations.ts'
import { prepareAnswer } from '../operations/files.ts'
import {
  openAdmission,
  chooseTarget,
  readContent,
  requireConvertible,
  requireMd5,
  wholeBody,
} from './target.ts'

/** Request whose body is an upload, and the selected fields of its response. */
export interface UploadRequest {
  readonly call: Call
  readonly reply: FastifyReply
  readonly selection: Selection | undefined
}

/** Keeps nothing of an incomplete body. */
export function receiveMedia(uploading: UploadRequest): Promise<CallAnswer> {
  const { request } = uploading.call
  const target = chooseTarget(uploading.call, {
    metadata: undefined,
    contentType: request.headers['content-type'],
  })
  const size = readLength(request.headers, 'content-length')
  const content = isFew(size) ? () => wholeBody(request) : readContent(request)
  return receive(uploading, { target, size, most: size, content })
}

export async function receiveMultipart(uploading: UploadRequest): Promise<CallAnswer> {
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
const SMALL = 256 * 1024

async function receive({ call, reply, selection }: UploadRequest, upload: Upload): Promise<CallAnswer> {
  const { target, size, most, content } = upload
  const { caller, drive, request } = call
  const { admit, end } = openAdmission(drive, caller, { target, few: SMALL })
  try {
    admit(size ?? 0)
    if (most === undefined || most > SMALL)
      await command(drive.store, 'tryUpload', caller, { target, size: size ?? 0 })
    const wanted = expectedMd5(request.headers)
    askForBody(reply)
    const staged = await stage(call, content, admit)
    requireMd5(staged, wanted)
    await requireConvertible(drive, target, staged)
    const asking: CommandCall<'storeUpload'> = { command: 'storeUpload', caller, input: { target, staged } }
    end()
    return await commandPreparing(drive.store, asking, (view) => prepareAnswer(view, call, selection))
  } finally {
    end()
  }
}

async function stage({ drive }: Call, content: Upload['content'], admit: Admit): Promise<Staged> {
  if (typeof content !== 'function') return drive.store.blobs.stage(content, admit)
  const bytes = await content()
  admit(bytes.length)
  return stagedBytes(bytes)
}
