/** Connections: what is open and asked, and one clock for all, which refuses bodies that come too slowly and closes those on which nothing moves.  [network] */
import type { OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { noteBreak } from './broken-off.ts'
import { isAnswered } from './send-together.ts'

export interface Connections {
  /** The body must arrive at this pace. */
  begin(request: FastifyRequest, reply: FastifyReply, pace: Pace): void
  /** It needs not, or it has. */
  end(request: FastifyRequest): void
  close(): void
}

interface ConnectionLimits {
  /** For a request to arrive: ms. */
  readonly requestTimeout: number
  /** For anything to move: ms. */
  readonly idleTimeout: number
  /** Bytes a second that the reader of an answer takes, over an `idleTimeout` in which it is waited for. */
  readonly leastRead: number
}

/**
 * `short`: all of it in `requestTimeout`. `long`: from then on at a least rate, and not for ever. `content`: for as long as it
 * brings some bytes in each `idleTimeout`, and not one now and then.
 */
export type Pace = 'short' | 'long' | 'content'

/** Long bodies: bytes a second from the first `requestTimeout` on, and how many of those they may take at most. */
const LEAST_RATE = 8 * 1024
const LONGEST = 30
/** Contents, both ways: bytes a second. Half of what the slowest of mobile networks brings. */
export const LEAST_OF_CONTENT = 1024

/** ms between two looks of Node at requests whose heads do not come: it would look every 30 s, however soon they must. */
export function headChecks(headersTimeout: number): number {
  return Math.min(5000, headersTimeout)
}

interface Connection {
  /** The request that arrives. */
  request: FastifyRequest | undefined
  reply: FastifyReply | undefined
  pace: Pace
  /** When it began; of a content, the time that is looked at. */
  since: number
  /** Bytes that had come in by then. */
  before: number
  /** Bytes that had gone either way when the clock last saw some go, and when that was. */
  bytes: number
  movedAt: number
  /** Since when the reader of an answer is waited for, and how much it had taken by then; undefined: it is not. */
  waitedFor: { readonly since: number; readonly taken: number } | undefined
}

/** To note something at a connection costs a request less than a timer, or a place in a list, of its own. */
export function watchConnections(
  server: Server,
  patience: ConnectionLimits,
  isEncrypted: boolean,
  answerLate: AnswerLate,
): Connections {
  const { requestTimeout, idleTimeout } = patience
  const connections = new Map<Socket, Connection>()
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
        // what came in while this process did not look is read before the refusal
        if (isLate(socket, connection, now, patience))
          setImmediate(refuseLate, connection, connection.request, answerLate)
        if (!hasMoved(socket, connection, now) && now - connection.movedAt > idleTimeout)
          breakOff(socket, 'idle')
        else if (readsTooSlowly(socket, connection, now, patience)) breakOff(socket, 'slow')
      }
    },
    Math.min(1000, requestTimeout / 2, idleTimeout / 2),
  ).unref()
  return {
    begin(request, reply, pace) {
      const { socket } = request.raw
      const connection = connections.get(socket)
      if (connection === undefined || request.raw.complete) return
      connection.request = request
      connection.reply = reply
      connection.pace = pace
      connection.since = performance.now()
      connection.before = socket.bytesRead
    },
    end(request) {
      const connection = connections.get(request.raw.socket)
      // another may have begun to arrive behind it
      if (connection?.request === request) forget(connection)
    },
    close: () => clearInterval(clock),
  }
}

function fresh(): Connection {
  const now = performance.now()
  return {
    request: undefined,
    reply: undefined,
    pace: 'short',
    since: now,
    before: 0,
    bytes: 0,
    movedAt: now,
    waitedFor: undefined,
  }
}

function forget(connection: Connection): void {
  connection.request = undefined
  connection.reply = undefined
}

function isLate(
  socket: Socket,
  connection: Connection,
  now: number,
  { requestTimeout, idleTimeout }: ConnectionLimits,
): boolean {
  const { request, pace, since, before } = connection
  const past = now - since
  // what has arrived takes as long to answer as it takes
  if (request === undefined || request.raw.complete) return false
  const isSlow = (rate: number) => (socket.bytesRead - before) * 1000 < rate * past
  if (pace === 'content') {
    if (past <= idleTimeout || isSlow(LEAST_OF_CONTENT)) return past > idleTimeout
    connection.since = now
    connection.before = socket.bytesRead
    return false
  }
  if (past <= requestTimeout) return false
  return pace === 'short' || past > LONGEST * requestTimeout || isSlow(LEAST_RATE)
}

/** The status and the body of the refusal. */
type AnswerLate = () => readonly [status: number, body: unknown]

function refuseLate(connection: Connection, late: FastifyRequest | undefined, answerLate: AnswerLate): void {
  const { request, reply } = connection
  if (request === undefined || reply === undefined || request !== late || request.raw.complete) return
  forget(connection)
  if (!isAnswered(reply)) refuse(request, reply, answerLate())
}

/** ms in which what still comes is read and dropped: a connection closed on unread bytes takes the answer with it. */
const LINGER = 2000

/** Says so and hangs up: what still comes in on the connection belongs to nothing. */
function refuse({ raw }: FastifyRequest, reply: FastifyReply, [status, body]: ReturnType<AnswerLate>): void {
  // those of an answer that was begun and will not be sent say nothing of this one
  const headers = { ...reply.getHeaders(), 'content-encoding': undefined, etag: undefined }
  const kept = Object.entries(headers).filter(([, value]) => value !== undefined)
  // from now on whatever reads the body finds the request answered
  reply.hijack()
  // Node closes behind an answer that is the last
  raw.socket.destroySoon = () => raw.socket.end()
  raw.resume()
  setTimeout(() => raw.socket.destroy(), LINGER).unref()
  // of a request that was answered Node tells nobody that no more of it comes
  raw.socket.once('close', () => raw.destroy())
  const text = JSON.stringify(body)
  reply.raw.writeHead(status, {
    ...(Object.fromEntries(kept) as OutgoingHttpHeaders),
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  reply.raw.end(text)
}

function hasMoved(socket: Socket, connection: Connection, now: number): boolean {
  const bytes = socket.bytesRead + socket.bytesWritten
  if (bytes === connection.bytes) return false
  connection.bytes = bytes
  connection.movedAt = now
  return true
}

function breakOff(socket: Socket, reason: 'idle' | 'slow'): void {
  noteBreak(socket, reason)
  socket.destroy()
}

/** What is made slowly is not read slowly: only time in which bytes wait for the reader counts. */
function readsTooSlowly(
  socket: Socket,
  connection: Connection,
  now: number,
  { idleTimeout, leastRead }: ConnectionLimits,
): boolean {
  const { waitedFor } = connection
  const taken = socket.bytesWritten - socket.writableLength
  if (socket.writableLength === 0) connection.waitedFor = undefined
  else if (waitedFor === undefined) connection.waitedFor = { since: now, taken }
  else if (now - waitedFor.since > idleTimeout) {
    connection.waitedFor = { since: now, taken }
    return (taken - waitedFor.taken) * 1000 < leastRead * (now - waitedFor.since)
  }
  return false
}

/** What a server has in hand: connections that are open, requests whose answers have not gone yet. */
export interface Load {
  readonly connections: number
  readonly requests: number
}

export interface LoadCounter {
  /** A request has come; it counts until its answer has gone, or its connection. */
  begin(response: ServerResponse): void
  load(): Load
}

export function countLoad(server: Server): LoadCounter {
  let [connections, requests] = [0, 0]
  server.on('connection', (socket) => {
    connections += 1
    socket.once('close', () => (connections -= 1))
  })
  const end = () => (requests -= 1)
  return {
    begin(response) {
      requests += 1
      response.once('close', end)
    },
    load: () => ({ connections, requests }),
  }
}
