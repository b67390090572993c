/** Lets the system bring a file to the disk while it is still being written, so that its end is not waited for.  [disk] */
import { closeSync, fdatasync, openSync } from 'node:fs'

export interface FlushAhead {
  /** So many bytes more were written. */
  readonly wrote: (bytes: number) => void
  /** Nothing more will be. */
  readonly end: () => void
}

/** Often enough that little is left at the end, seldom enough to cost nothing. */
const PIECE = 16 * 1024 * 1024

/**
 * By a descriptor of its own: what fails here, be it to open the file, fails again where the file itself is synchronised,
 * and is reported there. A file of less than a piece is left alone.
 */
export function flushAhead(path: string): FlushAhead {
  let file: number | undefined
  let [waiting, pending, isOver] = [0, 0, false]
  const closeUnused = () => {
    if (!isOver || pending > 0 || file === undefined) return
    closeSync(file)
    file = undefined
  }
  return {
    wrote(bytes) {
      waiting += bytes
      if (waiting < PIECE) return
      waiting = 0
      file ??= opened(path)
      if (file === undefined) return
      pending += 1
      fdatasync(file, () => {
        pending -= 1
        closeUnused()
      })
    },
    end() {
      isOver = true
      closeUnused()
    },
  }
}

/** undefined: it is gone, or may not be read; nothing is flushed ahead then. */
function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
