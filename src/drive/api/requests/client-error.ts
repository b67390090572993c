/** Answers to what is no request: not HTTP, too many headers, headers that do not come.  [network] */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { StorageFailure } from '../../contract/failure.ts'
import { answerUnreadable } from '../../../web/unreadable.ts'
import { failureBody } from '../answers/failures.ts'

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** There is no request to answer, so the answer is written as it is. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') return
  const status = STATUSES[error.code ?? ''] ?? 400
  const words = STATUS_CODES[status] ?? ''
  const body = JSON.stringify(failureBody(new StorageFailure(status, 'badRequest', words)))
  const length = Buffer.byteLength(body)
  const head = [
    `HTTP/1.1 ${status} ${words}`,
    'connection: close',
    'content-type: application/json; charset=UTF-8',
  ]
  answerUnreadable(socket, () => {
    socket.end(`${head.join('\r\n')}\r\ncontent-length: ${length}\r\n\r\n${body}`)
  })
}
