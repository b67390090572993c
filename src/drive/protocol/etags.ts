/** Entity tags, as `If-Match` and `If-None-Match` list them (RFC 9110, 8.8.3 and 13.1). */

/** `*`, or the tags with their quotes, and with `W/` where they are weak. Plain data: it travels to the writer thread. */
export type EntityTags = '*' | readonly string[]

const TAG = /[\s,]*((?:W\/)?"[!#-~\u0080-\u00FF]*")[ \t]*(?=,|$)/y
/** Up to the next comma, whatever it is. */
const OTHER = /[\s,]*[^,]+/y

/** What is not a tag matches nothing, and does not spoil those beside it. Undefined: there is no such header. */
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

/** For `If-Match`: weak tags match nothing. An etag that is undefined is of a thing that does not exist. */
export function matches(tags: EntityTags, etag: string | undefined): boolean {
  if (etag === undefined) return false
  return tags === '*' || (!isWeak(etag) && tags.includes(etag))
}

/** For `If-None-Match`: whether a tag is weak does not matter. */
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
