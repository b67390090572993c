/** Byte ranges: which part of a content is asked for (`Range`, `If-Range`), and which is sent (`Content-Range`). */
import { StorageFailure } from '../contract/failure.ts'
import { matches } from './etags.ts'

/** Half-open, in bytes. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const ONE_RANGE = /^\s*bytes\s*=[\s,]*(?:(\d{1,30})-(\d{0,30})|-(\d{1,30}))[\s,]*$/i

/**
 * Undefined: the whole. So it is for several ranges, for what is no range of bytes, and for every range of an empty content, which
 * some clients ask for and cannot stand to be refused (spec 7).
 * @throws {StorageFailure} 416 — it begins behind the end
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [found, first, last, suffix] = ONE_RANGE.exec(header ?? '') ?? []
  if (found === undefined || size === 0) return undefined
  if (suffix !== undefined) return lastBytes(Number(suffix), size)
  const start = Number(first)
  const end = last === undefined || last === '' ? size : Math.min(Number(last) + 1, size)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) throw notSatisfiable(size)
  return { start, end }
}

/** Whether a range may be given of what there is now. `modified`: milliseconds since 1970, told by the second. */
export function ifRangeHolds(
  header: string | undefined,
  now: { readonly etag: string; readonly modified: number },
): boolean {
  if (header === undefined) return true
  const text = header.trim()
  if (text.endsWith('"')) return matches([text], now.etag)
  return Date.parse(text) === Math.floor(now.modified / 1000) * 1000
}

/** `bytes 0-9/10` */
export function formatContentRange({ start, end }: ByteRange, size: number): string {
  return `bytes ${start}-${end - 1}/${size}`
}

function lastBytes(count: number, size: number): ByteRange {
  if (count === 0) throw notSatisfiable(size)
  return { start: Math.max(0, size - count), end: size }
}

function notSatisfiable(size: number): StorageFailure {
  return new StorageFailure(416, 'requestedRangeNotSatisfiable', 'Request range not satisfiable', {
    locationType: 'header',
    location: 'Range',
    headers: { 'Content-Range': `bytes */${size}` },
  })
}
