/** What an upload is to become, read from its request. */
import type { UploadTarget } from '../../domain/uploads/store-upload.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { parseMediaType } from '../../protocol/media-type.ts'
import { readSlug } from '../../protocol/bodies/upload-headers.ts'
import type { FileBody } from '../../contract/bodies.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import { stagedContent } from '../conversion/conversions.ts'
import type { WantedDocument } from '../conversion/converter.ts'
import { changedDocument, newDocument } from '../conversion/wanted.ts'
import { type Call, type DriveContext, idIn } from '../requests/call.ts'
import { readBehavior, idsIn } from '../operations/files/files.ts'

export interface GivenMetadata {
  /** JSON. */
  readonly metadata: Uint8Array | undefined
  /** `Content-Type` of the content. */
  readonly contentType: string | undefined
}

/** @throws 400 */
export function chooseTarget(call: Call, { metadata, contentType }: GivenMetadata): UploadTarget {
  const { method, parameters, ifMatch, request } = call
  const given = readMethodBody(method, 'File', metadata)
  const name = readSlug(request.headers)
  const came = parseMediaType(contentType)?.type
  const wanted = (method.id === 'files.insert' ? newDocument : changedDocument)(call, { body: given, type: came, name }) // prettier-ignore
  const { type = came, native } = wanted ?? {}
  const body = wanted === undefined ? given : withoutType(given)
  const isIndexed = parameters.useContentAsIndexableText
  if (method.id === 'files.insert') {
    const file = {
      body,
      contentType: type,
      name,
      isPinned: parameters.pinned,
      indexesContent: isIndexed,
      native,
    }
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
      native,
    },
  }
}

function withoutType(given: FileBody): FileBody {
  const { mimeType: _, ...body } = given
  return body
}

/** The document that the content is to become; undefined: it is kept as it is. */
export function wantedDocument(
  target: UploadTarget,
): (WantedDocument & { readonly title: string }) | undefined {
  const { native, type, title } =
    target.kind === 'insert'
      ? { ...target.file, type: target.file.contentType, title: target.file.body.title ?? target.file.name }
      : { ...target.content, title: target.file.body.title ?? target.content.name }
  return native === undefined || type === undefined ? undefined : { native, type, title: title ?? 'Untitled' }
}

/** Before anything is told of the bytes. @throws 400 — they are not what they are to become; 413 */
export async function mustConvert(
  { conversions }: DriveContext,
  target: UploadTarget,
  staged: Staged,
): Promise<void> {
  const wanted = wantedDocument(target)
  if (wanted !== undefined) await conversions.check(stagedContent(staged), wanted, wanted.title)
}
