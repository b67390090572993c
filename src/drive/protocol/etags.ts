/** Entity tags of `If-Match` and `If-None-Match` (RFC 9110, 8.8.3 and 13.1). */

import { createHash } from 'node:crypto'
import { conditionNotMet } from '../contract/failure.ts'

/** Strong etag of what the text describes. */
export function etagOf(text: string): string {
  return `"${digestText(text)}"`
}

export function digestText(text: string): string {
  return createHash('sha1').update(text).digest('base64url')
}

/** `*`, or the tags with their quotes, and with `W/` if weak. Plain data, sent to the writer thread. */
export type EntityTags = '*' | readonly string[]

const TAG = /[\s,]*((?:W\/)?"[!#-~\u0080-\u00FF]*")[ \t]*(?=,|$)/y
/** Any text up to the next comma. */
const OTHER = /[\s,]*[^,]*/y

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

/** `If-Match` of a change to an existing item. @throws 412 */
export function requireTag(wanted: EntityTags | undefined, etag: () => string): void {
  if (wanted !== undefined && !matches(wanted, etag())) throw conditionNotMet()
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
  OTHER.test(text)
  return [OTHER.lastIndex, undefined]
}

function isWeak(tag: string): boolean {
  return tag.startsWith('W/')
}

function opaque(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag
}
