/** Revisions of a file as its writers see and change them (spec 14). */
import { assured } from '../../../errors.ts'
import type { RevisionBody } from '../../contract/bodies.ts'
import { type Caller, StorageFailure, badRequest, noPermission, notFound } from '../../contract/failure.ts'
import { type EntityTags, digestText, requireTag } from '../../protocol/etags.ts'
import { type Database, type Transaction, countRows } from '../../persistence/database/database.ts'
import { isNativeDocument } from '../../contract/kinds.ts'
import { type VisibleFile, fileToRead } from '../access/access.ts'
import { recordChange, touch } from '../changes/change-log.ts'
import { readExtra } from '../files/file-facts.ts'
import { type KeyedPage, type PageStart, keyedPage } from '../keyed-page.ts'
import { requireFile, requireCapability } from '../access/rights.ts'
import { type ChargedItem, charge, payerFor } from '../accounts/quota.ts'
import { reindex } from '../items/search-terms.ts'
import { keepModifier } from '../items/user-state.ts'
import { type UserView, userView } from '../access/principals.ts'
import type { PurgeInput, Purged } from '../upkeep/purge-step.ts'
import { type Staged, keepBlob } from '../../persistence/contents/blob-rows.ts'
import { addRevision } from './file-contents.ts'
import { readLimits } from '../settings.ts'

/** Plain data: it comes back from the writer thread. */
export interface RevisionView {
  readonly pk: number
  /** Id of the file. */
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
  /** Id of the file. */
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

/** Lists revisions, oldest first. @throws 404, 403 */
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

/** Ignores fields about publishing: they apply to documents, which this store does not create. @throws 404, 403, 412, 400 */
export function changeRevision(tx: Transaction, caller: Caller, change: ChangeRevision): RevisionView {
  const { id, revision, body, ifMatch } = change
  const file = withRevisions(requireFile(tx, caller, id, 'canEdit'))
  const row = findRow(tx, file, revision)
  requireTag(ifMatch, () => revisionEtag(file, row))
  const isPinned = row.pinned === 1
  if (body.pinned !== undefined && body.pinned !== isPinned) {
    if (body.pinned) requirePinsLeft(tx, file.pk)
    else if (row.pk !== file.head) throw staysPinned()
    tx.run('UPDATE revisions SET pinned = ?, version = version + 1 WHERE pk = ?', Number(body.pinned), row.pk)
    touch(tx, file)
  }
  return viewRevision(tx, file, findRow(tx, file, row.id))
}

export interface RemoveRevision extends RevisionName {
  readonly ifMatch?: EntityTags | undefined
}

/** Removes a revision; after the head is removed, the revision before it becomes the head. @throws 404, 403, 412 */
export function removeRevision(tx: Transaction, caller: Caller, removal: RemoveRevision): void {
  const file = withRevisions(requireFile(tx, caller, removal.id, 'canEdit'))
  const row = findRow(tx, file, removal.revision)
  requireTag(removal.ifMatch, () => revisionEtag(file, row))
  const sql = 'SELECT pk, mime, size FROM revisions WHERE file = ? AND pk <> ? ORDER BY pk DESC LIMIT 1'
  const other = tx.get<Pick<RevisionRow, 'pk' | 'mime' | 'size'>>(sql, file.pk, row.pk)
  if (other === undefined)
    throw new StorageFailure(
      403,
      'cannotDeleteOnlyRevision',
      'The only revision of a file cannot be deleted.',
    )
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
  file: VisibleFile,
  { pk, mime, size }: Pick<RevisionRow, 'pk' | 'mime' | 'size'>,
) {
  keepModifier(tx, file, caller.user)
  const sql = 'UPDATE files SET head = ?, mime = ?, size = ?, modified = ?, modifier = ? WHERE pk = ?'
  tx.run(sql, pk, isNativeDocument(file.mime) ? file.mime : mime, size, tx.now, caller.user, file.pk)
  reindex(tx, file.pk)
}

function fileWithRevisions(db: Database, caller: Caller, id: string): VisibleFile {
  const file = withRevisions(fileToRead(db, caller, id))
  requireCapability(db, file, 'canReadRevisions')
  return file
}

function withRevisions(file: VisibleFile): VisibleFile {
  if (file.kind === 'file') return file
  throw new StorageFailure(403, 'revisionsNotSupported', 'The file does not support revisions.')
}

function findRow(db: Database, file: VisibleFile, revision: string): RevisionRow {
  const row =
    revision === 'head'
      ? db.get<RevisionRow>(`${ROW} AND r.pk = ?`, file.pk, file.head)
      : db.get<RevisionRow>(`${ROW} AND r.id = ?`, file.pk, revision)
  if (row === undefined) throw notFound('Revision', revision, 'revisionId')
  return row
}

function viewRevision(db: Database, file: VisibleFile, row: RevisionRow): RevisionView {
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

/** The head shows the type of its file; a revision stored without a name shows the file's name. */
function revisionNames(file: VisibleFile, { pk, mime, original_name: name }: RevisionRow) {
  return {
    mime: pk === file.head || isNativeDocument(file.mime) ? file.mime : mime,
    originalName: name ?? file.original_name ?? file.title,
  }
}

/** Includes the names, because `version` does not change with the fields that a revision takes from its file. */
function revisionEtag(file: VisibleFile, row: RevisionRow): string {
  const names = digestText(JSON.stringify(revisionNames(file, row)))
  return `"${row.version}.${names}/r${row.pk.toString(36)}"`
}

function staysPinned(): StorageFailure {
  const message = 'An older revision cannot be unpinned; delete it instead.'
  return new StorageFailure(400, 'illegalKeepForeverModification', message, { location: 'pinned' })
}

/** Files per step. */
const STEP_FILES = 2000

interface Doomed extends ChargedItem {
  readonly pk: number
  readonly file: number
  readonly size: number
}

/**
 * Removes old revisions of the files with keys above `after`. The age of a revision counts from its replacement: a
 * file stored again after years keeps the old revision for the full time.
 */
export function oldRevisions(tx: Transaction, input: PurgeInput): Purged {
  const { after, keepRevisions = tx.now, mostRevisions = Number.MAX_SAFE_INTEGER } = input
  const end = findSliceEnd(tx, after)
  if (end === undefined) return { removed: 0, next: undefined }
  const doomed = tx.all<Doomed>(OLD, after, end, tx.now - keepRevisions, mostRevisions)
  for (const { pk, file, owner, drive, size } of doomed) {
    tx.run('DELETE FROM revisions WHERE pk = ?', pk)
    tx.run('UPDATE files SET used = used - ?, version = version + 1 WHERE pk = ?', size, file)
    charge(tx, payerFor(tx, { owner, drive }), -size)
  }
  return { removed: doomed.length, next: end }
}

/** Key of the last file of the step that begins after key `after`; undefined if no files follow. */
export function findSliceEnd(db: Database, after: number): number | undefined {
  const sql = 'SELECT max(pk) AS pk FROM (SELECT pk FROM files WHERE pk > ? ORDER BY pk LIMIT ?)'
  return db.get<{ pk: number | null }>(sql, after, STEP_FILES)?.pk ?? undefined
}

/** ?1 to ?2 range of file keys, ?3 latest time of replacement, ?4 number of revisions that may stay. */
const OLD = `SELECT r.pk, r.file, f.owner, f.drive, r.size FROM files f JOIN revisions r ON r.file = f.pk
  WHERE f.pk > ?1 AND f.pk <= ?2 AND r.pinned = 0 AND r.pk <> f.head AND (
  (SELECT min(n.modified) FROM revisions n WHERE n.file = f.pk AND n.pk > r.pk) < ?3
  OR (SELECT count(*) FROM revisions n WHERE n.file = f.pk AND n.pk > r.pk AND n.pinned = 0 AND n.pk <> f.head) >= ?4)`

export interface ContentChange {
  readonly staged: Staged
  /** Keeps the former head as a revision. A pinned head is always kept. */
  readonly isNewRevision: boolean
  /** Keeps the new revision for ever. */
  readonly isPinned: boolean
  /** MIME type of the uploaded content; the type in the body takes precedence. */
  readonly type?: string | undefined
  /** File name of the uploaded content. */
  readonly name?: string | undefined
  readonly isIndexed?: boolean | undefined
  /** MIME type of the recognised document, in addition to the uploaded type. */
  readonly native?: string | undefined
}

/** Stores new content; the caller writes type and dates of the file. @throws 400 — folders and shortcuts; 403 — the quota */
export function putContent(
  tx: Transaction,
  caller: Caller,
  file: VisibleFile,
  { mime, ...change }: ContentChange & { readonly mime: string },
): void {
  if (file.kind !== 'file') throw badRequest('Folders and shortcuts have no content.', 'fileId')
  const { staged, name } = change
  const head = readHead(tx, file)
  const isKept = change.isNewRevision || head.pinned === 1
  if (change.isPinned && (isKept || head.pinned === 0)) requirePinsLeft(tx, file.pk)
  charge(tx, payerFor(tx, file), staged.size - (isKept ? 0 : head.size))
  const facts = {
    blob: keepBlob(tx, staged),
    size: staged.size,
    mime,
    modified: tx.now,
    modifier: caller.user,
  }
  if (isKept) addRevision(tx, file.pk, { ...facts, isPinned: change.isPinned, originalName: name ?? null })
  else replaceHead(tx, file.pk, head, [...Object.values(facts), Number(change.isPinned), name ?? null])
  if (name !== undefined) tx.run('UPDATE files SET original_name = ? WHERE pk = ?', name, file.pk)
}

interface Head {
  readonly pk: number
  readonly size: number
  readonly pinned: number
}

function readHead(db: Database, { head }: VisibleFile): Head {
  const row = db.get<Head>('SELECT pk, size, pinned FROM revisions WHERE pk = ?', head)
  return assured(row, `there is no revision ${head}`)
}

function replaceHead(tx: Transaction, file: number, head: Head, values: readonly (string | number | null)[]) {
  tx.run(REPLACE, ...values, head.pk)
  const [, size = 0] = values
  tx.run('UPDATE files SET size = ?, used = used + ? - ? WHERE pk = ?', size, size, head.size, file)
}

const REPLACE = `UPDATE revisions SET blob = ?, size = ?, mime = ?, modified = ?, modifier = ?, pinned = ?,
  original_name = coalesce(?, original_name), version = version + 1 WHERE pk = ?`

/** @throws 400 */
function requirePinsLeft(db: Database, file: number): void {
  const sql = 'SELECT count(*) AS count FROM revisions WHERE file = ? AND pinned = 1'
  const most = readLimits(db)['pinned-revisions']
  if (countRows(db, sql, file) >= most)
    throw badRequest(`A file has at most ${most} pinned revisions.`, 'pinned')
}
