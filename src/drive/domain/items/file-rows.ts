/** Writes rows of `files`: the one place that fills the columns which follow from others. */
import { type ItemKind, foldTitle, naturalTitle, splitExtensions } from '../../contract/kinds.ts'
import type { Transaction, Value } from '../../persistence/database/database.ts'
import { itemBytes } from '../../persistence/database/tables/counted.ts'
import { chargeNew, payerFor } from '../accounts/quota.ts'
import type { AddedRevision } from '../revisions/file-contents.ts'
import type { FileRow } from './file-row.ts'

export interface NewRow {
  readonly id: string
  readonly kind: ItemKind
  readonly title: string
  readonly mime: string
  readonly space: FileRow['space']
  /** null: it is in a shared drive. */
  readonly owner: number | null
  /** Key of the root of the shared drive it is in. */
  readonly drive?: number | null
  /** Who makes it. */
  readonly maker: number
  /** The program that makes it. */
  readonly client: number
  readonly acl: number
  readonly isRoot?: boolean
  readonly created: number
  readonly modified: number
  readonly originalName?: string | undefined
  /** Id of what a shortcut points to. */
  readonly target?: string | undefined
  /** JSON of `Extra`. */
  readonly extra: string
}

/** A file has the key that its content names; without one it gets the next. */
const INSERT = `INSERT INTO files(id, kind, title, fold, natural, mime, space, owner, client, acl, is_root, created, modified,
  modifier, extension, full_extension, original_name, target, extra, drive, head, size, used, pk)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?22,
  (SELECT file FROM revisions WHERE pk = ?21))`

/** With its content, as `addFirstRevision` has written it. @throws 403 storageQuotaExceeded */
export function addRow(tx: Transaction, given: NewRow, head?: AddedRevision): FileRow {
  const row = newRow(given, head)
  chargeNew(tx, payerFor(tx, row), {
    bytes: row.used,
    metadata: itemBytes(row.title, row.extra, row.original_name),
  })
  const { id, kind, title, mime, space, owner, client, acl, is_root, created, modified, modifier } = row
  const values: Value[] = [
    id,
    kind,
    title,
    foldTitle(title),
    naturalTitle(title),
    mime,
    space,
    owner,
    client,
    acl,
  ]
  values.push(is_root, created, modified, modifier, row.extension, row.full_extension)
  values.push(row.original_name, row.target, row.extra, row.drive, row.head, row.size)
  // nobody has seen it yet
  row.pk = tx.run(INSERT, ...values).lastKey
  return row
}

/** With the columns that have standard values in the schema; its key is still to come. */
function newRow(given: NewRow, head: AddedRevision | undefined): FileRow & { pk: number } {
  const { id, kind, title, mime, space, owner, drive = null, maker, client, acl } = given
  const { last = null, full = null } = (kind === 'file' ? splitExtensions(title) : undefined) ?? {}
  return {
    pk: 0,
    id,
    kind,
    title,
    mime,
    space,
    owner,
    drive,
    client,
    acl,
    is_root: Number(given.isRoot ?? false),
    explicit_trash: 0,
    trashed: 0,
    trashed_at: null,
    trasher: null,
    created: given.created,
    modified: given.modified,
    modifier: maker,
    version: 1,
    head: head?.pk ?? null,
    size: head?.size ?? 0,
    used: head?.size ?? 0,
    extension: last,
    full_extension: full,
    original_name: given.originalName ?? null,
    target: given.target ?? null,
    extra: given.extra,
  }
}

/** An extension stays when the new title has none. */
export function retitle(tx: Transaction, { pk, kind }: Pick<FileRow, 'pk' | 'kind'>, title: string): void {
  const extensions = kind === 'file' ? splitExtensions(title) : undefined
  const sql = `UPDATE files SET title = ?, fold = ?, natural = ?, extension = coalesce(?, extension),
    full_extension = coalesce(?, full_extension) WHERE pk = ?`
  const { last = null, full = null } = extensions ?? {}
  tx.run(sql, title, foldTitle(title), naturalTitle(title), last, full, pk)
}
