/** Addresses of resources, as the caller reaches them: clients follow them. */

/** Of one request. */
export interface Links {
  /** `https://drive.example.org` */
  readonly base: string
  file(id: string): string
  /** The page of the store, at this item. */
  page(kind: 'file' | 'folder', id: string): string
  /** Its bytes; needs the same credentials. */
  content(id: string): string
  /** Anything below `/drive/v2/`. */
  to(path: string): string
}

const known = new Map<string, Links>()
const MOST_KNOWN = 1000

export function makeLinks(base: string): Links {
  let links = known.get(base)
  if (links !== undefined) return links
  const root = `${base}/drive/v2/`
  links = {
    base,
    file: (id) => `${root}files/${id}`,
    page: (kind, id) => `${base}/#${kind}/${id}`,
    content: (id) => `${root}files/${id}?alt=media&source=downloadUrl`,
    to: (path) => `${root}${path}`,
  }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(base, links)
  return links
}
