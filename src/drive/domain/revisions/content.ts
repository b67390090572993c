/** Contents as they become revisions of files. */
import { newId } from '../../protocol/ids.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Transaction } from '../../persistence/database/database.ts'

/** A file that was made without content has no bytes, but a revision and digests like any other (spec 5.2). */
export const NO_CONTENT: Staged = {
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
  size: 0,
  bytes: new Uint8Array(),
}

export interface NewRevision {
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

/** And makes it the head. */
export function addRevision(tx: Transaction, file: number, revision: NewRevision): void {
  const { pk } = insertRevision(tx, file, revision)
  const { size } = revision
  tx.run('UPDATE files SET head = ?, size = ?, used = used + ? WHERE pk = ?', pk, size, size, file)
}

/** Of the file that is inserted next, with this as its head. */
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
