/** Progress of a file transfer: a line redrawn on the terminal.  [terminal] */
import { draw, isTerminal } from '../../../io/stdout.ts'
import { visibleLine } from '../../../io/visible-text.ts'

export interface TransferProgress {
  /** Updates the number of bytes transferred. */
  readonly at: (bytes: number) => void
  /** Erases the line. */
  readonly end: () => void
}

/** Delay in ms before the first line; shorter transfers show none. */
const SILENT_MS = 1000
const REDRAW_MS = 200
const ERASE = '\r\u001b[K'

/** `total` is in bytes; undefined when unknown. */
export function transferProgress(
  name: string,
  total: number | undefined,
  isQuiet: boolean,
): TransferProgress {
  const isShown = !isQuiet && !process.env['CI'] && process.env['TERM'] !== 'dumb' && isTerminal('messages')
  if (!isShown) return { at: () => undefined, end: () => undefined }
  const shown = visibleLine(name)
  const started = performance.now()
  let next = started + SILENT_MS
  let isDrawn = false
  let first: number | undefined
  return {
    at(bytes) {
      // excludes bytes of an earlier run from the rate
      first ??= bytes
      const now = performance.now()
      if (now < next) return
      next = now + REDRAW_MS
      isDrawn = true
      const rate = ((bytes - first) / (now - started)) * 1000
      const share = total === undefined || total === 0 ? '' : ` ${Math.floor((bytes / total) * 100)}%,`
      draw(`${ERASE}hla: ${shown}:${share} ${mebibytes(bytes)} MiB, ${mebibytes(rate)} MiB/s`)
    },
    end() {
      if (isDrawn) draw(ERASE)
      isDrawn = false
    },
  }
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(1)
}
