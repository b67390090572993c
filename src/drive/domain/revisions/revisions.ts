/** Revisions of a file as its writers see and change them (spec 14). */
import { createHash } from 'node:crypto'
import type { RevisionBody } from '../../contract/bodies.ts'
import type { Caller } from '../../contract/caller.ts'
import { conditionNotMet, noPermission, notFound, StorageFailure } from '../../contract/failure.ts'
import { type EntityTags, matches } from '../../protocol/etags.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { isNativeDocument } from '../../contract/kinds.ts'
import { fileToRead, type SeenFile } from '../access/access.ts'
import { recordChange } from '../changes/change-log.ts'
import { readExtra } from '../files/extra.ts'
import { type KeyedPage, keyedPage, type PageStart } from '../keyed-page.ts'
import { fileFor, mustBeAble } from '../access/powers.ts'
import { charge, payerFor } from '../accounts/quota.ts'
import { reindex } from '../items/reindex.ts'
import { mustHavePinsLeft } from './update-content.ts'
import { keepModifier } from '../items/user-state.ts'
import { type UserView, userView } from '../accounts/user-view.ts'

/** Plain data: it comes back from the writer thread. */
export interface RevisionView {
  readonly pk: number
  /** Of its file. */
  readonly file: string
  readonly id: string
  readonly etag: string
  readonly mime: string
  readonly size: number
  readonly md5: string
  readonly modified: number
  readonly modifier: UserView | undefined
  readonly isPinned: boolean
  readonly originalName: string
}

export interface RevisionName {
  /** Of the file. */
  readonly id: string
  readonly revision: string
}

interface RevisionRow {
  readonly pk: number
  readonly id: string
  readonly mime: string
  readonly size: number
  readonly md5: string
  readonly modified: number
  readonly modifier: number
  readonly pinned: number
  readonly original_name: string | null
  readonly version: number
}

const ROW = `SELECT r.pk, r.id, r.mime, r.size, b.md5, r.modified, r.modifier, r.pinned, r.original_name, r.version
  FROM revisions r JOIN blobs b ON b.pk = r.blob WHERE r.file = ?`

/** Oldest first. @throws 404, 403 */
export function listRevisions(
  db: Database,
  caller: Caller,
  { id, most, after }: PageStart & { readonly id: string },
): KeyedPage<RevisionView> {
  const file = fileWithRevisions(db, caller, id)
  const rows = db.all<RevisionRow>(`${ROW} AND r.pk > ? ORDER BY r.pk LIMIT ?`, file.pk, after, most + 1)
  return keyedPage(rows, most, (row) => viewRevision(db, file, row))
}

/** @throws 404, 403 */
export function getRevision(db: Database, caller: Caller, { id, revision }: RevisionName): RevisionView {
  const file = fileWithRevisions(db, caller, id)
  return viewRevision(db, file, findRow(db, file, revision))
}

export interface ChangeRevision extends RevisionName {
  readonly body: RevisionBody
  readonly ifMatch?: EntityTags | undefined
}

/** Members about publishing are for documents, which this store makes none of. @throws 404, 403, 412, 400 */
export function changeRevision(tx: Transaction, caller: Caller, change: ChangeRevision): RevisionView {
  const { id, revision, body, ifMatch } = change
  const file = withRevisions(fileFor(tx, caller, id, 'canEdit'))
  const row = findRow(tx, file, revision)
  mustMatch(file, row, ifMatch)
  const isPinned = row.pinned === 1
  if (body.pinned !== undefined && body.pinned !== isPinned) {
    if (body.pinned) mustHavePinsLeft(tx, file.pk)
    else if (row.pk !== file.head) throw staysPinned()
    tx.run('UPDATE revisions SET pinned = ?, version = version + 1 WHERE pk = ?', Number(body.pinned), row.pk)
    tx.run('UPDATE files SET version = version + 1 WHERE pk = ?', file.pk)
    recordChange(tx, file)
  }
  return viewRevision(tx, file, findRow(tx, file, row.id))
}

export interface RemoveRevision extends RevisionName {
  readonly ifMatch?: EntityTags | undefined
}

/** Without the head, the one before it becomes the head. @throws 404, 403, 412 */
export function removeRevision(tx: Transaction, caller: Caller, removal: RemoveRevision): void {
  const file = withRevisions(fileFor(tx, caller, removal.id, 'canEdit'))
  const row = findRow(tx, file, removal.revision)
  mustMatch(file, row, removal.ifMatch)
  const sql = 'SELECT pk, mime, size FROM revisions WHERE file = ? AND pk <> ? ORDER BY pk DESC LIMIT 1'
  const other = tx.get<Pick<RevisionRow, 'pk' | 'mime' | 'size'>>(sql, file.pk, row.pk)
  if (other === undefined)
    throw new StorageFailure(403, 'cannotDeleteOnlyRevision', 'The only revision of a file stays.')
  if (row.pk === file.head && readExtra(file.extra).restriction !== undefined) throw noPermission(removal.id)
  tx.run('DELETE FROM revisions WHERE pk = ?', row.pk)
  tx.run('UPDATE files SET used = used - ?, version = version + 1 WHERE pk = ?', row.size, file.pk)
  charge(tx, payerFor(tx, file), -row.size)
  if (row.pk === file.head) makeHead(tx, caller, file, other)
  recordChange(tx, file)
}

function makeHead(
  tx: Transaction,
  caller: Caller,
  file: SeenFile,
  { pk, mime, size }: Pick<RevisionRow, 'pk' | 'mime' | 'size'>,
) {
  keepModifier(tx, file, caller.user)
  const sql = 'UPDATE files SET head = ?, mime = ?, size = ?, modified = ?, modifier = ? WHERE pk = ?'
  tx.run(sql, pk, isNativeDocument(file.mime) ? file.mime : mime, size, tx.now, caller.user, file.pk)
  reindex(tx, file.pk)
}

function fileWithRevisions(db: Database, caller: Caller, id: string): SeenFile {
  const file = withRevisions(fileToRead(db, caller, id))
  mustBeAble(db, file, 'canReadRevisions')
  return file
}

function withRevisions(file: SeenFile): SeenFile {
  if (file.kind === 'file') return file
  throw new StorageFailure(403, 'revisionsNotSupported', 'The file does not support revisions.')
}

function findRow(db: Database, file: SeenFile, revision: string): RevisionRow {
  const row =
    revision === 'head'
      ? db.get<RevisionRow>(`${ROW} AND r.pk = ?`, file.pk, file.head)
      : db.get<RevisionRow>(`${ROW} AND r.id = ?`, file.pk, revision)
  if (row === undefined) throw notFound('Revision', revision, 'revisionId')
  return row
}

function viewRevision(db: Database, file: SeenFile, row: RevisionRow): RevisionView {
  const { pk, id, size, md5, modified } = row
  return {
    pk,
    file: file.id,
    id,
    etag: revisionEtag(file, row),
    ...revisionNames(file, row),
    size,
    md5,
    modified,
    modifier: userView(db, row.modifier),
    isPinned: row.pinned === 1,
  }
}

/** The head has the type of its file; a revision that was stored without a name has that of the file. */
function revisionNames(file: SeenFile, { pk, mime, original_name: name }: RevisionRow) {
  return {
    mime: pk === file.head || isNativeDocument(file.mime) ? file.mime : mime,
    originalName: name ?? file.original_name ?? file.title,
  }
}

function mustMatch(file: SeenFile, row: RevisionRow, wanted: EntityTags | undefined): void {
  if (wanted !== undefined && !matches(wanted, revisionEtag(file, row))) throw conditionNotMet()
}

/** `version` does not count changes of what the revision shows of its file. */
function revisionEtag(file: SeenFile, row: RevisionRow): string {
  const names = createHash('sha1')
    .update(JSON.stringify(revisionNames(file, row)))
    .digest('base64url')
  return `"${row.version}.${names}/r${row.pk.toString(36)}"`
}

function staysPinned(): StorageFailure {
  const message = 'An older revision stays pinned; delete it instead.'
  return new StorageFailure(400, 'illegalKeepForeverModification', message, { location: 'pinned' })
}
