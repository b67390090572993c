/** Kinds of items, by their MIME type (spec 4). */

export const FOLDER_MIME = 'application/vnd.google-apps.folder'
export const SHORTCUT_MIME = 'application/vnd.google-apps.shortcut'
export const BYTES_MIME = 'application/octet-stream'

/** Prefix of the types of documents, folders and shortcuts. */
export const NATIVE = 'application/vnd.google-apps.'

export type ItemKind = 'file' | 'folder' | 'shortcut'

export function classifyItem(mime: string): ItemKind {
  if (mime === FOLDER_MIME) return 'folder'
  return mime === SHORTCUT_MIME ? 'shortcut' : 'file'
}

/** Tells whether the type is a document, which clients export instead of download. This store makes those of `IMPORTS` (spec 21). */
export function isNativeDocument(mime: string): boolean {
  return mime.startsWith(NATIVE) && classifyItem(mime) === 'file'
}

export const TEXT_MIME = `${NATIVE}document`
export const TABLE_MIME = `${NATIVE}spreadsheet`

const PLAIN = 'text/plain'
const CSV = 'text/csv'
const TSV = 'text/tab-separated-values'
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Content type -> document types that `convert=true` can make of it. The first is the default. */
export const IMPORTS: ReadonlyMap<string, readonly string[]> = new Map([
  [PLAIN, [TEXT_MIME, TABLE_MIME]],
  [CSV, [TABLE_MIME, TEXT_MIME]],
  [TSV, [TABLE_MIME, TEXT_MIME]],
  [WORKBOOK, [TABLE_MIME]],
])

/** Document type -> export types. */
export const EXPORTS: ReadonlyMap<string, readonly string[]> = new Map([
  [TEXT_MIME, [PLAIN]],
  [TABLE_MIME, [CSV, TSV, WORKBOOK, 'application/jsonl']],
])

/** `donors.csv` -> `donors`: title of a document, to which the suffix of an export is added. */
export function exportStem(title: string): string {
  return title.replace(/\.(?:csv|tsv|tab|xlsx|txt|jsonl)$/i, '')
}

/** Types for contents sent without a type or with a generic one. */
export const TYPES_BY_SUFFIX: ReadonlyMap<string, string> = new Map([
  ['txt', PLAIN],
  ['csv', CSV],
  ['tsv', TSV],
  ['tab', TSV],
  ['xlsx', WORKBOOK],
])

/** Weakest first. */
const RANKS = ['reader', 'commenter', 'writer', 'fileOrganizer', 'organizer'] as const

export type Role = (typeof RANKS)[number] | 'owner'

/** An owner in My Drive has the rank of an organizer in a shared drive. */
const rankOf = (role: Role): number => RANKS.indexOf(role === 'owner' ? 'organizer' : role)

export function isAtLeast(role: Role, needed: Role): boolean {
  return rankOf(role) >= rankOf(needed)
}

/** Effective role among several grants to the same caller. */
export function strongest(roles: readonly Role[]): Role | undefined {
  const [first, ...others] = roles
  return first && others.reduce(stronger, first)
}

export function stronger(one: Role, other: Role): Role {
  return isAtLeast(one, other) ? one : other
}

/**
 * Key for case-insensitive comparison: NFC and full case folding in three steps (`ẞ` `ß` `SS` `ss`). The dotless `ı`
 * folds to `i` too.
 */
export function foldTitle(title: string): string {
  return title.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

/** Words as the index cuts them: runs of letters and digits, with marks attached to the letter before them. */
export function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []
}

/** Key for natural sorting: each run of digits is prefixed with its length, so that `10` comes after `9`. */
export function naturalTitle(title: string): string {
  return foldTitle(title).replace(/\d+/g, (run) => {
    const digits = run.replace(/^0+(?=\d)/, '')
    return `0${String(digits.length).padStart(5, '0')}${digits}`
  })
}

interface Extensions {
  /** `gz` */
  readonly last: string
  /** `tar.gz` */
  readonly full: string
}

/** Suffixes of compressed files, which include the extension before them. */
const DOUBLE = /\.([a-z0-9]{1,20}\.(?:gz|bz2|xz|zst|lz4|br|z))$/i
const SINGLE = /\.([a-z0-9]{1,20})$/i

export function splitExtensions(title: string): Extensions | undefined {
  const last = SINGLE.exec(title)?.[1]
  if (last === undefined) return undefined
  return { last, full: DOUBLE.exec(title)?.[1] ?? last }
}
