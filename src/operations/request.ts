/** Requests of the co-process and of batches: one JSON object per line, with `op` and the operation's input. */
import { type Face, outputFor } from './faces.ts'
import type { OperationRequest } from './operation-request.ts'
import { HlaError, isHlaError } from '../errors.ts'
import { questionEcho } from './echo.ts'
import { errorRecord } from './error-record.ts'
import { recognizeDocument } from '../nomenclature/document-format.ts'
import type { Executor } from './executor.ts'
import { isRecord } from './http-face.ts'

/**
 * `{"op":"redux","gl_string":…}` -> the operation's output, or `{"gl_string":…,"error":{…}}`.
 * A bug triggered by one line must not affect the others, so it is passed to `report`.
 */
export function answerRequest(
  executor: Executor,
  text: string,
  report: (fault: unknown) => void,
  face: Face = 'program',
): unknown {
  try {
    const question = parseRequest(text)
    const answer = answerQuestion(executor, question, report, face)
    return isRecord(answer) && 'error' in answer ? { ...questionEcho(question), ...answer } : answer
  } catch (error) {
    if (isHlaError(error)) return { error: errorRecord(error, face) }
    throw error
  }
}

/** Answers a parsed line. */
export function answerQuestion(
  executor: Executor,
  { operation, input }: OperationRequest,
  report: (fault: unknown) => void,
  face: Face = 'program',
): unknown {
  try {
    const output = executor.execute(operation, input)
    return isRecord(output) ? outputFor(output, face) : output
  } catch (error) {
    if (isHlaError(error)) return { error: errorRecord(error, face) }
    report(error)
    return { error: errorRecord(new HlaError('internal', 'internal error')) }
  }
}

/** @throws {HlaError} bad-request — not a JSON object, or without `op` */
export function parseRequest(text: string): OperationRequest {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HlaError('bad-request', 'a request is one JSON object on one line')
  }
  const { op, ...input } = value as Record<string, unknown>
  if (typeof op !== 'string') throw new HlaError('bad-request', 'op is missing: the name of an operation')
  return { operation: op, input }
}

function parseJson(text: string): unknown {
  try {
    return readJson(text)
  } catch (error) {
    const format = recognizeDocument(text)
    const found = format === undefined || format === 'JSON' ? '' : `: it is ${format}`
    throw new HlaError('bad-request', `the line is not JSON${found}`, { cause: error })
  }
}

/** Maximum nesting depth: a request is flat, and its options contain at most a list or an object. */
const DEEPEST = 32

/** Maximum length, in characters, of a text that is not checked for depth: reading it is fast at any depth. */
const SHORT = 10_000

/**
 * Parses the JSON of a request. Deep nesting is refused first: half a million nested lists would be created only to be
 * rejected.
 * @throws {SyntaxError}
 */
export function readJson(text: string): unknown {
  const json = withoutMark(text)
  if (json.length > SHORT && isDeep(json)) throw new SyntaxError('it is nested too deeply')
  return JSON.parse(json)
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Ignores brackets inside strings. */
function isDeep(json: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) isInText = !isInText
    else if (isInText && code === BACKSLASH) at += 1
    else if (!isInText && OPENING.has(code)) depth += 1
    else if (!isInText && CLOSING.has(code)) depth -= 1
    if (depth > DEEPEST) return true
  }
  return false
}

/** Removes the byte order mark that some programs write. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
