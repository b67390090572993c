/** Kinds of items, by their MIME type (spec 4). */

export const FOLDER_MIME = 'application/vnd.google-apps.folder'
export const SHORTCUT_MIME = 'application/vnd.google-apps.shortcut'
export const BYTES_MIME = 'application/octet-stream'

const NATIVE = 'application/vnd.google-apps.'

export type ItemKind = 'file' | 'folder' | 'shortcut'

export function classifyItem(mime: string): ItemKind {
  if (mime === FOLDER_MIME) return 'folder'
  return mime === SHORTCUT_MIME ? 'shortcut' : 'file'
}

/** A document without bytes, edited in the browser: this store makes none (spec 21, level A). */
export function isNativeDocument(mime: string): boolean {
  return mime.startsWith(NATIVE) && classifyItem(mime) === 'file'
}
