/** Where log lines go: standard output, standard error or a file; a few at a time.  [disk] */
import { closeSync, openSync, writeSync } from 'node:fs'
import { HlaError, errorReason } from '../../../errors.ts'

export interface LogFile {
  write(line: string): void
  flush(): void
  /** After the file was moved away, to begin a new one under its name. */
  reopen(): void
}

/** What a pipe takes in one piece: lines of several processes stay whole. */
const HOLD = 4096
const HOLD_MS = 200

/**
 * `-` is standard output, `off` standard error, where only what is wrong is written.
 * @throws {HlaError} io
 */
export function openLogFile(where: string): LogFile {
  const isFile = where !== '-' && where !== 'off'
  let file = isFile ? openFile(where) : where === '-' ? 1 : 2
  let held = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = held
    held = ''
    if (text !== '') writeSomehow(file, text)
  }
  return {
    flush,
    write(line) {
      if (held.length + line.length > HOLD) flush()
      held += line
      timer ??= setTimeout(flush, HOLD_MS).unref()
    },
    reopen() {
      flush()
      if (!isFile) return
      const next = openFile(where)
      closeSync(file)
      file = next
    },
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'a')
  } catch (error) {
    throw new HlaError('io', `cannot write ${path}: ${errorReason(error)}`, { offending: path, cause: error })
  }
}

/** Nobody reads the log, or the disk is full: the service goes on answering. */
function writeSomehow(file: number, text: string): void {
  try {
    writeSync(file, text)
  } catch {
    // there is no place left to say it
  }
}
