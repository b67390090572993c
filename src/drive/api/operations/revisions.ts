/** The operations on revisions of a file. */
import { command } from '../../domain/commands.ts'
import {
  type RevisionName,
  type RevisionView,
  getRevision,
  listRevisions,
} from '../../domain/revisions/revisions.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import { type Call, type CallAnswer, NOTHING, pathId, resource } from '../requests/call.ts'
import { readLastKey, requestUrl, listAnswer, listEtag, nextMembers } from '../answers/paging.ts'
import { isMetadataOnly } from '../../domain/access/access.ts'
import { formatDate } from '../../protocol/dates.ts'
import { EXPORTS } from '../../contract/kinds.ts'
import type { ResourceContext } from '../resources/file-access.ts'
import { linksTo } from '../resources/file.ts'
import { userResource } from '../resources/user.ts'

export function getOneRevision(call: Call): CallAnswer {
  return revisionAnswer(getRevision(call.drive.store.read, call.caller, readRevisionName(call)), call)
}

export function listAllRevisions(call: Call): CallAnswer {
  const { drive, caller, parameters } = call
  const id = pathId(call, 'fileId')
  const list = { id, most: parameters.maxResults ?? 200, after: readLastKey(call) }
  const { items: revisions, next } = drive.store.snapshot((db) => listRevisions(db, caller, list))
  const more = nextMembers(call, next === undefined ? undefined : [next])
  const etag = listEtag([...revisions.map((revision) => revision.etag), more['nextPageToken']])
  return listAnswer({
    etag,
    envelope: { kind: 'drive#revisionList', etag, selfLink: requestUrl(call), ...more },
    items: (selection) =>
      revisions.map((revision) => selectFields(revisionResource(revision, call), selection)),
  })
}

/** PUT and PATCH mean the same (spec 1). */
export async function updateRevision(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, body, ifMatch } = call
  const change = { ...readRevisionName(call), body: readMethodBody(method, 'Revision', body), ifMatch }
  return revisionAnswer(await command(drive.store, 'changeRevision', caller, change), call)
}

export async function deleteRevision(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  await command(drive.store, 'removeRevision', caller, { ...readRevisionName(call), ifMatch })
  return NOTHING
}

function readRevisionName(call: Call): RevisionName {
  return { id: pathId(call, 'fileId'), revision: pathId(call, 'revisionId') }
}

function revisionAnswer(revision: RevisionView, call: Call): CallAnswer {
  return resource(revision.etag, (selection) => selectFields(revisionResource(revision, call), selection))
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
