/** Writes the words of an item anew from what the store has of it. */
import { isText, joinIndexable, indexTerms, MOST_INDEXED, decodeText } from './search-terms.ts'
import { NATIVE } from '../../contract/kinds.ts'
import { blobHead } from '../../persistence/contents/blob-head.ts'
import type { BlobRow } from '../../persistence/contents/blob-rows.ts'
import { isStorageFailure } from '../../contract/failure.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { sqliteCode } from '../../persistence/database/sqlite.ts'
import { readExtra } from '../files/extra.ts'

interface TextRow {
  readonly title: string
  /** What its content came as. */
  readonly mime: string
  readonly head: number | null
  readonly extra: string
}

/** A document is indexed as what it was made of. */
const ROW = `SELECT f.title, CASE WHEN f.mime LIKE '${NATIVE}%' THEN coalesce(r.mime, f.mime) ELSE f.mime END AS mime,
  f.head, f.extra FROM files f LEFT JOIN revisions r ON r.pk = f.head WHERE f.pk = ?`

export function reindex(tx: Transaction, file: number): void {
  const row = tx.get<TextRow>(ROW, file)
  if (row === undefined) throw new Error(`there is no item ${file}`)
  const { description = '', indexContent = false } = readExtra(row.extra)
  const hasText = row.head !== null && (indexContent || isText(row.mime))
  const content = hasText && row.head !== null ? contentText(tx, row.head) : ''
  indexTerms(tx, file, { title: row.title, description, indexable: joinIndexable(tx, file), content })
}

function contentText(tx: Transaction, revision: number): string {
  const sql =
    'SELECT b.pk, b.sha256, b.size, b.place FROM revisions r JOIN blobs b ON b.pk = r.blob WHERE r.pk = ?'
  const blob = tx.get<BlobRow>(sql, revision)
  if (blob === undefined) return ''
  try {
    return decodeText(blobHead(tx, blob, MOST_INDEXED))
  } catch (error) {
    if (sqliteCode(error) !== undefined || isStorageFailure(error)) throw error
    // it is lost, which is told where it is asked for: the rest of the file goes on
    return ''
  }
}
