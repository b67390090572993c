/**
 * Answers unparsable data after the answers to earlier requests: on one connection only order identifies answers.
 * [network]
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Property in which Node keeps the current answer; its own handler of such errors reads it. */
const CURRENT = '_httpMessage'
type Answering = Socket & { readonly [CURRENT]?: ServerResponse | null }

/** Sockets already handled: Node reports a connection repeatedly. */
const refused = new WeakSet<Socket>()

/** `answer` must close the connection. It is not called when the client has disconnected. */
export function answerUnreadable(socket: Socket, answer: () => void): void {
  if (refused.has(socket)) return
  refused.add(socket)
  inTurn(socket, answer)
}

function inTurn(socket: Answering, answer: () => void): void {
  if (!socket.writable) return
  const before = socket[CURRENT]
  // a request with an unparsable body would wait for more data forever
  if (before == null || !before.req.complete) return answer()
  before.once('close', () => setImmediate(inTurn, socket, answer))
}
