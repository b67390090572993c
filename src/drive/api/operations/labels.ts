/** files.listLabels and modifyLabels. */
import { type FieldView, type LabelView, listLabels } from '../../domain/labels/labels.ts'
import { type Handlers, change, pathId, readCallBody, shown } from '../requests/call.ts'
import { readLastKey, listAnswer, nextMembers } from '../answers/paging.ts'
import type { Caller } from '../../contract/failure.ts'
import { userResource } from '../resources/file.ts'

export const LABELS: Handlers = {
  'files.listLabels'(call) {
    const { drive, caller, parameters } = call
    const search = {
      id: pathId(call, 'fileId'),
      most: parameters.maxResults ?? 100,
      after: readLastKey(call),
    }
    const { items: labels, next } = drive.store.snapshot((db) => listLabels(db, caller, search))
    const items = labels.map((label) => labelResource(label, caller))
    return listAnswer(call, { kind: 'drive#labelList', ...nextMembers(call, next) }, items)
  },
  async 'files.modifyLabels'(call) {
    const { caller, ifMatch } = call
    const { labelModifications: modifications = [] } = readCallBody(call, 'ModifyLabelsRequest')
    const modify = { id: pathId(call, 'fileId'), modifications, ifMatch }
    const labels = await change(call, 'modifyLabels', modify)
    const modifiedLabels = labels.map((label) => labelResource(label, caller))
    return shown({ kind: 'drive#modifyLabelsResponse', modifiedLabels })
  },
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
  // integers are int64, written as strings
  const values =
    field.valueType === 'user'
      ? field.values.map((user) => userResource(user, caller))
      : field.values.map(String)
  return { kind: 'drive#labelField', id, valueType, [valueType]: values }
}
