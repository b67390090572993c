/** `drive#revision`. */
import type { RevisionView } from '../../domain/revisions/revisions.ts'
import { formatDate } from '../../protocol/dates.ts'
import type { Viewing } from './file/field.ts'
import { isMetadataOnly } from './file/file-content.ts'
import { userResource } from './user.ts'

export function revisionResource(view: RevisionView, { caller, links }: Viewing) {
  const { file, id, etag, mime, size, md5, modified, modifier, isPinned, originalName } = view
  const path = `files/${file}/revisions/${id}`
  return {
    kind: 'drive#revision',
    etag,
    id,
    selfLink: links.to(path),
    mimeType: mime,
    modifiedDate: formatDate(modified),
    pinned: isPinned,
    published: false,
    ...(isMetadataOnly(caller) ? {} : { downloadUrl: links.to(`${path}?alt=media&source=downloadUrl`) }),
    ...(modifier === undefined
      ? {}
      : { lastModifyingUserName: modifier.name, lastModifyingUser: userResource(modifier, caller) }),
    originalFilename: originalName,
    md5Checksum: md5,
    fileSize: String(size),
  }
}
