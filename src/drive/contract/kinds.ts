/** Kinds of items, by their MIME type (spec 4). */

export const FOLDER_MIME = 'application/vnd.google-apps.folder'
export const SHORTCUT_MIME = 'application/vnd.google-apps.shortcut'
export const BYTES_MIME = 'application/octet-stream'

/** What types of documents, folders and shortcuts begin with. */
export const NATIVE = 'application/vnd.google-apps.'

export type ItemKind = 'file' | 'folder' | 'shortcut'

export function classifyItem(mime: string): ItemKind {
  if (mime === FOLDER_MIME) return 'folder'
  return mime === SHORTCUT_MIME ? 'shortcut' : 'file'
}

/** A document that is exported and has no bytes of its own to a client: this store makes those of `IMPORTS` (spec 21). */
export function isNativeDocument(mime: string): boolean {
  return mime.startsWith(NATIVE) && classifyItem(mime) === 'file'
}

/** A text, and a table. */
export const TEXT_MIME = `${NATIVE}document`
export const TABLE_MIME = `${NATIVE}spreadsheet`

const PLAIN = 'text/plain'
const CSV = 'text/csv'
const TSV = 'text/tab-separated-values'
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Type of a content -> the documents that `convert=true` makes of it: the first, unless another is named. */
export const IMPORTS: ReadonlyMap<string, readonly string[]> = new Map([
  [PLAIN, [TEXT_MIME, TABLE_MIME]],
  [CSV, [TABLE_MIME, TEXT_MIME]],
  [TSV, [TABLE_MIME, TEXT_MIME]],
  [WORKBOOK, [TABLE_MIME]],
])

/** Document -> the types it is exported as. */
export const EXPORTS: ReadonlyMap<string, readonly string[]> = new Map([
  [TEXT_MIME, [PLAIN]],
  [TABLE_MIME, [CSV, TSV, WORKBOOK, 'application/jsonl']],
])

/** For contents that come without a type, or with one that says nothing. */
export const TYPES_BY_SUFFIX: ReadonlyMap<string, string> = new Map([
  ['txt', PLAIN],
  ['csv', CSV],
  ['tsv', TSV],
  ['tab', TSV],
  ['xlsx', WORKBOOK],
])
