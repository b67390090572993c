/** Destination of log lines: standard output, standard error or a file; writes are batched.  [disk] */
import { closeSync, openSync, writeSync } from 'node:fs'
import { HlaError, errorReason } from '../errors.ts'

export interface LogFile {
  write(line: string): void
  flush(): void
  /** Reopens the path after log rotation moved the file away. */
  reopen(): void
}

/** Maximum size of a batch in bytes: a pipe writes this atomically, so lines of several processes stay intact. */
const HOLD = 4096
const HOLD_MS = 200

/**
 * `-` is standard output. `off` writes only warnings and errors, as text to standard error, like other messages there.
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
      const text = where === 'off' ? textLine(line) : line
      if (held.length + text.length > HOLD) flush()
      held += text
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

/** Formats a line of JSON like other messages on standard error: message first, then details. */
function textLine(line: string): string {
  const { level, msg, err, ...about } = JSON.parse(line) as Readonly<Record<string, unknown>>
  const facts = Object.entries(about).filter(([name]) => !['time', 'pid', 'hostname'].includes(name))
  const told = facts.map(([name, value]) => `${name}=${String(value)}`).join(' ')
  const { type = '', message = '', stack = '' } = (err ?? {}) as Readonly<Record<string, string>>
  const kind = Number(level) >= ERROR ? 'error' : 'warning'
  const cause = err === undefined ? '' : `: ${[type, message].filter(Boolean).join(': ')}\n${stack}`
  return `hla: ${kind}: ${String(msg)}${told === '' ? '' : ` (${told})`}${cause.trimEnd()}\n`
}

/** Level of errors in pino. */
const ERROR = 50

function openFile(path: string): number {
  try {
    return openSync(path, 'a')
  } catch (error) {
    throw new HlaError('io', `cannot write ${path}: ${errorReason(error)}`, { offending: path, cause: error })
  }
}

/** Ignores write errors, such as a closed pipe or a full disk: the service continues. */
function writeSomehow(file: number, text: string): void {
  try {
    writeSync(file, text)
  } catch {
    // the log was the only place to report it
  }
}
