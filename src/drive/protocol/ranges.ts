/** Byte ranges: requested (`Range`, `If-Range`) and sent (`Content-Range`). */
import { StorageFailure } from '../contract/failure.ts'
import { matches } from './etags.ts'

/** Half-open, in bytes. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const ONE_RANGE = /^\s*bytes\s*=[\s,]*(?:(\d{1,30})-(\d{0,30})|-(\d{1,30}))[\s,]*$/i

/**
 * Undefined means the whole content. This includes several ranges, malformed ones, and any range of an empty content:
 * some clients request one and cannot handle a refusal (spec 7).
 * @throws {StorageFailure} 416 — it begins beyond the end
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

/** Tells whether the range applies to the current version. `modified` is milliseconds since 1970, compared by the second. */
export function ifRangeHolds(
  header: string | undefined,
  now: { readonly etag: string; readonly modified: number },
): boolean {
  if (header === undefined) return true
  if (header.endsWith('"')) return matches([header], now.etag)
  return Date.parse(header) === Math.floor(now.modified / 1000) * 1000
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

/** An undefined total is not known yet. */
type ContentRange =
  | {
      readonly kind: 'chunk'
      readonly start: number
      readonly length: number
      readonly total: number | undefined
    }
  /** `*`: a request for the number of bytes received so far. A total equal to it ends the upload. */
  | { readonly kind: 'query'; readonly total: number | undefined }

const FORM = /^\s*bytes[\s=]+(?:\*|(\d{1,16})-(-1|\d{1,16}))\s*\/\s*(\*|\d{1,16})\s*$/i

/**
 * Undefined: no header, so the body has all bytes from the first. A chunk may be empty. At the end of a source of
 * unknown length, clients send `bytes 262144-262143/262144`, and `bytes 0--1/0` for an empty source.
 * @throws {StorageFailure} 400 invalid
 */
export function parseContentRange(header: string | undefined): ContentRange | undefined {
  if (header === undefined) return undefined
  const [found, first, last, whole] = FORM.exec(header) ?? []
  if (found === undefined) throw invalidRange(header, 'bytes FIRST-LAST/TOTAL expected')
  const total = whole === '*' ? undefined : Number(whole)
  if (first === undefined) return { kind: 'query', total }
  const start = Number(first)
  const length = Number(last) + 1 - start
  if (!Number.isSafeInteger(start + length) || !Number.isSafeInteger(total ?? 0)) {
    throw invalidRange(header, 'it is too large')
  }
  if (length < 0) throw invalidRange(header, 'it ends before it begins')
  if (total !== undefined && start + length > total) throw invalidRange(header, 'it ends after the total')
  return { kind: 'chunk', start, length, total }
}

const MAX_SHOWN_LENGTH = 100

function invalidRange(header: string, why: string): StorageFailure {
  return new StorageFailure(
    400,
    'invalid',
    `Invalid Content-Range '${header.slice(0, MAX_SHOWN_LENGTH)}': ${why}`,
    {
      location: 'Content-Range',
      locationType: 'header',
    },
  )
}
