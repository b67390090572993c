/** The bytes of a file that a caller may have: those of its head, or of an older revision (spec 7). */
import type { Caller } from '../../contract/caller.ts'
import { notFound, StorageFailure } from '../../contract/failure.ts'
import type { BlobRow } from '../../persistence/contents/blob-rows.ts'
import type { Database } from '../../persistence/database/database.ts'
import { fileToRead, type SeenFile } from '../access/access.ts'
import { may, mustBeAble } from '../access/powers.ts'

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

/** `head` names the head, as for some clients. @throws 404; 403 — no bytes, or none for this caller */
export function findContent(db: Database, caller: Caller, id: string, revision?: string): FileContent {
  const file = fileToRead(db, caller, id)
  mayDownload(db, caller, file)
  const row = revision === undefined || revision === 'head' ? readHead(db, file) : ofId(db, file, revision)
  if (row.key !== file.head) mustBeAble(db, file, 'canReadRevisions')
  if (row.is_lost === 1)
    throw new StorageFailure(403, 'fileNotDownloadable', 'The content of this file is lost.')
  const { pk, sha256, size, place, is_lost: _, ...facts } = row
  return { blob: { pk, sha256, size, place }, title: file.title, ...facts, mime: revisionMime(file, row) }
}

const ROW = `SELECT r.pk AS key, b.pk, b.sha256, b.size, b.place, b.md5, r.mime, r.modified, r.is_lost
  FROM revisions r JOIN blobs b ON b.pk = r.blob WHERE`

type KeyedRow = ContentRow & { readonly key: number }

function readHead(db: Database, { head }: SeenFile): KeyedRow {
  const row = db.get<KeyedRow>(`${ROW} r.pk = ?`, head)
  if (row === undefined) throw new Error(`there is no revision ${head}`)
  return row
}

function ofId(db: Database, { pk }: SeenFile, revision: string): KeyedRow {
  const row = db.get<KeyedRow>(`${ROW} r.file = ? AND r.id = ?`, pk, revision)
  if (row === undefined) throw notFound('Revision', revision, 'revisionId')
  return row
}

/** What was said of the file since counts for its head. */
function revisionMime(file: SeenFile, { key, mime }: KeyedRow): string {
  return key === file.head ? file.mime : mime
}

function mayDownload(db: Database, caller: Caller, file: SeenFile): void {
  if (!caller.scopes.some((scope) => !scope.startsWith('drive.metadata')))
    throw new StorageFailure(
      403,
      'insufficientPermissions',
      'Request had insufficient authentication scopes.',
    )
  if (file.kind !== 'file')
    throw new StorageFailure(403, 'fileNotDownloadable', 'Only files with binary content can be downloaded.')
  if (!may(db, file, 'canDownload'))
    throw new StorageFailure(403, 'cannotDownloadFile', 'This file cannot be downloaded by the user.')
}
