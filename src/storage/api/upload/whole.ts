/** Uploads in one request: a body that is the content, or metadata and content in two parts (spec 6.1, 6.2).  [network] */
import type { FastifyReply } from 'fastify'
import { command } from '../../library/commands.ts'
import type { UploadTarget } from '../../library/store-upload.ts'
import { parseMediaType } from '../../query/media-type.ts'
import { readMultipartUpload } from '../../query/multipart-upload.ts'
import { expectedMd5, lengthIn } from '../../query/upload-headers.ts'
import type { Incoming } from '../../store/content-file.ts'
import type { Answer, Call } from '../call.ts'
import { askForBody } from '../expectations.ts'
import { fileAnswer } from '../files.ts'
import { admission, mustHave } from './admission.ts'
import { incoming } from './incoming.ts'
import { targetOf } from './target.ts'

/** Nothing is kept of an incomplete body. */
export function receiveMedia(call: Call, reply: FastifyReply): Promise<Answer> {
  const { headers } = call.request
  const target = targetOf(call, { metadata: undefined, contentType: headers['content-type'] })
  const size = lengthIn(headers, 'content-length')
  return receive(call, reply, { target, size, most: size, content: incoming(call.request) })
}

export async function receiveMultipart(call: Call, reply: FastifyReply): Promise<Answer> {
  const { headers } = call.request
  const boundary = parseMediaType(headers['content-type'])?.parameters.get('boundary')
  askForBody(reply)
  const { metadata, contentType, content } = await readMultipartUpload(incoming(call.request), boundary)
  const target = targetOf(call, { metadata, contentType })
  return receive(call, reply, { target, size: undefined, most: lengthIn(headers, 'content-length'), content })
}

interface Upload {
  readonly target: UploadTarget
  /** Bytes of the content; undefined: not declared. */
  readonly size: number | undefined
  /** Of the body that the content is all or a part of. */
  readonly most: number | undefined
  readonly content: Incoming
}

/** Bytes: less is sooner taken than tried, or compared with the room there is. */
const SMALL = 256 * 1024

async function receive(call: Call, reply: FastifyReply, upload: Upload): Promise<Answer> {
  const { target, size, most, content } = upload
  const { caller, drive, request } = call
  const admit = admission(drive, caller, target, SMALL)
  admit(size ?? 0)
  if (most === undefined || most > SMALL)
    await command(drive.store, 'tryUpload', caller, { target, size: size ?? 0 })
  const wanted = expectedMd5(request.headers)
  askForBody(reply)
  const staged = await drive.store.blobs.stage(content, admit)
  mustHave(staged, wanted)
  return fileAnswer(await command(drive.store, 'storeUpload', caller, { target, staged }), call)
}
