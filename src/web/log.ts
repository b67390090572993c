/**
 * The log of a service: JSON lines with nothing of a request except its route and id, and their destination.  [disk]
 */
import type { FastifyServerOptions } from 'fastify'
import { closeSync, openSync, writeSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { HlaError, errorReason } from '../errors.ts'

export interface LogOptions {
  /** Destination of the JSON lines; undefined for none. */
  readonly stream: { write(line: string): void } | undefined
  /** Write a line for every request. */
  readonly access: boolean
}

export function makeLogger({ stream, access }: LogOptions): NonNullable<FastifyServerOptions['logger']> {
  if (stream === undefined) return false
  return {
    level: access ? 'info' : 'warn',
    stream,
    serializers: { err: safeError, req: () => ({}), res: () => ({}) },
  }
}

/** Error about damaged content of the store, with a message for the operator. */
export class LostContent extends Error {
  override readonly name = 'LostContent'
}

/** Message safe to log: system errors name hla's own files; any other message may repeat the input. */
function tellable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof LostContent || 'syscall' in error ? error.message : tellable(error.cause)
}

/** Error with its stack, but without a message that may repeat the input. */
function safeError(error: unknown): { type: string; message: string; stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return { type: error.name, message: tellable(error) ?? '', stack: frames.join('\n') }
}

/** Destination of log lines: standard output, standard error or a file. Writes are batched. */
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
  const details = facts.map(([name, value]) => `${name}=${String(value)}`).join(' ')
  const kind = Number(level) >= ERROR ? 'error' : 'warning'
  const cause = err === undefined ? '' : causeText(err as LoggedError)
  return `hla: ${kind}: ${String(msg)}${details === '' ? '' : ` (${details})`}${cause.trimEnd()}\n`
}

type LoggedError = ReturnType<typeof safeError>

function causeText({ type, message, stack }: LoggedError): string {
  return `: ${[type, message].filter(Boolean).join(': ')}\n${stack}`
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

/** Ids of requests in the log: the client's own if valid, else a generated one. */
export function requestIds(): (request: { readonly headers: Readonly<Record<string, unknown>> }) => string {
  const start = randomBytes(4).toString('hex')
  let count = 0
  return ({ headers }) => {
    const id = headers['x-request-id']
    return typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : `${start}-${(count += 1)}`
  }
}
