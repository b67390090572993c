/** The labels that the operator has defined (spec 20). */
import type { Caller } from '../../contract/caller.ts'
import { invalid, StorageFailure } from '../../contract/failure.ts'
import { isLabelId, type LabelField, readLabelFields } from '../../protocol/bodies/label-fields.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { type ChangedItem, recordChange } from '../changes/change-log.ts'

export interface LabelDefinition {
  readonly pk: number
  readonly id: string
  /** One more each time it is defined again. */
  readonly revision: number
  readonly fields: readonly LabelField[]
  /** Files that have it show it; it is put on none, and changed on none. */
  readonly isDisabled: boolean
}

export interface NewLabel {
  readonly id: string
  /** JSON of `LabelField`s; undefined: those it has, or none. */
  readonly fields?: string | undefined
  /** The id that it has from now on. */
  readonly rename?: string | undefined
  readonly isDisabled?: boolean | undefined
}

/** Defines it, or defines it again: what files have in fields that are no more is not shown. @throws 400; 409 — another has the new id */
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

/** From every file that has it. @throws 400 — there is none */
export function removeLabel(tx: Transaction, _caller: Caller, { id }: { readonly id: string }): void {
  const label = labelNamed(tx, id)
  touchLabelled(tx, label)
  tx.run('DELETE FROM file_labels WHERE label = ?', label.pk)
  tx.run('DELETE FROM labels WHERE pk = ?', label.pk)
}

/** Files that have the label are others from now on. */
function touchLabelled(tx: Transaction, { pk }: LabelDefinition): void {
  const sql = 'SELECT f.pk, f.id FROM file_labels l JOIN files f ON f.pk = l.file WHERE l.label = ?'
  for (const file of tx.all<ChangedItem>(sql, pk)) {
    tx.run('UPDATE files SET version = version + 1 WHERE pk = ?', file.pk)
    recordChange(tx, file)
  }
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

/** @throws 400 — there is none */
export function labelNamed(db: Database, id: string): LabelDefinition {
  const label = findLabel(db, id)
  if (label === undefined) throw invalid(`There is no label ${id}.`, 'labelId')
  return label
}

function findLabel(db: Database, id: string): LabelDefinition | undefined {
  const row = db.get<LabelRow>(`${LABEL} WHERE id = ?`, id)
  return row === undefined ? undefined : parseDefinition(row)
}

export function parseDefinition({ pk, id, revision, fields, is_disabled }: LabelRow): LabelDefinition {
  // a column that only this file writes
  return { pk, id, revision, fields: JSON.parse(fields) as LabelField[], isDisabled: is_disabled === 1 }
}
