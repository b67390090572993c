/** Rebuilds the search index of an item from the stored data. */
import { assured } from '../../../errors.ts'
import { NATIVE } from '../../contract/kinds.ts'
import { blobHead } from '../../persistence/contents/places/heads.ts'
import type { BlobRow } from '../../persistence/contents/blob-rows.ts'
import { isStorageFailure } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { sqliteCode } from '../../persistence/database/sqlite.ts'
import { readExtra } from '../files/file-facts.ts'

interface TextRow {
  readonly title: string
  /** MIME type of the uploaded content. */
  readonly mime: string
  readonly head: number | null
  readonly extra: string
}

/** Documents are indexed by the type of their source content. */
const ROW = `SELECT f.title, CASE WHEN f.mime LIKE '${NATIVE}%' THEN coalesce(r.mime, f.mime) ELSE f.mime END AS mime,
  f.head, f.extra FROM files f LEFT JOIN revisions r ON r.pk = f.head WHERE f.pk = ?`

export function reindex(tx: Transaction, file: number): void {
  const row = assured(tx.get<TextRow>(ROW, file), `there is no item ${file}`)
  const { description = '', indexContent = false } = readExtra(row.extra)
  const hasText = row.head !== null && (indexContent || isText(row.mime))
  const content = hasText && row.head !== null ? contentText(tx, row.head) : ''
  indexTerms(tx, file, { title: row.title, description, indexable: joinIndexable(tx, file), content })
}

function contentText(tx: Transaction, revision: number): string {
  const sql =
    'SELECT b.pk, b.sha256, b.size, b.kind FROM revisions r JOIN blobs b ON b.pk = r.blob WHERE r.pk = ?'
  const blob = tx.get<BlobRow>(sql, revision)
  if (blob === undefined) return ''
  try {
    return decodeText(blobHead(tx, blob, MAX_INDEXED_BYTES))
  } catch (error) {
    if (sqliteCode(error) !== undefined || isStorageFailure(error)) throw error
    // the content is lost, which a download reports; the rest of the file stays usable
    return ''
  }
}

interface SearchTerms {
  readonly title: string
  readonly description: string
  /** Text that the client supplied for the search. */
  readonly indexable: string
  /** Text of the head revision; empty if the content is not text. */
  readonly content: string
}

/** Bytes of a content that are indexed; the rest is ignored. */
const MAX_INDEXED_BYTES = 1024 * 1024

/** Replaces the index entry of the item. */
export function indexTerms(tx: Transaction, file: number, words: SearchTerms): void {
  const sql = 'INSERT OR REPLACE INTO words(rowid, title, body, content) VALUES (?, ?, ?, ?)'
  tx.runDeferred(sql, file, words.title, `${words.description}\n${words.indexable}`, words.content)
}

export function keepIndexable(tx: Transaction, file: number, text: string): void {
  // `OR REPLACE` would not be charged: the replaced row fires no trigger
  const sql = 'INSERT INTO indexable(file, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text'
  tx.run(sql, file, text)
}

function joinIndexable(db: Database, file: number): string {
  return db.get<{ text: string }>('SELECT text FROM indexable WHERE file = ?', file)?.text ?? ''
}

const TEXTS =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|csv|tab-separated-values|javascript|x-ndjson|jsonl|yaml|x-yaml|sql)$)/i

/** True if content of this type is indexed by default. */
export function isText(mime: string): boolean {
  return TEXTS.test(mime.split(';')[0]?.trim() ?? '')
}

/** Decodes invalid UTF-8 as Windows-1252, in which every byte sequence is valid. U+0000 separates words like any other separator. */
export function decodeText(bytes: Uint8Array): string {
  const head = bytes.subarray(0, MAX_INDEXED_BYTES)
  return decode(head).replaceAll('\0', ' ')
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    // a character cut at the limit is dropped, not an error
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
