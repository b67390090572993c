/** A release of which those bytes are there that were asked for. */
import { type Release, readRelease } from '../../src/reference/release.ts'

interface LateOptions {
  readonly remake?: () => Uint8Array
  readonly onLoad?: (from: number, to: number) => void
}

/** What was not loaded is of no use to anybody. */
export function readLate(stored: Uint8Array, { remake, onLoad }: LateOptions = {}): Release {
  const bytes = new Uint8Array(stored.length).fill(0xa5)
  return readRelease(bytes, remake, (from, to) => {
    onLoad?.(from, to)
    bytes.set(stored.subarray(from, to), from)
  })
}
