/**
 * HlaError: a fault in the user's input, as a code for programs and a message for people. Any other exception is a bug.
 */
import { type Advice, advice, plainText } from './advice.ts'
import { type ErrorKind, ERRORS } from './error-table.ts'

export type ErrorCode = keyof typeof ERRORS

// the keys of the table are its type
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[]

export function errorKind(code: ErrorCode): ErrorKind {
  return ERRORS[code]
}

/** True when every other input would fail alike, so that the run ends. */
export function endsRun({ code }: { readonly code: ErrorCode }): boolean {
  return errorKind(code).about !== 'typing'
}

/** Half-open range of UTF-16 units in the given text: `[start, end)`. */
export type Position = readonly [start: number, end: number]

export interface ErrorDetails {
  /** Exact piece of input at fault. */
  readonly offending?: string | undefined
  readonly position?: Position | undefined
  /** Line of the input, 1-based; the message begins with it. */
  readonly line?: number | undefined
  /** Names that may have been meant, best first; never applied automatically. */
  readonly suggestions?: readonly string[] | undefined
  /** Explanation or remedy, one per line. */
  readonly hint?: Advice | undefined
  /** Further facts as data, e.g. `found` and `expected` of a blend. */
  readonly facts?: Readonly<Record<string, string>> | undefined
  readonly cause?: unknown
}

/** Fault in an input. Any other `Error` is a bug. */
export class HlaError extends Error {
  override readonly name = 'HlaError'
  readonly code: ErrorCode
  readonly offending: string | undefined
  readonly position: Position | undefined
  readonly line: number | undefined
  readonly suggestions: readonly string[]
  /** `message` as data, for `errorText` to word. */
  readonly said: Advice
  readonly hint: Advice | undefined
  readonly facts: Readonly<Record<string, string>> | undefined

  constructor(code: ErrorCode, reason: Advice, details: ErrorDetails = {}) {
    const message = details.line === undefined ? reason : advice`${linePrefix(details.line)}${reason}`
    // the stack of an input error is useless, and takes a fifth of the time of a failing cell
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(bounded(plainText(message)), details.cause === undefined ? undefined : { cause: details.cause })
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

/** Beginning of a message about a line. */
export function linePrefix(line: number): string {
  return `line ${line}: `
}

/** The same error with other details. */
export function withDetails(error: HlaError, details: ErrorDetails): HlaError {
  const { code, said, offending, position, suggestions, hint, facts } = error
  return new HlaError(code, said, { offending, position, suggestions, hint, facts, cause: error, ...details })
}

/** Maximum length in characters: messages repeat input, which may be megabytes. */
const MAX_MESSAGE_LENGTH = 1000

export function bounded(text: string): string {
  return text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text
}

/** Checks the name, not the class: a bundle may hold a second copy of the class. */
export function isHlaError(error: unknown): error is HlaError {
  return error instanceof Error && error.name === 'HlaError'
}

/** Remark on a correct answer; never changes the answer. */
export interface Note {
  /** Details are shown only on request: in JSON, or with -v. */
  readonly level: 'detail' | 'note' | 'warning'
  readonly code: string
  readonly message: string
  readonly offending?: string
  readonly position?: Position
  /** Set on a note about names that the answer does not have. */
  readonly losses?: readonly Loss[]
  /** As of an error: names to write instead, best first. */
  readonly suggestions?: readonly string[]
  /** As of an error. */
  readonly facts?: Readonly<Record<string, string>>
}

/** A name that stands in a typing, or in the list of its code, and not in the answer. */
export interface Loss {
  /** `A*01:01:01:02N`, or the member as the code lists it: `B*14:78N`. */
  readonly name: string
  readonly kind: LossKind
  /** Name of a renamed member in the release, `B*14:78`, or its names. */
  readonly present?: readonly string[]
  /** True when the code is read with `present`, otherwise the member is left out. */
  readonly lifted?: boolean
  /** Release that first lists a later member. */
  readonly since?: string
}

/**
 * `letter`: a name reduced to one without its expression letter. The others are members of codes that the release does
 * not list: under another name there, no longer, not yet, or in no list at all.
 */
export const LOSS_KINDS = ['letter', 'renamed', 'retired', 'later', 'unknown'] as const
export type LossKind = (typeof LOSS_KINDS)[number]

/** The system's reason for a failure, without codes, calls and paths: `no space left on device`. */
export function errorReason(error: unknown): string {
  const text = errorMessage(error)
  if (text.startsWith('EISDIR')) return 'it is a folder'
  return text.replace(/^E[A-Z0-9]+: ([^,]*),.*$/, '$1')
}

/** First line of an error's text, for messages that quote it. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

/** Value of `run`, or for an error of hla that of `otherwise`; other errors are bugs. */
export function orElse<T, E>(run: () => T, otherwise: (error: HlaError) => E): T | E {
  try {
    return run()
  } catch (error) {
    if (isHlaError(error)) return otherwise(error)
    throw error
  }
}

/** Asserts an internal invariant; `invariant` says why there is a value. @throws an `Error` that names it */
export function assured<T>(value: T | undefined, invariant: string): T {
  if (value === undefined) throw new Error(`broken invariant: ${invariant}`)
  return value
}
