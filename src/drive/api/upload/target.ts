/** What an upload is to become, read from its request. */
import type { UploadTarget } from '../../domain/uploads/store-upload.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { parseMediaType } from '../../protocol/media-type.ts'
import { readSlug } from '../../protocol/bodies/upload-headers.ts'
import { type Call, idIn } from '../requests/call.ts'
import { readBehavior, idsIn, refuseConversion } from '../operations/files/files.ts'

export interface GivenMetadata {
  /** JSON. */
  readonly metadata: Uint8Array | undefined
  /** `Content-Type` of the content. */
  readonly contentType: string | undefined
}

/** @throws 400 */
export function chooseTarget(call: Call, { metadata, contentType }: GivenMetadata): UploadTarget {
  const { method, parameters, ifMatch, request } = call
  refuseConversion(call)
  const body = readMethodBody(method, 'File', metadata)
  const name = readSlug(request.headers)
  const type = parseMediaType(contentType)?.type
  const isIndexed = parameters.useContentAsIndexableText
  if (method.id === 'files.insert') {
    const file = { body, contentType: type, name, isPinned: parameters.pinned, indexesContent: isIndexed }
    return { kind: 'insert', file }
  }
  return {
    kind: 'update',
    file: {
      id: idIn(call, 'fileId'),
      body,
      ifMatch,
      behavior: readBehavior(call),
      isViewed: parameters.updateViewedDate ?? true,
      add: idsIn(parameters.addParents),
      remove: idsIn(parameters.removeParents),
    },
    content: {
      isNewRevision: parameters.newRevision ?? true,
      isPinned: parameters.pinned ?? false,
      type,
      name,
      isIndexed,
    },
  }
}
