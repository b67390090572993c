/** The operations on revisions of a file. */
import {
  type RevisionName,
  type RevisionView,
  getRevision,
  listRevisions,
} from '../../domain/revisions/revisions.ts'
import {
  type Call,
  type CallAnswer,
  type Handlers,
  change,
  changeOnly,
  pathId,
  readCallBody,
  shown,
} from '../requests/call.ts'
import { withContentDownload } from '../answers/download.ts'
import { readLastKey, listAnswer, listEtag, nextMembers } from '../answers/paging.ts'
import { isMetadataOnly } from '../../domain/access/access.ts'
import { formatDate } from '../../protocol/dates.ts'
import { EXPORTS } from '../../contract/kinds.ts'
import { type ResourceContext, linksTo, userResource } from '../resources/file.ts'

export const REVISIONS: Handlers = {
  'revisions.list'(call) {
    const { drive, caller, parameters } = call
    const list = { id: pathId(call, 'fileId'), most: parameters.maxResults ?? 200, after: readLastKey(call) }
    const { items: revisions, next } = drive.store.snapshot((db) => listRevisions(db, caller, list))
    const more = nextMembers(call, next)
    const etag = listEtag([...revisions.map((revision) => revision.etag), more.nextPageToken])
    const items = revisions.map((revision) => revisionResource(revision, call))
    return listAnswer(call, { kind: 'drive#revisionList', etag, ...more }, items)
  },
  'revisions.get': withContentDownload((call) =>
    revisionAnswer(getRevision(call.drive.store.read, call.caller, readRevisionName(call)), call),
  ),
  'revisions.patch': updateRevision,
  'revisions.update': updateRevision,
  'revisions.delete': (call) =>
    changeOnly(call, 'removeRevision', { ...readRevisionName(call), ifMatch: call.ifMatch }),
}

/** PUT and PATCH mean the same (spec 1). */
async function updateRevision(call: Call): Promise<CallAnswer> {
  const input = { ...readRevisionName(call), body: readCallBody(call, 'Revision'), ifMatch: call.ifMatch }
  return revisionAnswer(await change(call, 'changeRevision', input), call)
}

function readRevisionName(call: Call): RevisionName {
  return { id: pathId(call, 'fileId'), revision: pathId(call, 'revisionId') }
}

function revisionAnswer(revision: RevisionView, call: Call): CallAnswer {
  return shown(revisionResource(revision, call), revision.etag)
}

function revisionResource(view: RevisionView, { caller, links }: ResourceContext) {
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

function findLinks({ file, id, mime }: RevisionView, path: string, links: ResourceContext['links']) {
  const types = EXPORTS.get(mime)
  if (types === undefined) return { downloadUrl: links.to(`${path}?alt=media&source=downloadUrl`) }
  return { exportLinks: linksTo(types, `files/${file}/export`, links, id) }
}
