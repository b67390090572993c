/** What is put into the fields of a label on a file: of the type that was defined, or refused (spec 20). */
import type { LabelFieldModificationBody } from '../../contract/bodies.ts'
import { invalid, required } from '../../contract/failure.ts'
import type { LabelField, ValueType } from '../../protocol/bodies/label-fields.ts'
import type { Database } from '../../persistence/database/database.ts'
import type { LabelDefinition } from './label-definitions.ts'

/** By the id of the field, which may be any word. Users are keys of principals. */
export type LabelValues = ReadonlyMap<string, readonly (string | number)[]>

/** @throws 400 — no such field, or a value it cannot have */
export function modifiedValues(
  db: Database,
  { id, fields }: LabelDefinition,
  before: LabelValues,
  modifications: readonly LabelFieldModificationBody[],
): LabelValues {
  const after = new Map(before)
  for (const modification of modifications) {
    const { fieldId, unsetValues } = modification
    if (fieldId === undefined || fieldId === '') throw required('fieldId')
    const field = fields.find((one) => one.id === fieldId)
    if (field === undefined) throw invalid(`The label ${id} has no field ${fieldId}.`, 'fieldId')
    const values = valuesFor(db, field, modification)
    if (unsetValues === true || values?.length === 0) after.delete(fieldId)
    else if (values !== undefined) after.set(fieldId, values)
  }
  return after
}

type Given = Readonly<Record<ValueType, readonly (string | number)[] | undefined>>

/** undefined: nothing is said. */
function valuesFor(
  db: Database,
  field: LabelField,
  modification: LabelFieldModificationBody,
): readonly (string | number)[] | undefined {
  const given: Given = {
    text: modification.setTextValues,
    integer: modification.setIntegerValues,
    dateString: modification.setDateValues,
    selection: modification.setSelectionValues,
    user: modification.setUserValues,
  }
  const { id, valueType, maxValues = 1 } = field
  const wrong = Object.entries(given).find(([type, values]) => type !== valueType && values !== undefined)
  if (wrong !== undefined) throw invalid(`The field ${id} is of the type ${valueType}.`, 'fieldModifications')
  const values = given[valueType]
  if (values !== undefined && values.length > maxValues)
    throw invalid(`The field ${id} takes ${maxValues} values at most.`, 'fieldModifications')
  return values?.map((value) => checkedValue(db, field, value))
}

const LONGEST_TEXT = 1024

function checkedValue(db: Database, field: LabelField, value: string | number): string | number {
  const { id, valueType, choices = [], maxLength = LONGEST_TEXT } = field
  const text = String(value)
  switch (valueType) {
    case 'text':
      if (text.length > maxLength)
        throw invalid(`The field ${id} takes ${maxLength} characters at most.`, 'setTextValues')
      return text
    case 'selection':
      if (!choices.includes(text))
        throw invalid(`The field ${id} has no choice ${text}.`, 'setSelectionValues')
      return text
    case 'user':
      return userNamed(db, text)
    // the body was read with these types
    case 'integer':
    case 'dateString':
      return value
  }
}

/** By e-mail address. */
function userNamed(db: Database, email: string): number {
  const sql = "SELECT pk FROM principals WHERE kind = 'user' AND is_known = 1 AND email = ?"
  const user = db.get<{ pk: number }>(sql, email)
  if (user === undefined) throw invalid(`There is no user ${email}.`, 'setUserValues')
  return user.pk
}
