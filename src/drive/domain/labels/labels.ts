/** The labels of a file (spec 20). */
import type { LabelModificationBody } from '../../contract/bodies.ts'
import type { Caller } from '../../contract/caller.ts'
import { invalid, required } from '../../contract/failure.ts'
import type { EntityTags } from '../../protocol/etags.ts'
import type { ValueType } from '../../protocol/bodies/label-fields.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { fileToRead, type SeenFile } from '../access/access.ts'
import { recordChange } from '../changes/change-log.ts'
import { mustMatch } from '../conditions.ts'
import { type KeyedPage, keyedPage, type PageStart } from '../keyed-page.ts'
import { parseDefinition, type LabelDefinition, labelNamed } from './label-definitions.ts'
import { type LabelValues, modifiedValues } from './label-values.ts'
import { payerFor, withinQuota } from '../accounts/quota.ts'
import { fileFor } from '../access/powers.ts'
import { type UserView, userView } from '../accounts/user-view.ts'

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

/** Two columns have the same name in their tables. */
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

/** Of those that are named. The caller has been found to see the file. */
export function labelsNamed(db: Database, file: number, ids: readonly string[]): LabelView[] {
  const sql = `${LABELS} AND l.id IN (SELECT value FROM json_each(?)) ORDER BY l.pk`
  return db.all<LabelOfFileRow>(sql, file, JSON.stringify(ids)).map((row) => viewLabel(db, row))
}

export interface ModifyLabels {
  readonly id: string
  readonly modifications: readonly LabelModificationBody[]
  /** Of the file. */
  readonly ifMatch?: EntityTags | undefined
}

/** All of it or nothing. @returns labels that are new or have other values. @throws 404, 403, 412, 400 */
export function modifyLabels(
  tx: Transaction,
  caller: Caller,
  { id, modifications, ifMatch }: ModifyLabels,
): LabelView[] {
  const file = fileFor(tx, caller, id, 'canModifyLabels')
  mustMatch(tx, caller, file.pk, ifMatch)
  if (modifications.length === 0) return []
  const modified = withinQuota(
    tx,
    payerFor(tx, file),
    () => new Set(modifications.flatMap((one) => modify(tx, file, one))),
  )
  tx.run('UPDATE files SET version = version + 1 WHERE pk = ?', file.pk)
  recordChange(tx, file)
  return labelsNamed(tx, file.pk, [...modified])
}

function modify(tx: Transaction, file: SeenFile, modification: LabelModificationBody): string[] {
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

function readLabelValues(db: Database, file: SeenFile, label: LabelDefinition): LabelValues {
  const sql = 'SELECT fields FROM file_labels WHERE file = ? AND label = ?'
  const row = db.get<{ fields: string }>(sql, file.pk, label.pk)
  return row === undefined ? new Map() : readValues(row.fields)
}

/** A column that only this file writes. */
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
