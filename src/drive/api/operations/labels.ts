/** files.listLabels and modifyLabels. */
import { command } from '../../domain/commands.ts'
import { listLabels as labelsOf } from '../../domain/labels/labels.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import { type CallAnswer, type Call, idIn, resource } from '../requests/call.ts'
import { listAnswer } from '../answers/list-answer.ts'
import { keyBefore, nextMembers } from '../answers/paging.ts'
import { labelResource } from '../resources/label.ts'

export function listLabels(call: Call): CallAnswer {
  const { drive, caller, parameters } = call
  const search = { id: idIn(call, 'fileId'), most: parameters.maxResults ?? 100, after: keyBefore(call) }
  const { items: labels, next } = drive.store.snapshot((db) => labelsOf(db, caller, search))
  // there is no nextLink of these
  const { nextPageToken } = nextMembers(call, next === undefined ? undefined : [next])
  const more = nextPageToken === undefined ? {} : { nextPageToken }
  return listAnswer({
    etag: undefined,
    envelope: { kind: 'drive#labelList', ...more },
    items: (selection) => labels.map((label) => selectFields(labelResource(label, caller), selection)),
  })
}

/** @throws 404, 403, 412, 400 — there is no such label or field, or the value does not fit */
export async function modifyLabels(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, body, ifMatch } = call
  const { labelModifications: modifications = [] } = readMethodBody(method, 'ModifyLabelsRequest', body)
  const modify = { id: idIn(call, 'fileId'), modifications, ifMatch }
  const labels = await command(drive.store, 'modifyLabels', caller, modify)
  const answer = {
    kind: 'drive#modifyLabelsResponse',
    modifiedLabels: labels.map((label) => labelResource(label, caller)),
  }
  return resource(undefined, (selection) => selectFields(answer, selection))
}
