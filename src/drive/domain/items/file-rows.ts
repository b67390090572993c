/** Writes rows of `files`: the only module that fills the derived columns. */
import { newId } from '../../protocol/ids.ts'
import { type ItemKind, foldTitle, naturalTitle, splitExtensions, FOLDER_MIME } from '../../contract/kinds.ts'
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
  /** Null in a shared drive. */
  readonly owner: number | null
  /** Key of the root of the item's shared drive. */
  readonly drive?: number | null
  /** Key of the user who creates the item. */
  readonly maker: number
  /** Key of the client that creates the item. */
  readonly client: number
  readonly acl: number
  readonly isRoot?: boolean
  readonly created: number
  readonly modified: number
  readonly originalName?: string | undefined
  /** Id of a shortcut's target. */
  readonly target?: string | undefined
  /** JSON of `Extra`. */
  readonly extra: string
}

/** The row takes the key that its first revision names; without content it takes the next key. */
const INSERT = `INSERT INTO files(id, kind, title, fold, natural, mime, space, owner, client, acl, is_root, created, modified,
  modifier, extension, full_extension, original_name, target, extra, drive, head, size, used, pk)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?22,
  (SELECT file FROM revisions WHERE pk = ?21))`

/** Inserts a row with the content that `addFirstRevision` has written. @throws 403 storageQuotaExceeded */
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
  // no other code holds the row yet
  row.pk = tx.run(INSERT, ...values).lastKey
  return row
}

/** Adds a folder that is in no other: the root of a My Drive, of application data or of a shared drive. */
export function addRoot(
  tx: Transaction,
  root: Pick<NewRow, 'title' | 'space' | 'owner' | 'maker' | 'client' | 'acl'>,
): FileRow {
  const facts = { id: newId(), kind: 'folder', mime: FOLDER_MIME, isRoot: true, extra: '{}' } as const
  return addRow(tx, { ...root, ...facts, created: tx.now, modified: tx.now })
}

/** Adds the columns that have defaults in the schema; the key follows with the insert. */
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

/** Keeps the extension when the new title has none. */
export function retitle(tx: Transaction, { pk, kind }: Pick<FileRow, 'pk' | 'kind'>, title: string): void {
  const extensions = kind === 'file' ? splitExtensions(title) : undefined
  const sql = `UPDATE files SET title = ?, fold = ?, natural = ?, extension = coalesce(?, extension),
    full_extension = coalesce(?, full_extension) WHERE pk = ?`
  const { last = null, full = null } = extensions ?? {}
  tx.run(sql, title, foldTitle(title), naturalTitle(title), last, full, pk)
}
