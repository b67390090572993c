/** Counts distinct cells exactly as `answers.ts` does, by 53-bit hashes, so that many workers can count together. */
import { LONGEST_KEPT, MOST_KEPT } from '../cells/answers.ts'
import { keySet } from './memory/key-set.ts'

export interface DistinctCells {
  readonly keys: () => Float64Array
  isExact: boolean
  readonly add: (context: number, text: string) => void
  readonly addBytes: (context: number, bytes: Uint8Array, start: number, end: number) => void
  readonly merge: (keys: ArrayLike<number>, isExact: boolean) => void
  /** Nothing was seen; when nothing is to be counted, nothing is. */
  readonly restart: (isCounting: boolean) => void
  readonly distinct: () => { readonly count: number; readonly isExact: boolean }
}

export function distinctCells(): DistinctCells {
  const keys = keySet()
  let more = 0
  const keep = (key: number) => {
    keys.add(key)
    cells.isExact = keys.size() <= MOST_KEPT
  }
  const cells: DistinctCells = {
    keys: keys.values,
    isExact: true,
    add(context, text) {
      if (!cells.isExact) return
      if (text.length > LONGEST_KEPT) {
        more += 1
        cells.isExact = false
      } else {
        const bytes = Buffer.from(text)
        keep(hashTyping(context, bytes, 0, bytes.length))
      }
    },
    addBytes(context, bytes, start, end) {
      if (!cells.isExact) return
      keep(hashTyping(context, bytes, start, end))
    },
    merge(others, isExact) {
      if (!isExact) cells.isExact = false
      for (let at = 0; cells.isExact && at < others.length; at += 1) keep(others[at] ?? 0)
    },
    restart(isCounting) {
      keys.clear()
      more = 0
      cells.isExact = isCounting
    },
    distinct: () => ({ count: keys.size() + more, isExact: cells.isExact }),
  }
  return cells
}

function hashTyping(context: number, bytes: Uint8Array, start: number, end: number): number {
  // far apart, or `A…` in one context is as `C…` in another
  const seed = Math.imul(context + 1, 0x9e3779b1)
  let [low, high] = [0x811c9dc5 ^ seed, 0x9e3779b9 + (seed >>> 3)]
  for (let at = start; at < end; at += 1) {
    const code = bytes[at] ?? 0
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
    high ^= high >>> 13
  }
  return (low >>> 0) * 0x200000 + (high >>> 11)
}
