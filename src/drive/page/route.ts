/** Route: what the page shows, kept in the URL's fragment: browsers do not send it, and can go back and forth. */

export type PageRoute =
  | { readonly kind: 'folder' | 'file'; readonly id: string }
  /** Shows a file and saves its content at once: target of content links. */
  | { readonly kind: 'download'; readonly id: string }
  | { readonly kind: 'search'; readonly text: string }
  /** Administration: a tab, or `group:` and the address of a group. */
  | { readonly kind: 'admin'; readonly tab: string }
  | { readonly kind: (typeof LISTS)[number] }

const LISTS = ['shared', 'recent', 'starred', 'drives', 'trash'] as const

export const MY_FILES = { kind: 'folder', id: 'root' } as const satisfies PageRoute

export function formatRoute(route: PageRoute): string {
  switch (route.kind) {
    case 'folder':
    case 'file':
    case 'download':
      return `#${route.kind}/${encodeURIComponent(route.id)}`
    case 'search':
      return `#search/${encodeURIComponent(route.text)}`
    case 'admin':
      return `#admin/${encodeURIComponent(route.tab)}`
    default:
      return `#${route.kind}`
  }
}

/** Unknown hashes lead to My Drive. */
export function parseRoute(hash: string): PageRoute {
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
