/** HlaError: what went wrong with somebody's input, as a code for programs and a sentence for people. Whatever else is thrown is a fault of the program. */
import { type Advice, advice, messageText } from './advice.ts'
import { type ErrorKind, ERRORS } from './error-table.ts'

export type ErrorCode = keyof typeof ERRORS

/** Every error code of the project. */
// the keys of the table are its type
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[]

export function errorKind(code: ErrorCode): ErrorKind {
  return ERRORS[code]
}

/** Other inputs would fail alike: nothing more is asked. */
export function endsRun({ code }: { readonly code: ErrorCode }): boolean {
  return errorKind(code).about !== 'typing'
}

/** A half-open range of UTF-16 units in the text that was given: `[start, end)`. */
export type Position = readonly [start: number, end: number]

export interface ErrorDetails {
  /** The exact piece of input the error is about. */
  readonly offending?: string | undefined
  readonly position?: Position | undefined
  /** Line of the input, from 1: the message begins with it. */
  readonly line?: number | undefined
  /** Names that may have been meant, best first; never applied by themselves. */
  readonly suggestions?: readonly string[] | undefined
  /** What is known about it, or what to do: a line each. */
  readonly hint?: Advice | undefined
  /** Further facts as data, e.g. `found` and `expected` of a blend. */
  readonly facts?: Readonly<Record<string, string>> | undefined
  readonly cause?: unknown
}

/** A wrong input. Any other `Error` is a wrong program. */
export class HlaError extends Error {
  override readonly name = 'HlaError'
  readonly code: ErrorCode
  readonly offending: string | undefined
  readonly position: Position | undefined
  readonly line: number | undefined
  readonly suggestions: readonly string[]
  /** `message` as data, where it names something to type. */
  readonly said: Advice
  readonly hint: Advice | undefined
  readonly facts: Readonly<Record<string, string>> | undefined

  constructor(code: ErrorCode, reason: Advice, details: ErrorDetails = {}) {
    const message = details.line === undefined ? reason : advice`${linePrefix(details.line)}${reason}`
    // where in the program an input was found wrong is of no use, and takes a fifth of the time of a failing cell
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(
      bounded(messageText(message, 'command-line')),
      details.cause === undefined ? undefined : { cause: details.cause },
    )
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.offending = details.offending
    this.position = details.position
    this.line = details.line
    this.suggestions = details.suggestions ?? []
    this.said = typeof message === 'string' ? this.message : message
    this.hint = typeof details.hint === 'string' ? bounded(details.hint) : details.hint
    this.facts = details.facts
  }
}

/** How the message of an error about a line begins. */
export function linePrefix(line: number): string {
  return `line ${line}: `
}

/** Messages repeat pieces of input, which may be megabytes. */
const LONGEST_MESSAGE = 1000

function bounded(text: string): string {
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text
}

/** By name, not by class: a bundle may hold a second copy of the class. */
export function isHlaError(error: unknown): error is HlaError {
  return error instanceof Error && error.name === 'HlaError'
}

/** Something said about an answer that is right but needs saying; never changes the answer. */
export interface Note {
  /** A detail is told only when asked for: in JSON, or with -v. */
  readonly level: 'detail' | 'note' | 'warning'
  readonly code: string
  readonly message: string
  readonly offending?: string
  readonly position?: Position
  /** What a note on a renamed member of a code is about. */
  readonly renamed?: RenamedMember
}

/** A member of a code that the release has under another name. */
export interface RenamedMember {
  /** As the code has it: `B*14:78N`. */
  readonly member: string
  /** As the release has it: `B*14:78`. */
  readonly name: string
  /** `B*14:CAVKT` */
  readonly code: string
  /** The code is read with `name`; else without the member. */
  readonly lifted?: boolean
}

/** What the system says about a failure, without codes, calls and paths: `no space left on device`. */
export function errorReason(error: unknown): string {
  const text = errorMessage(error)
  if (text.startsWith('EISDIR')) return 'it is a folder'
  return text.replace(/^E[A-Z0-9]+: ([^,]*),.*$/, '$1')
}

/** The first line of any error's text, for messages that wrap one. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

/** What the program promises itself, which never becomes an answer; `invariant` says why there is a value. @throws an `Error` that names it */
export function assured<T>(value: T | undefined, invariant: string): T {
  if (value === undefined) throw new Error(`broken invariant: ${invariant}`)
  return value
}
