/** Uploads in one request: a body that is the content, or metadata and content in two parts (spec 6.1, 6.2).  [network] */
import type { FastifyReply } from 'fastify'
import { type Asking, command, commandPreparing } from '../../domain/commands.ts'
import { readLimits } from '../../domain/settings.ts'
import type { UploadTarget } from '../../domain/uploads/upload-sessions.ts'
import type { Selection } from '../../protocol/answers/fields.ts'
import {
  expectedMd5,
  lengthIn,
  parseMediaType,
  parseMultipartUpload,
  readMultipartUpload,
} from '../../protocol/bodies/multipart-upload.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Incoming } from '../../persistence/contents/content-file.ts'
import { type Admit, INLINE_LIMIT, stagedBytes } from '../../persistence/contents/staging.ts'
import type { Call, CallAnswer } from '../requests/call.ts'
import { askForBody } from '../requests/expectations.ts'
import { preparedAnswer } from '../operations/files.ts'
import { admission, chooseTarget, incoming, mustConvert, mustHave, wholeBody } from './target.ts'

/** A request whose body is an upload, and how much of its answer is wanted. */
export interface Uploading {
  readonly call: Call
  readonly reply: FastifyReply
  readonly selection: Selection | undefined
}

/** Nothing is kept of an incomplete body. */
export function receiveMedia(uploading: Uploading): Promise<CallAnswer> {
  const { request } = uploading.call
  const target = chooseTarget(uploading.call, {
    metadata: undefined,
    contentType: request.headers['content-type'],
  })
  const size = lengthIn(request.headers, 'content-length')
  const content = isFew(size) ? () => wholeBody(request) : incoming(request)
  return receive(uploading, { target, size, most: size, content })
}

export async function receiveMultipart(uploading: Uploading): Promise<CallAnswer> {
  const { call, reply } = uploading
  const { headers } = call.request
  const boundary = parseMediaType(headers['content-type'])?.parameters.get('boundary')
  const most = lengthIn(headers, 'content-length')
  askForBody(reply)
  const { metadata, contentType, content } = isFew(most)
    ? parseMultipartUpload(await wholeBody(call.request), boundary)
    : await readMultipartUpload(
        incoming(call.request),
        boundary,
        readLimits(call.drive.store.read)['metadata-bytes'],
      )
  const target = chooseTarget(call, { metadata, contentType })
  return receive(uploading, { target, size: undefined, most, content })
}

/** A body of so many bytes is taken at once: any content of it lies in the database. */
function isFew(length: number | undefined): boolean {
  return length !== undefined && length <= INLINE_LIMIT
}

interface Upload {
  readonly target: UploadTarget
  /** Bytes of the content; undefined: not declared. */
  readonly size: number | undefined
  /** Of the body that the content is all or a part of. */
  readonly most: number | undefined
  /** A function gives all of it. */
  readonly content: Incoming | (() => Uint8Array | Promise<Uint8Array>)
}

/** Bytes: less is sooner taken than tried, or compared with the room there is. */
const SMALL = 256 * 1024

async function receive({ call, reply, selection }: Uploading, upload: Upload): Promise<CallAnswer> {
  const { target, size, most, content } = upload
  const { caller, drive, request } = call
  const { admit, end } = admission(drive, caller, { target, few: SMALL })
  try {
    admit(size ?? 0)
    if (most === undefined || most > SMALL)
      await command(drive.store, 'tryUpload', caller, { target, size: size ?? 0 })
    const wanted = expectedMd5(request.headers)
    askForBody(reply)
    const staged = await stage(call, content, admit)
    mustHave(staged, wanted)
    await mustConvert(drive, target, staged)
    const asking: Asking<'storeUpload'> = { command: 'storeUpload', caller, input: { target, staged } }
    end()
    return await commandPreparing(drive.store, asking, (view) => preparedAnswer(view, call, selection))
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
