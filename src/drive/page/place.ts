/** Where one is: kept in the part of the address that no service is sent, so that a browser goes back and forth. */

export type PagePlace =
  | { readonly kind: 'folder' | 'file'; readonly id: string }
  /** The file, and its content is saved to disk at once: where a link to a content leads. */
  | { readonly kind: 'download'; readonly id: string }
  | { readonly kind: 'search'; readonly text: string }
  /** Of who administers: a part of it, or `group:` and the address of one. */
  | { readonly kind: 'admin'; readonly tab: string }
  | { readonly kind: (typeof LISTS)[number] }

const LISTS = ['shared', 'recent', 'starred', 'drives', 'trash'] as const

export const MY_FILES: PagePlace = { kind: 'folder', id: 'root' }

export function formatPlace(place: PagePlace): string {
  switch (place.kind) {
    case 'folder':
    case 'file':
    case 'download':
      return `#${place.kind}/${encodeURIComponent(place.id)}`
    case 'search':
      return `#search/${encodeURIComponent(place.text)}`
    case 'admin':
      return `#admin/${encodeURIComponent(place.tab)}`
    default:
      return `#${place.kind}`
  }
}

/** What names no place is where everybody starts. */
export function parsePlace(hash: string): PagePlace {
  const [kind = '', rest = ''] = hash.replace(/^#/, '').split('/', 2)
  const text = decoded(rest)
  if (kind === 'search') return { kind, text }
  if (kind === 'admin') return { kind, tab: text === '' ? 'users' : text }
  const list = LISTS.find((known) => known === kind)
  if (list !== undefined) return { kind: list }
  return (kind === 'folder' || kind === 'file' || kind === 'download') && text !== ''
    ? { kind, id: text }
    : MY_FILES
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
