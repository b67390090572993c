/** The three digests of a content that the interface tells, taken while it passes. */
import { createHash, hash } from 'node:crypto'

/** In hexadecimal. */
export interface Digests {
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
}

export interface Digesting {
  readonly update: (bytes: Uint8Array) => void
  /** Of what has passed so far; more may follow. */
  readonly digests: () => Digests
}

export function digesting(): Digesting {
  const md5 = createHash('md5')
  const sha1 = createHash('sha1')
  const sha256 = createHash('sha256')
  return {
    update(bytes) {
      md5.update(bytes)
      sha1.update(bytes)
      sha256.update(bytes)
    },
    digests: () => ({
      md5: md5.copy().digest('hex'),
      sha1: sha1.copy().digest('hex'),
      sha256: sha256.copy().digest('hex'),
    }),
  }
}

export function digestsOf(bytes: Uint8Array): Digests {
  return { md5: hash('md5', bytes), sha1: hash('sha1', bytes), sha256: hash('sha256', bytes) }
}
