/** `drive#label`. */
import type { FieldView, LabelView } from '../../domain/labels/labels.ts'
import type { Caller } from '../../contract/caller.ts'
import { userResource } from './user.ts'

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

/** Whole numbers are int64. */
function formatValues({ values }: Exclude<FieldView, { readonly valueType: 'user' }>): string[] {
  return values.map(String)
}
