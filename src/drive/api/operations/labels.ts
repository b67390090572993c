/** files.listLabels and modifyLabels. */
import { command } from '../../domain/commands.ts'
import { type FieldView, type LabelView, listLabels as labelsOf } from '../../domain/labels/labels.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import { type Call, type CallAnswer, pathId, resource } from '../requests/call.ts'
import { readLastKey, listAnswer, nextMembers } from '../answers/paging.ts'
import type { Caller } from '../../contract/failure.ts'
import { userResource } from '../resources/user.ts'

export function listLabels(call: Call): CallAnswer {
  const { drive, caller, parameters } = call
  const search = { id: pathId(call, 'fileId'), most: parameters.maxResults ?? 100, after: readLastKey(call) }
  const { items: labels, next } = drive.store.snapshot((db) => labelsOf(db, caller, search))
  // the schema of this list has no nextLink
  const { nextPageToken } = nextMembers(call, next === undefined ? undefined : [next])
  const more = nextPageToken === undefined ? {} : { nextPageToken }
  return listAnswer({
    etag: undefined,
    envelope: { kind: 'drive#labelList', ...more },
    items: (selection) => labels.map((label) => selectFields(labelResource(label, caller), selection)),
  })
}

/** @throws 404, 403, 412, 400 — no such label or field, or an invalid value */
export async function modifyLabels(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, body, ifMatch } = call
  const { labelModifications: modifications = [] } = readMethodBody(method, 'ModifyLabelsRequest', body)
  const modify = { id: pathId(call, 'fileId'), modifications, ifMatch }
  const labels = await command(drive.store, 'modifyLabels', caller, modify)
  const answer = {
    kind: 'drive#modifyLabelsResponse',
    modifiedLabels: labels.map((label) => labelResource(label, caller)),
  }
  return resource(undefined, (selection) => selectFields(answer, selection))
}

export function labelResource({ id, revision, fields }: LabelView, caller: Caller) {
  return {
    kind: 'drive#label',
    id,
    revisionId: String(revision),
    fields: Object.fromEntries(fields.map((field) => [field.id, fieldResource(field, caller)])),
  }
}

function fieldResource(field: FieldView, caller: Caller) {
  const { id, valueType } = field
  const values =
    field.valueType === 'user' ? field.values.map((user) => userResource(user, caller)) : formatValues(field)
  return { kind: 'drive#labelField', id, valueType, [valueType]: values }
}

/** Integers are int64, written as strings. */
function formatValues({ values }: Exclude<FieldView, { readonly valueType: 'user' }>): string[] {
  return values.map(String)
}
