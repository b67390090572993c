/** Where log lines go: standard output, standard error or a file; a few at a time.  [disk] */
import { closeSync, openSync, writeSync } from 'node:fs'
import { HlaError, errorReason } from '../errors.ts'

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
 * `-` is standard output; `off` standard error, where only what is wrong is written, as text: what else is said there is text.
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

/** A line of JSON as the program says everything else on standard error: message first, then what it is about. */
function textLine(line: string): string {
  const { level, msg, err, ...about } = JSON.parse(line) as Readonly<Record<string, unknown>>
  const facts = Object.entries(about).filter(([name]) => !['time', 'pid', 'hostname'].includes(name))
  const told = facts.map(([name, value]) => `${name}=${String(value)}`).join(' ')
  const { type = '', message = '', stack = '' } = (err ?? {}) as Readonly<Record<string, string>>
  const kind = Number(level) >= ERROR ? 'error' : 'warning'
  const cause = err === undefined ? '' : `: ${[type, message].filter(Boolean).join(': ')}\n${stack}`
  return `hla: ${kind}: ${String(msg)}${told === '' ? '' : ` (${told})`}${cause.trimEnd()}\n`
}

/** Level of pino. */
const ERROR = 50

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
