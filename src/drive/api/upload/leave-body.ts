/** Handling of a refused body: a client that is still sending must be able to read the answer.  [network] */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isWaiting } from '../requests/expectations.ts'

/** ms that a client may go on sending after the answer. */
const PATIENCE = 10_000

export function leaveBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw, socket } = request
  // the body may or may not follow, so the start of the next request is unknown
  if (isWaiting(request)) reply.header('connection', 'close')
  reply.raw.once('finish', () => {
    if (raw.complete) return
    // Node drops a body of which nothing was read; of any other the rest would keep the next request waiting
    raw.resume()
    // a connection that is closed at once takes the answer with it
    setTimeout(() => raw.complete || socket.destroy(), PATIENCE).unref()
  })
}
