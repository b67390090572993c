/** Many questions in few requests: the lines of `POST /batch`. */
import { HlaError } from '../errors.ts'
import { readErrorRecord } from '../operations/error-record.ts'
import { isRecord } from '../operations/http-face.ts'
import { parsed } from './served-version.ts'
import type { RemoteReply, RemoteRequest } from './transport.ts'

/** An answer, or what is wrong with the question. */
export type BatchOutcome = { readonly output: unknown } | { readonly error: HlaError }

/** Enough lines that the journey does not count, few enough that no server waits for the last of them. */
const MOST_LINES = 1000
const MOST_LENGTH = 256 * 1024

export function cutBatches(lines: readonly string[]): string[][] {
  const batches: string[][] = []
  let batch: string[] = []
  let length = 0
  for (const line of lines) {
    if (batch.length === MOST_LINES || (batch.length > 0 && length + line.length > MOST_LENGTH)) {
      batches.push(batch)
      batch = []
      length = 0
    }
    batch.push(line)
    length += line.length
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

export function batchRequest(lines: readonly string[]): RemoteRequest {
  return { method: 'POST', path: '/batch', body: `${lines.join('\n')}\n` }
}

/** @throws {HlaError} remote — there is not one answer for each of `count` lines */
export function readBatch(url: string, { status, text }: RemoteReply, count: number): BatchOutcome[] {
  if (status !== 200) {
    const body = parsed(text)
    const reason = isRecord(body) && typeof body['message'] === 'string' ? `: ${body['message']}` : ''
    throw new HlaError('remote', `${url} answers a batch with status ${status}${reason}`)
  }
  const lines = text.split('\n')
  lines.pop()
  if (lines.length !== count)
    throw new HlaError('remote', `${url} gave ${lines.length} answers to ${count} questions`)
  return lines.map((line) => readOutcome(parsed(line)))
}

function readOutcome(answer: unknown): BatchOutcome {
  if (!isRecord(answer)) return { error: new HlaError('remote', 'the answer of the service is not JSON') }
  return isRecord(answer['error'])
    ? { error: readErrorRecord(answer['error'], 'remote') }
    : { output: answer }
}
