/** `drive#revision`. */
import { isMetadataOnly } from '../../domain/access/access.ts'
import type { RevisionView } from '../../domain/revisions/revisions.ts'
import { formatDate } from '../../protocol/dates.ts'
import { EXPORTS } from '../../contract/kinds.ts'
import type { Viewing } from './file/field.ts'
import { linksTo } from './file/file-content.ts'
import { userResource } from './user.ts'

export function revisionResource(view: RevisionView, { caller, links }: Viewing) {
  const { id, file, etag, mime, size, md5, modified, modifier, isPinned, originalName } = view
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
    ...(isMetadataOnly(caller) ? {} : findLinks(view, path, links)),
    ...(modifier === undefined
      ? {}
      : { lastModifyingUserName: modifier.name, lastModifyingUser: userResource(modifier, caller) }),
    ...(EXPORTS.has(mime)
      ? {}
      : { originalFilename: originalName, md5Checksum: md5, fileSize: String(size) }),
  }
}

function findLinks({ file, id, mime }: RevisionView, path: string, links: Viewing['links']) {
  const types = EXPORTS.get(mime)
  if (types === undefined) return { downloadUrl: links.to(`${path}?alt=media&source=downloadUrl`) }
  return { exportLinks: linksTo(types, `files/${file}/export`, links, id) }
}
