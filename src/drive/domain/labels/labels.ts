/** The labels of a file (spec 20). */
import { findUser } from '../accounts/users.ts'
import type { LabelFieldModificationBody, LabelModificationBody } from '../../contract/bodies.ts'
import { type Caller, StorageFailure, invalid, required } from '../../contract/failure.ts'
import { type LabelField, type ValueType, isLabelId, readLabelFields } from '../../protocol/bodies/body.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { type VisibleFile, fileToRead } from '../access/access.ts'
import { type ChangedItem, touch } from '../changes/change-log.ts'
import { type TaggedFile, requireMatch } from '../items/preconditions.ts'
import { type KeyedPage, type PageStart, keyedPage } from '../keyed-page.ts'
import { payerFor, withinQuota } from '../accounts/quota.ts'
import { requireFile } from '../access/rights.ts'
import { type UserView, userView } from '../access/principals.ts'

/** Plain data: it comes back from the writer thread. */
export interface LabelView {
  readonly pk: number
  readonly id: string
  readonly revision: number
  readonly fields: readonly FieldView[]
}

export type FieldView =
  | { readonly id: string; readonly valueType: 'user'; readonly values: readonly UserView[] }
  | {
      readonly id: string
      readonly valueType: Exclude<ValueType, 'user'>
      readonly values: readonly (string | number)[]
    }

interface LabelOfFileRow {
  readonly pk: number
  readonly id: string
  readonly revision: number
  readonly fields: string
  readonly is_disabled: number
  readonly given: string
}

/** `fields` exists in both tables; the alias keeps them apart. */
const LABELS = `SELECT l.pk, l.id, l.revision, l.fields, l.is_disabled, g.fields AS given FROM file_labels g JOIN labels l ON l.pk = g.label
  WHERE g.file = ?`

/** @throws 404, 403 */
export function listLabels(
  db: Database,
  caller: Caller,
  { id, most, after }: PageStart & { readonly id: string },
): KeyedPage<LabelView> {
  const file = fileToRead(db, caller, id)
  const rows = db.all<LabelOfFileRow>(
    `${LABELS} AND l.pk > ? ORDER BY l.pk LIMIT ?`,
    file.pk,
    after,
    most + 1,
  )
  return keyedPage(rows, most, (row) => viewLabel(db, row))
}

/** The named labels of a file that the caller may see. */
export function labelsNamed(db: Database, file: number, ids: readonly string[]): LabelView[] {
  const sql = `${LABELS} AND l.id IN (SELECT value FROM json_each(?)) ORDER BY l.pk`
  return db.all<LabelOfFileRow>(sql, file, JSON.stringify(ids)).map((row) => viewLabel(db, row))
}

export interface ModifyLabels extends TaggedFile {
  readonly modifications: readonly LabelModificationBody[]
}

/** Applies all modifications or none. @returns labels added or changed. @throws 404, 403, 412, 400 */
export function modifyLabels(
  tx: Transaction,
  caller: Caller,
  { id, modifications, ifMatch }: ModifyLabels,
): LabelView[] {
  const file = requireFile(tx, caller, id, 'canModifyLabels')
  requireMatch(tx, caller, file, { ifMatch })
  if (modifications.length === 0) return []
  const modified = withinQuota(
    tx,
    payerFor(tx, file),
    () => new Set(modifications.flatMap((one) => modify(tx, file, one))),
  )
  touch(tx, file)
  return labelsNamed(tx, file.pk, [...modified])
}

function modify(tx: Transaction, file: VisibleFile, modification: LabelModificationBody): string[] {
  const { labelId, removeLabel, fieldModifications = [] } = modification
  if (labelId === undefined || labelId === '') throw required('labelId')
  const label = labelNamed(tx, labelId)
  if (removeLabel === true) {
    tx.run('DELETE FROM file_labels WHERE file = ? AND label = ?', file.pk, label.pk)
    return []
  }
  if (label.isDisabled) throw invalid(`The label ${labelId} is disabled.`, 'labelId')
  const values = modifiedValues(tx, label, readLabelValues(tx, file, label), fieldModifications)
  const sql = `INSERT INTO file_labels(file, label, fields) VALUES (?, ?, ?)
    ON CONFLICT(file, label) DO UPDATE SET fields = excluded.fields`
  tx.run(sql, file.pk, label.pk, JSON.stringify(Object.fromEntries(values)))
  return [label.id]
}

function readLabelValues(db: Database, file: VisibleFile, label: LabelDefinition): LabelValues {
  const sql = 'SELECT fields FROM file_labels WHERE file = ? AND label = ?'
  const row = db.get<{ fields: string }>(sql, file.pk, label.pk)
  return row === undefined ? new Map() : readValues(row.fields)
}

/** Parses the column `fields`, which only this file writes. */
function readValues(text: string): LabelValues {
  return new Map(Object.entries(JSON.parse(text) as Record<string, readonly (string | number)[]>))
}

function viewLabel(db: Database, { given, ...row }: LabelOfFileRow): LabelView {
  const { pk, id, revision, fields } = parseDefinition(row)
  const values = readValues(given)
  return {
    pk,
    id,
    revision,
    fields: fields.flatMap(({ id: field, valueType }): FieldView[] => {
      const those = values.get(field)
      if (those === undefined) return []
      if (valueType !== 'user') return [{ id: field, valueType, values: those }]
      const users = those.flatMap((key) => userView(db, Number(key)) ?? [])
      return [{ id: field, valueType, values: users }]
    }),
  }
}

/** Values by field id. Users are keys of principals. */
type LabelValues = ReadonlyMap<string, readonly (string | number)[]>

/** @throws 400 — no such field, or a value that the field cannot have */
function modifiedValues(
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

/** Undefined if the modification sets no values. */
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

const MAX_TEXT_LENGTH = 1024

function checkedValue(db: Database, field: LabelField, value: string | number): string | number {
  const { id, valueType, choices = [], maxLength = MAX_TEXT_LENGTH } = field
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
      return userWithAddress(db, text)
    // the body parser has checked these types
    case 'integer':
    case 'dateString':
      return value
  }
}

function userWithAddress(db: Database, email: string): number {
  const user = findUser(db, email)
  if (user === undefined) throw invalid(`There is no user ${email}.`, 'setUserValues')
  return user.pk
}

export interface LabelDefinition {
  readonly pk: number
  readonly id: string
  /** Incremented with each new definition. */
  readonly revision: number
  readonly fields: readonly LabelField[]
  /** A disabled label stays visible on files that have it; it cannot be added or changed. */
  readonly isDisabled: boolean
}

interface NewLabel {
  readonly id: string
  /** JSON of `LabelField`s; undefined keeps the present fields, or defines none. */
  readonly fields?: string | undefined
  /** New id of the label. */
  readonly rename?: string | undefined
  readonly isDisabled?: boolean | undefined
}

/** Defines or redefines a label. Values of removed fields are no longer shown. @throws 400; 409 — the new id is taken */
export function putLabel(tx: Transaction, _caller: Caller, label: NewLabel): LabelDefinition {
  const { id, fields, rename = id, isDisabled } = label
  for (const one of [id, rename])
    if (!isLabelId(one)) throw invalid('The id of a label has 1 to 64 letters, digits, _ and -.')
  if (fields !== undefined || findLabel(tx, id) === undefined) define(tx, id, fields ?? '[]')
  if (isDisabled !== undefined)
    tx.run('UPDATE labels SET is_disabled = ? WHERE id = ?', Number(isDisabled), id)
  if (rename === id) return labelNamed(tx, id)
  if (findLabel(tx, rename) !== undefined)
    throw new StorageFailure(409, 'duplicate', `There is a label ${rename} already.`)
  tx.run('UPDATE labels SET id = ? WHERE id = ?', rename, id)
  const renamed = labelNamed(tx, rename)
  touchLabelled(tx, renamed)
  return renamed
}

/** Removes the label from all files and deletes it. @throws 400 — no such label */
export function removeLabel(tx: Transaction, _caller: Caller, { id }: { readonly id: string }): void {
  const label = labelNamed(tx, id)
  touchLabelled(tx, label)
  tx.run('DELETE FROM file_labels WHERE label = ?', label.pk)
  tx.run('DELETE FROM labels WHERE pk = ?', label.pk)
}

/** Increments the version of files that have the label. */
function touchLabelled(tx: Transaction, { pk }: LabelDefinition): void {
  const sql = 'SELECT f.pk, f.id FROM file_labels l JOIN files f ON f.pk = l.file WHERE l.label = ?'
  for (const file of tx.all<ChangedItem>(sql, pk)) touch(tx, file)
}

function define(tx: Transaction, id: string, fields: string): void {
  const checked = JSON.stringify(readLabelFields(fields))
  const sql = `INSERT INTO labels(id, fields) VALUES (?, ?)
    ON CONFLICT(id) DO UPDATE SET fields = excluded.fields, revision = revision + 1`
  tx.run(sql, id, checked)
}

interface LabelRow {
  readonly pk: number
  readonly id: string
  readonly revision: number
  readonly fields: string
  readonly is_disabled: number
}

const LABEL = 'SELECT pk, id, revision, fields, is_disabled FROM labels'

export function listDefinitions(db: Database): LabelDefinition[] {
  return db.all<LabelRow>(`${LABEL} ORDER BY id`).map(parseDefinition)
}

/** @throws 400 — no such label */
function labelNamed(db: Database, id: string): LabelDefinition {
  const label = findLabel(db, id)
  if (label === undefined) throw invalid(`There is no label ${id}.`, 'labelId')
  return label
}

function findLabel(db: Database, id: string): LabelDefinition | undefined {
  const row = db.get<LabelRow>(`${LABEL} WHERE id = ?`, id)
  return row === undefined ? undefined : parseDefinition(row)
}

function parseDefinition({ pk, id, revision, fields, is_disabled }: LabelRow): LabelDefinition {
  // only this file writes the column
  return { pk, id, revision, fields: JSON.parse(fields) as LabelField[], isDisabled: is_disabled === 1 }
}
