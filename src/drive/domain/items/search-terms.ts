/** Writes the words of an item anew from what the store has of it. */
import { NATIVE } from '../../contract/kinds.ts'
import { blobHead } from '../../persistence/contents/blob-head.ts'
import type { BlobRow } from '../../persistence/contents/blob-rows.ts'
import { isStorageFailure } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { sqliteCode } from '../../persistence/database/sqlite.ts'
import { readExtra } from '../files/file-facts.ts'

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

interface SearchTerms {
  readonly title: string
  readonly description: string
  /** What the client gave to be found by. */
  readonly indexable: string
  /** Of the head revision, as text; empty for what is no text. */
  readonly content: string
}

/** More of a content is not looked at: bytes. */
const MOST_INDEXED = 1024 * 1024

/** Replaces what the index has of the item. */
export function indexTerms(tx: Transaction, file: number, words: SearchTerms): void {
  const sql = 'INSERT OR REPLACE INTO words(rowid, title, body, content) VALUES (?, ?, ?, ?)'
  tx.runDeferred(sql, file, words.title, `${words.description}\n${words.indexable}`, words.content)
}

export function keepIndexable(tx: Transaction, file: number, text: string): void {
  // `OR REPLACE` would not be counted: what it replaces fires no trigger
  const sql = 'INSERT INTO indexable(file, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text'
  tx.run(sql, file, text)
}

function joinIndexable(db: Database, file: number): string {
  return db.get<{ text: string }>('SELECT text FROM indexable WHERE file = ?', file)?.text ?? ''
}

const TEXTS =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|csv|tab-separated-values|javascript|x-ndjson|jsonl|yaml|x-yaml|sql)$)/i

/** Whether a content of this type is indexed without being asked for. */
export function isText(mime: string): boolean {
  return TEXTS.test(mime.split(';')[0]?.trim() ?? '')
}

/** Not valid UTF-8 is read as Windows-1252, which every sequence of bytes is; U+0000 separates words like any other sign. */
export function decodeText(bytes: Uint8Array): string {
  const head = bytes.subarray(0, MOST_INDEXED)
  return decode(head).replaceAll('\0', ' ')
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    // a character that the limit cut in two is left off, not refused
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
