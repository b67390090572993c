/** One clock for all connections: refuses requests that come too slowly, closes connections on which nothing moves.  [network] */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Connections {
  /** The request must have arrived in time. */
  begin(request: FastifyRequest, reply: FastifyReply): void
  /** It needs not, or it has. */
  end(request: FastifyRequest): void
  close(): void
}

export interface Patience {
  /** For a request to arrive: ms. */
  readonly requestTimeout: number
  /** For anything to move: ms. */
  readonly idleTimeout: number
}

interface Connection {
  /** The request that arrives. */
  request: FastifyRequest | undefined
  reply: FastifyReply | undefined
  since: number
  /** Bytes that had gone either way when the clock last saw some go, and when that was. */
  bytes: number
  movedAt: number
}

/** To note something at a connection costs a request less than a timer, or a place in a list, of its own. */
export function watchConnections(
  server: Server,
  { requestTimeout, idleTimeout }: Patience,
  isEncrypted: boolean,
): Connections {
  const connections = new Map<Socket, Connection>()
  const fresh = (): Connection => {
    const now = performance.now()
    return { request: undefined, reply: undefined, since: now, bytes: 0, movedAt: now }
  }
  const open = (socket: Socket) => {
    connections.set(socket, fresh())
    socket.once('close', () => connections.delete(socket))
  }
  // what moves on an encrypted connection is not seen at the one below it
  server.on(isEncrypted ? 'secureConnection' : 'connection', open)
  const clock = setInterval(
    () => {
      const now = performance.now()
      for (const [socket, connection] of connections) {
        refuseLate(connection, now - requestTimeout)
        if (!hasMoved(socket, connection, now) && now - connection.movedAt > idleTimeout) socket.destroy()
      }
    },
    Math.min(1000, requestTimeout / 2, idleTimeout / 2),
  ).unref()
  return {
    begin(request, reply) {
      const connection = connections.get(request.raw.socket)
      if (connection === undefined || request.raw.complete) return
      connection.request = request
      connection.reply = reply
      connection.since = performance.now()
    },
    end(request) {
      const connection = connections.get(request.raw.socket)
      // another may have begun to arrive behind it
      if (connection?.request !== request) return
      connection.request = undefined
      connection.reply = undefined
    },
    close: () => clearInterval(clock),
  }
}

function refuseLate(connection: Connection, latest: number): void {
  const { request, reply, since } = connection
  // what has arrived takes as long to answer as it takes
  if (request === undefined || reply === undefined || since > latest || request.raw.complete) return
  connection.request = undefined
  refuse(request, reply)
}

/** ms in which what still comes is read and dropped: a connection closed on unread bytes takes the answer with it. */
const LINGER = 2000

/** Says so and hangs up: what still comes in on the connection belongs to nothing. */
function refuse({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) return
  const message = 'the request did not arrive in time'
  // Node closes behind an answer that is the last
  raw.socket.destroySoon = () => raw.socket.end()
  raw.resume()
  setTimeout(() => raw.socket.destroy(), LINGER).unref()
  reply.code(408).header('connection', 'close').send({ message, code: 'timeout' })
}

function hasMoved(socket: Socket, connection: Connection, now: number): boolean {
  const bytes = socket.bytesRead + socket.bytesWritten
  if (bytes === connection.bytes) return false
  connection.bytes = bytes
  connection.movedAt = now
  return true
}
