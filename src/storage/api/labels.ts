/** files.listLabels and modifyLabels: the operator has defined no labels, so no file has one (spec 20). */
import { fileToChange, fileToRead } from '../library/access.ts'
import { invalid } from '../model/failure.ts'
import { readMethodBody } from '../query/body.ts'
import { type Answer, type Call, idIn, resource } from './call.ts'
import { listAnswer } from './list-answer.ts'
import { selectFields } from '../query/fields.ts'

export function listLabels(call: Call): Answer {
  fileToRead(call.drive.store.read, call.caller, idIn(call, 'fileId'))
  return listAnswer({ etag: undefined, envelope: { kind: 'drive#labelList' }, items: () => [] })
}

/** @throws 404, 403, 400 — there is no such label */
export function modifyLabels(call: Call): Answer {
  fileToChange(call.drive.store.read, call.caller, idIn(call, 'fileId'))
  const { labelModifications = [] } = readMethodBody(call.method, 'ModifyLabelsRequest', call.body)
  const [first] = labelModifications
  if (first !== undefined) throw invalid(`There is no label ${first.labelId ?? ''}.`, 'labelId')
  return resource(undefined, (selection) =>
    selectFields({ kind: 'drive#modifyLabelsResponse', modifiedLabels: [] }, selection),
  )
}
