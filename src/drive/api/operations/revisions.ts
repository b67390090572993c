/** The operations on revisions of a file. */
import { command } from '../../domain/commands.ts'
import {
  getRevision,
  listRevisions,
  type RevisionName,
  type RevisionView,
} from '../../domain/revisions/revisions.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import { type CallAnswer, type Call, idIn, NOTHING, resource } from '../requests/call.ts'
import { listAnswer } from '../answers/list-answer.ts'
import { listEtag } from '../answers/list-etag.ts'
import { keyBefore, linkTo, nextMembers } from '../answers/paging.ts'
import { revisionResource } from '../resources/revision.ts'

export function getOneRevision(call: Call): CallAnswer {
  return revisionAnswer(getRevision(call.drive.store.read, call.caller, readRevisionName(call)), call)
}

export function listAllRevisions(call: Call): CallAnswer {
  const { drive, caller, parameters } = call
  const id = idIn(call, 'fileId')
  const list = { id, most: parameters.maxResults ?? 200, after: keyBefore(call) }
  const { items: revisions, next } = drive.store.snapshot((db) => listRevisions(db, caller, list))
  const more = nextMembers(call, next === undefined ? undefined : [next])
  const etag = listEtag([...revisions.map((revision) => revision.etag), more['nextPageToken']])
  return listAnswer({
    etag,
    envelope: { kind: 'drive#revisionList', etag, selfLink: linkTo(call), ...more },
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
  return { id: idIn(call, 'fileId'), revision: idIn(call, 'revisionId') }
}

function revisionAnswer(revision: RevisionView, call: Call): CallAnswer {
  return resource(revision.etag, (selection) => selectFields(revisionResource(revision, call), selection))
}
