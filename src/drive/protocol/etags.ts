/** Entity tags of `If-Match` and `If-None-Match` (RFC 9110, 8.8.3 and 13.1). */

/** `*`, or the tags with their quotes, and with `W/` if weak. Plain data, sent to the writer thread. */
export type EntityTags = '*' | readonly string[]

const TAG = /[\s,]*((?:W\/)?"[!#-~\u0080-\u00FF]*")[ \t]*(?=,|$)/y
/** Any text up to the next comma. */
const OTHER = /[\s,]*[^,]+/y

/** Skips malformed tags without affecting others. Returns undefined if there is no such header. */
export function parseEntityTags(header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (text === '*') return '*'
  const tags: string[] = []
  for (let at = 0; at < text.length;) {
    const [end, tag] = tagAt(text, at)
    if (tag !== undefined) tags.push(tag)
    at = end
  }
  return tags
}

/** Strong comparison, for `If-Match`: weak tags match nothing. An undefined etag belongs to an item that does not exist. */
export function matches(tags: EntityTags, etag: string | undefined): boolean {
  if (etag === undefined) return false
  return tags === '*' || (!isWeak(etag) && tags.includes(etag))
}

/** Weak comparison, for `If-None-Match`. */
export function matchesWeakly(tags: EntityTags, etag: string | undefined): boolean {
  if (etag === undefined) return false
  return tags === '*' || tags.some((tag) => opaque(tag) === opaque(etag))
}

function tagAt(text: string, at: number): readonly [end: number, tag: string | undefined] {
  TAG.lastIndex = at
  const tag = TAG.exec(text)?.[1]
  if (tag !== undefined) return [TAG.lastIndex, tag]
  OTHER.lastIndex = at
  const isAny = OTHER.test(text)
  return [isAny ? OTHER.lastIndex : text.length, undefined]
}

function isWeak(tag: string): boolean {
  return tag.startsWith('W/')
}

function opaque(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag
}
