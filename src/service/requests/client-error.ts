/** Answers to what is no request: not HTTP, too many headers, headers that do not come.  [network] */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { answerUnreadable } from '../../web/unreadable.ts'
import { LATE } from './failures.ts'

type Refusal = readonly [status: number, body: unknown]

const ANSWERS: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['HPE_HEADER_OVERFLOW', [431, { message: 'the headers are too long', code: 'bad-request' }]],
  ['ERR_HTTP_REQUEST_TIMEOUT', LATE],
])
const NO_REQUEST: Refusal = [400, { message: 'this is no HTTP request', code: 'bad-request' }]

/** There is no request to answer, so the answer is written as it is. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') return
  const [status, record] = ANSWERS.get(error.code ?? '') ?? NO_REQUEST
  const body = JSON.stringify(record)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  answerUnreadable(socket, () => void socket.end(`${head.join('\r\n')}\r\n\r\n${body}`))
}
