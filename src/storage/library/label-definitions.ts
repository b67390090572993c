/** The labels that the operator has defined (spec 20). */
import type { Caller } from '../model/caller.ts'
import { invalid } from '../model/failure.ts'
import { isLabelId, type LabelField, readLabelFields } from '../query/label-fields.ts'
import type { Database, Transaction } from '../store/database.ts'

export interface LabelDefinition {
  readonly pk: number
  readonly id: string
  /** One more each time it is defined again. */
  readonly revision: number
  readonly fields: readonly LabelField[]
}

export interface NewLabel {
  readonly id: string
  /** JSON of `LabelField`s. */
  readonly fields: string
}

/** Defines it, or defines it again: what files have in fields that are no more is not shown. @throws 400 */
export function putLabel(tx: Transaction, _caller: Caller, { id, fields }: NewLabel): LabelDefinition {
  if (!isLabelId(id)) throw invalid('The id of a label has 1 to 64 letters, digits, _ and -.')
  const checked = JSON.stringify(readLabelFields(fields))
  const sql = `INSERT INTO labels(id, fields) VALUES (?, ?)
    ON CONFLICT(id) DO UPDATE SET fields = excluded.fields, revision = revision + 1`
  tx.run(sql, id, checked)
  return labelNamed(tx, id)
}

interface Row {
  readonly pk: number
  readonly id: string
  readonly revision: number
  readonly fields: string
}

const LABEL = 'SELECT pk, id, revision, fields FROM labels'

export function listDefinitions(db: Database): LabelDefinition[] {
  return db.all<Row>(`${LABEL} ORDER BY id`).map(definitionOf)
}

/** @throws 400 — there is none */
export function labelNamed(db: Database, id: string): LabelDefinition {
  const row = db.get<Row>(`${LABEL} WHERE id = ?`, id)
  if (row === undefined) throw invalid(`There is no label ${id}.`, 'labelId')
  return definitionOf(row)
}

export function definitionOf({ pk, id, revision, fields }: Row): LabelDefinition {
  // a column that only this file writes
  return { pk, id, revision, fields: JSON.parse(fields) as LabelField[] }
}
