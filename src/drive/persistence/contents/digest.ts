/** The three digests of a content that the API reports. */
import { hash } from 'node:crypto'

/** Hexadecimal digests. */
export interface Digests {
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
}

export function digestBytes(bytes: Uint8Array): Digests {
  return { md5: hash('md5', bytes), sha1: hash('sha1', bytes), sha256: hash('sha256', bytes) }
}

/** Bytes of a piece of a long content. */
export const PIECE_BYTES = 256 << 10

export interface Digesting {
  /** Resolves when the caller may reuse the bytes. */
  readonly update: (bytes: Uint8Array) => Promise<void>
  /** Digests of all bytes so far. No call may follow. */
  readonly digests: () => Promise<Digests>
  /** Discards the digest. */
  readonly forget: () => void
}
