/** Requests of the co-process and of the service's batches: one JSON object a line, `op` and the operation's input. */
import { type Face } from '../advice.ts'
import type { OperationRequest } from './operation-request.ts'
import { HlaError, isHlaError } from '../errors.ts'
import { questionEcho } from './echo.ts'
import { errorRecord } from './error-record.ts'
import { recognizeDocument } from '../nomenclature/document-format.ts'
import type { Executor } from './executor.ts'
import { isRecord } from './http-face.ts'
import { outputFor } from './faces.ts'

/**
 * `{"op":"redux","gl_string":…}` -> the operation's output, or `{"gl_string":…,"error":{…}}`. A line that shows a fault of the program must not
 * cost the others their answers: `report` is told of it.
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

/** The answer to a line that was read. */
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

/** @throws {HlaError} bad-request — no JSON object, or without `op` */
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

/** A request is a flat object whose options hold a list or an object at most. */
const DEEPEST = 32

/** Texts so short cannot hold so much that reading them takes long. */
const SHORT = 10_000

/** JSON of a request: half a million nested lists would be made one by one only to be refused. @throws {SyntaxError} */
export function readJson(text: string): unknown {
  const json = withoutMark(text)
  if (json.length > SHORT && isDeep(json)) throw new SyntaxError('it is nested too deeply')
  return JSON.parse(json)
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Brackets within texts do not count. */
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

/** Without the byte order mark that some programs begin a file or a body with. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
