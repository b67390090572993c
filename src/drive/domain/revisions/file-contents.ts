/** Finds the content of a file for a caller: that of the head, or of an older revision (spec 7). */
import { assured } from '../../../errors.ts'
import { type Caller, StorageFailure, badRequest, notFound } from '../../contract/failure.ts'
import { isNativeDocument } from '../../contract/kinds.ts'
import type { BlobRow, Staged } from '../../persistence/contents/blob-rows.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { type VisibleFile, fileToRead, openingContents } from '../access/access.ts'
import { isAllowed, requireCapability } from '../access/rights.ts'
import { newId } from '../../protocol/ids.ts'

export interface FileContent {
  readonly blob: BlobRow
  readonly title: string
  readonly mime: string
  readonly md5: string
  readonly modified: number
}

interface ContentRow extends BlobRow {
  readonly is_lost: number
  readonly mime: string
  readonly md5: string
  readonly modified: number
}

/** The revision id `head` names the head, as some clients do. @throws 404; 403 — the file has no content, or the caller may not read it */
export function findContent(db: Database, caller: Caller, id: string, revision?: string): FileContent {
  const file = fileToRead(db, caller, id)
  requireOpenContents(db, caller, id)
  if (file.kind !== 'file' || isNativeDocument(file.mime)) throw notDownloadable()
  requireDownloadable(db, file)
  return contentOf(db, file, revision)
}

export interface DocumentContent extends FileContent {
  /** MIME type of the document. */
  readonly native: string
}

/**
 * Source content of a document for an export; `mime` is its uploaded type. @throws 404; 400 — not a document; 403 —
 * not a file, or the caller may not read it
 */
export function findDocument(db: Database, caller: Caller, id: string, revision?: string): DocumentContent {
  const file = fileToRead(db, caller, id)
  const message = 'Export only supports documents; this file can be downloaded.'
  if (file.kind !== 'file') throw new StorageFailure(403, 'fileNotExportable', message)
  if (!isNativeDocument(file.mime)) throw badRequest(message, 'fileId')
  requireOpenContents(db, caller, id)
  requireDownloadable(db, file)
  return { ...contentOf(db, file, revision), native: file.mime }
}

/** Content that a converting copy reads; undefined if the file cannot be converted. @throws 404; 403 */
export function findSource(db: Database, caller: Caller, id: string): FileContent | undefined {
  const file = fileToRead(db, caller, id)
  if (file.kind !== 'file' || !isAllowed(db, file, 'canCopy') || isNativeDocument(file.mime)) return undefined
  return contentOf(db, file, undefined)
}

function contentOf(db: Database, file: VisibleFile, revision: string | undefined): FileContent {
  const row = revision === undefined || revision === 'head' ? readHead(db, file) : ofId(db, file, revision)
  if (row.key !== file.head) requireCapability(db, file, 'canReadRevisions')
  if (row.is_lost === 1)
    throw new StorageFailure(403, 'fileNotDownloadable', 'The content of this file is lost.')
  const { pk, sha256, size, kind, is_lost: _, ...facts } = row
  return { blob: { pk, sha256, size, kind }, title: file.title, ...facts, mime: revisionMime(file, row) }
}

const ROW = `SELECT r.pk AS key, b.pk, b.sha256, b.size, b.kind, b.md5, r.mime, r.modified, r.is_lost
  FROM revisions r JOIN blobs b ON b.pk = r.blob WHERE`

type KeyedRow = ContentRow & { readonly key: number }

function readHead(db: Database, { head }: VisibleFile): KeyedRow {
  return assured(db.get<KeyedRow>(`${ROW} r.pk = ?`, head), `there is no revision ${head}`)
}

function ofId(db: Database, { pk }: VisibleFile, revision: string): KeyedRow {
  const row = db.get<KeyedRow>(`${ROW} r.file = ? AND r.id = ?`, pk, revision)
  if (row === undefined) throw notFound('Revision', revision, 'revisionId')
  return row
}

/** The head takes the file's type, which may have been changed since. The type of a document cannot be changed. */
function revisionMime(file: VisibleFile, { key, mime }: KeyedRow): string {
  return key === file.head && !isNativeDocument(file.mime) ? file.mime : mime
}

function notDownloadable(): StorageFailure {
  const message = 'Only files with binary content can be downloaded; documents are exported.'
  return new StorageFailure(403, 'fileNotDownloadable', message)
}

/** Checks the content scopes alone: a metadata scope may open this file, and the token's other scope only other files. */
function requireOpenContents(db: Database, caller: Caller, id: string): void {
  const opening = openingContents(caller)
  if (opening !== caller) fileToRead(db, opening, id)
}

function requireDownloadable(db: Database, file: VisibleFile): void {
  if (!isAllowed(db, file, 'canDownload'))
    throw new StorageFailure(403, 'cannotDownloadFile', 'This file cannot be downloaded by the user.')
}

/** Content of a file created without bytes: it has a revision and digests like any other (spec 5.2). */
export const NO_CONTENT: Staged = {
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
  size: 0,
  bytes: new Uint8Array(),
}

interface NewRevision {
  /** Key of the content. */
  readonly blob: number
  readonly size: number
  readonly mime: string
  readonly modified: number
  readonly modifier: number
  readonly isPinned: boolean
  readonly originalName: string | null
}

export interface AddedRevision {
  readonly pk: number
  readonly id: string
  readonly size: number
}

/** Adds a revision and makes it the head. */
export function addRevision(tx: Transaction, file: number, revision: NewRevision): void {
  const { pk } = insertRevision(tx, file, revision)
  const { size } = revision
  tx.run('UPDATE files SET head = ?, size = ?, used = used + ? WHERE pk = ?', pk, size, size, file)
}

/** Adds the first revision of the file that is inserted next. */
export function addFirstRevision(tx: Transaction, revision: NewRevision): AddedRevision {
  return insertRevision(tx, null, revision)
}

const INSERT = `INSERT INTO revisions(file, id, blob, mime, size, modified, modifier, pinned, original_name)
  VALUES (coalesce(?, (SELECT seq + 1 FROM sqlite_sequence WHERE name = 'files')), ?, ?, ?, ?, ?, ?, ?, ?)`

function insertRevision(tx: Transaction, file: number | null, revision: NewRevision): AddedRevision {
  const { blob, size, mime, modified, modifier, isPinned, originalName } = revision
  const pinned = isPinned ? 1 : 0
  const id = newId()
  const { lastKey: pk } = tx.run(INSERT, file, id, blob, mime, size, modified, modifier, pinned, originalName)
  return { pk, id, size }
}
