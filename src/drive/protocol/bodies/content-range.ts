/** `Content-Range` of a resumable upload: which bytes come, or a question (spec 6.3). */
import { StorageFailure } from '../../contract/failure.ts'

/** Undefined total: not known yet. */
export type ContentRange =
  | {
      readonly kind: 'chunk'
      readonly start: number
      readonly length: number
      readonly total: number | undefined
    }
  /** `*`: no bytes; how many are held? A total that equals them ends the upload. */
  | { readonly kind: 'query'; readonly total: number | undefined }

const FORM = /^\s*bytes[\s=]+(?:\*|(\d{1,16})-(-1|\d{1,16}))\s*\/\s*(\*|\d{1,16})\s*$/i

/**
 * Undefined: no header, so all bytes from the first. A chunk may be empty: a client that has read to the end of what it did not know
 * the length of sends `bytes 262144-262143/262144`, and of nothing at all `bytes 0--1/0`.
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
  if (total !== undefined && start + length > total) throw invalidRange(header, 'it ends behind the total')
  return { kind: 'chunk', start, length, total }
}

const LONGEST_SHOWN = 100

function invalidRange(header: string, why: string): StorageFailure {
  return new StorageFailure(
    400,
    'invalid',
    `Invalid Content-Range '${header.slice(0, LONGEST_SHOWN)}': ${why}`,
    {
      location: 'Content-Range',
      locationType: 'header',
    },
  )
}
