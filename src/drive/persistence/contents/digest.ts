/** The three digests of a content that the interface tells. */
import { hash } from 'node:crypto'

/** In hexadecimal. */
export interface Digests {
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
}

export function digestBytes(bytes: Uint8Array): Digests {
  return { md5: hash('md5', bytes), sha1: hash('sha1', bytes), sha256: hash('sha256', bytes) }
}

export interface Digesting {
  /** Resolves when the bytes may change. */
  readonly update: (bytes: Uint8Array) => Promise<void>
  /** Of all that has passed: the last thing to be asked. */
  readonly digests: () => Promise<Digests>
  /** They are not wanted any more. */
  readonly forget: () => void
}
