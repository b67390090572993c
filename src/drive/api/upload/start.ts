/** The beginning of an upload in several requests: everything but the bytes (spec 6.3, 6.4).  [network] */
import type { FastifyReply } from 'fastify'
import { command } from '../../domain/commands.ts'
import { digestToken } from '../../domain/accounts/tokens.ts'
import { GRANULE } from '../../../upload-granule.ts'
import { newSecret } from '../../protocol/ids.ts'
import { lengthIn, type UploadKind } from '../../protocol/bodies/upload-headers.ts'
import type { CallAnswer, Call } from '../requests/call.ts'
import { askForBody } from '../requests/expectations.ts'
import { linkTo } from '../answers/paging.ts'
import { expectedHash, mustHaveRoom } from './admission.ts'
import { collect, incoming } from './incoming.ts'
import { chooseTarget } from './target.ts'

type By = Extract<UploadKind, { readonly by: unknown }>['by']

/** Headers that describe the content, by the protocol of the upload. */
const HEADERS = {
  ranges: ['x-upload-content-type', 'x-upload-content-length'],
  commands: ['x-goog-upload-header-content-type', 'x-goog-upload-header-content-length'],
} as const

export async function startUpload(call: Call, reply: FastifyReply, by: By): Promise<CallAnswer> {
  const { drive, caller, request } = call
  const { store, options } = drive
  const [type, length] = HEADERS[by]
  const total = lengthIn(request.headers, length)
  askForBody(reply)
  const metadata = await collect(incoming(request), options.maxBody)
  // a header of ours is there once
  const target = chooseTarget(call, { metadata, contentType: request.headers[type]?.toString() })
  mustHaveRoom(drive, caller, { target, received: 0 }, total ?? 0)
  const id = newSecret()
  const staged = store.blobs.uploads.newName()
  const facts = { digest: digestToken(id), target, total, staged, md5: expectedHash(call) }
  await command(store, 'openUpload', caller, facts)
  return { kind: 'own', send: (to) => to.headers(sessionAddresses(call, id, by)).send() }
}

/** The id is the credential of what follows. */
function sessionAddresses(call: Call, id: string, by: By): Record<string, string> {
  const common = { 'x-guploader-uploadid': id, 'content-length': '0' }
  if (by === 'ranges') return { ...common, location: linkTo(call, { upload_id: id }) }
  const url = linkTo(call, { upload_id: id, upload_protocol: 'resumable' })
  return {
    ...common,
    'x-goog-upload-status': 'active',
    'x-goog-upload-url': url,
    'x-goog-upload-control-url': url,
    'x-goog-upload-chunk-granularity': String(GRANULE),
  }
}
