/** Digests of a content taken while it passes: a short one in this thread, a long one beside what this thread does. */
import type { Digesting } from './digest.ts'
import { createHash } from 'node:crypto'
import type { DigestThreads } from './digest-threads.ts'
import { PIECE } from './pieces.ts'

/**
 * A content that begins with a whole piece goes to `threads`, if there are any. State cannot move between threads, so
 * that is where it stays, as one that came in small portions stays here.
 */
export function digesting(threads?: DigestThreads): Digesting {
  let chosen: Digesting | undefined
  const choose = (first: number) =>
    (chosen ??= threads === undefined || first < PIECE ? digestingHere() : threads.digesting())
  return {
    update: (bytes) => choose(bytes.length).update(bytes),
    digests: () => choose(0).digests(),
    forget: () => chosen?.forget(),
  }
}

function digestingHere(): Digesting {
  const [md5, sha1, sha256] = [createHash('md5'), createHash('sha1'), createHash('sha256')]
  return {
    update(bytes) {
      for (const one of [md5, sha1, sha256]) one.update(bytes)
      return Promise.resolve()
    },
    digests: () =>
      Promise.resolve({ md5: md5.digest('hex'), sha1: sha1.digest('hex'), sha256: sha256.digest('hex') }),
    forget: () => undefined,
  }
}
