/** Many questions in few requests: the lines of `POST /batch`. */
import { HlaError } from '../errors.ts'
import type { OperationRequest } from '../operations/operation-request.ts'
import { OPERATIONS } from '../operations/registry.ts'
import { readErrorRecord } from '../operations/error-record.ts'
import { isRecord } from '../operations/http-face.ts'
import { type AskedService, checkAnswer, checkError, unfitAnswer } from './check-answer.ts'
import { parsed } from './served-version.ts'
import type { RemoteReply, RemoteRequest } from './transport.ts'

/** An answer, or what is wrong with the question. */
export type BatchOutcome = { readonly output: unknown } | { readonly error: HlaError }

/** Enough lines that the journey does not count, few enough that no server waits for the last of them. */
const MOST_LINES = 1000
const MOST_LENGTH = 256 * 1024

/** A question, and the line of a batch that asks it. */
export type BatchLine = readonly [line: string, question: OperationRequest]

export function cutBatches(lines: readonly BatchLine[]): BatchLine[][] {
  const batches: BatchLine[][] = []
  let batch: BatchLine[] = []
  let length = 0
  for (const one of lines) {
    const [line] = one
    if (batch.length === MOST_LINES || (batch.length > 0 && length + line.length > MOST_LENGTH)) {
      batches.push(batch)
      batch = []
      length = 0
    }
    batch.push(one)
    length += line.length
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

export function batchRequest(lines: readonly BatchLine[]): RemoteRequest {
  return { method: 'POST', path: '/batch', body: lines.map(([line]) => `${line}\n`).join('') }
}

/** @throws {HlaError} remote — there is not one answer for each of the lines that fits it; pin */
export function readBatch(
  service: AskedService,
  { status, text }: RemoteReply,
  asked: readonly BatchLine[],
): BatchOutcome[] {
  const { url } = service
  if (status !== 200) {
    const body = parsed(text)
    const reason = isRecord(body) && typeof body['message'] === 'string' ? `: ${body['message']}` : ''
    throw new HlaError('remote', `${url} answers a batch with status ${status}${reason}`)
  }
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new HlaError('remote', `${url} gave answers whose last line has no end`)
  if (lines.length !== asked.length)
    throw new HlaError('remote', `${url} gave ${lines.length} answers to ${asked.length} questions`)
  return asked.map(([, question], at) => readOutcome(service, question, parsed(lines[at] ?? '')))
}

function readOutcome(service: AskedService, question: OperationRequest, answer: unknown): BatchOutcome {
  const { url } = service
  if (!isRecord(answer)) throw unfitAnswer(url, question, 'it is not a JSON object')
  const { error } = answer
  if (isRecord(error)) return { error: readErrorRecord(checkError(url, question, error, answer), 'remote') }
  const operation = OPERATIONS.find(({ name }) => name === question.operation)
  if (operation === undefined) throw unfitAnswer(url, question, 'there is no such operation')
  const input = isRecord(question.input) ? question.input : {}
  return { output: checkAnswer(service, operation, input, answer) }
}
