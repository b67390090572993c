/** What is no request is answered behind the answers to the requests before it: on one connection order alone tells them apart.  [network] */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Where Node keeps the answer whose turn it is; its own handler of such errors looks there. */
const CURRENT = '_httpMessage'
type Answering = Socket & { readonly [CURRENT]?: ServerResponse | null }

/** Node tells of one connection again and again. */
const refused = new WeakSet<Socket>()

/** `answer` is to close the connection; it is not called where the client is gone. */
export function answerUnreadable(socket: Socket, answer: () => void): void {
  if (refused.has(socket)) return
  refused.add(socket)
  inTurn(socket, answer)
}

function inTurn(socket: Answering, answer: () => void): void {
  if (!socket.writable) return
  const before = socket[CURRENT]
  // a request whose own body cannot be read waits for more of it, and gets none
  if (before == null || !before.req.complete) return answer()
  before.once('close', () => setImmediate(inTurn, socket, answer))
}
