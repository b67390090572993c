/** A release or history that contains only the bytes loaded on request. */
import { type History, readHistory } from '../../src/reference/history/history.ts'
import { type Release, readRelease } from '../../src/reference/release.ts'

interface LateOptions {
  readonly remake?: () => Uint8Array
  readonly onLoad?: (from: number, to: number) => void
}

export function readLate(stored: Uint8Array, options?: LateOptions): Release {
  return late(stored, readRelease, options)
}

export function readLateHistory(stored: Uint8Array, options?: LateOptions): History {
  return late(stored, readHistory, options)
}

type Load = (from: number, to: number) => void

/** Fills bytes that are not loaded with 0xa5. */
function late<T>(
  stored: Uint8Array,
  read: (bytes: Uint8Array, remake: (() => Uint8Array) | undefined, load: Load) => T,
  { remake, onLoad }: LateOptions = {},
): T {
  const bytes = new Uint8Array(stored.length).fill(0xa5)
  return read(bytes, remake, (from, to) => {
    onLoad?.(from, to)
    bytes.set(stored.subarray(from, to), from)
  })
}
