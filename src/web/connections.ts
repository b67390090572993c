/**
 * Connections of a service. One clock refuses bodies that arrive too slowly and closes idle connections; each answer that
 * broke off has a reason.  [network]
 */
import type { OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isAnswered } from './coalesce-answers.ts'

export interface Connections {
  /** Requires the body to arrive at this pace. */
  begin(request: FastifyRequest, reply: FastifyReply, pace: Pace): void
  /** Ends the requirement: the body has arrived, or need not. */
  end(request: FastifyRequest): void
  close(): void
}

interface ConnectionLimits {
  /** Time for a request to arrive, in ms. */
  readonly requestTimeout: number
  /** Time without traffic, in ms, except while an answer is made: a step of it has limits of its own. */
  readonly idleTimeout: number
  /**
   * Minimum rate in bytes per second at which a client reads an answer, over an `idleTimeout` in which data wait for
   * it.
   */
  readonly leastRead: number
}

/**
 * `short`: the whole body within `requestTimeout`. `long`: afterwards at a minimum rate, for a limited time.
 * `content`: without time limit, at a minimum average rate in each `idleTimeout`.
 */
export type Pace = 'short' | 'long' | 'content'

/**
 * Long bodies: minimum rate in bytes per second after the first `requestTimeout`, and maximum number of such periods.
 */
const MIN_BODY_RATE = 8 * 1024
const MAX_PERIODS = 30
/** Minimum rate of contents in both directions, in bytes per second: half that of the slowest mobile networks. */
export const MIN_CONTENT_RATE = 1024

/** Interval in ms of Node's checks for late request heads; its default of 30 s would exceed short timeouts. */
export function headChecks(headersTimeout: number): number {
  return Math.min(5000, headersTimeout)
}

interface Connection {
  /** Reply to the request that is arriving. */
  reply: FastifyReply | undefined
  pace: Pace
  /** Start of the request; for a content, start of the current period. */
  since: number
  /** Bytes received by then. */
  before: number
  /** Bytes in both directions at the last observed traffic, and its time. */
  bytes: number
  movedAt: number
  /** Start of the wait for the reader of an answer, and bytes taken by then; undefined when nothing waits. */
  waitedFor: { readonly since: number; readonly taken: number } | undefined
}

/** Updating a connection costs a request less than its own timer or list entry. */
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
  // the underlying connection of an encrypted one does not show its traffic
  server.on(isEncrypted ? 'secureConnection' : 'connection', open)
  const clock = setInterval(
    () => {
      const now = performance.now()
      for (const [socket, connection] of connections) {
        // deferred, so that data received while this process was busy are read before the refusal
        const late = lateReply(socket, connection, now, patience)
        if (late !== undefined) setImmediate(refuseLate, connection, late, answerLate)
        noteMoves(socket, connection, now)
        if (!isAnswering(socket) && now - connection.movedAt > idleTimeout) breakOff(socket, 'idle')
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
      connection.reply = reply
      connection.pace = pace
      connection.since = performance.now()
      connection.before = socket.bytesRead
    },
    end(request) {
      const connection = connections.get(request.raw.socket)
      // the next request may have begun to arrive
      if (connection?.reply?.request === request) connection.reply = undefined
    },
    close: () => clearInterval(clock),
  }
}

function fresh(): Connection {
  const now = performance.now()
  return {
    reply: undefined,
    pace: 'short',
    since: now,
    before: 0,
    bytes: 0,
    movedAt: now,
    waitedFor: undefined,
  }
}

/** Reply to a request that arrives too slowly. One that has arrived meanwhile is not refused. */
function lateReply(
  socket: Socket,
  connection: Connection,
  now: number,
  { requestTimeout, idleTimeout }: ConnectionLimits,
): FastifyReply | undefined {
  const { reply, pace, since, before } = connection
  const past = now - since
  const isSlow = (rate: number) => (socket.bytesRead - before) * 1000 < rate * past
  if (pace === 'content') {
    if (past <= idleTimeout) return undefined
    if (isSlow(MIN_CONTENT_RATE)) return reply
    connection.since = now
    connection.before = socket.bytesRead
    return undefined
  }
  if (past <= requestTimeout) return undefined
  return pace === 'short' || past > MAX_PERIODS * requestTimeout || isSlow(MIN_BODY_RATE) ? reply : undefined
}

/** Status and body of the refusal. */
type AnswerLate = () => readonly [status: number, body: unknown]

function refuseLate(connection: Connection, late: FastifyReply, answerLate: AnswerLate): void {
  // the time to answer a complete request is not limited here
  if (connection.reply !== late || late.request.raw.complete) return
  connection.reply = undefined
  if (!isAnswered(late)) refuse(late, answerLate())
}

/** Time in ms to read and drop further data: closing a connection with unread bytes would lose the answer. */
const LINGER_MS = 2000

/** Answers and closes the connection; further data on it belong to no request. */
function refuse(reply: FastifyReply, [status, body]: ReturnType<AnswerLate>): void {
  const { raw } = reply.request
  // headers of a prepared but unsent answer do not apply to this one
  const headers = { ...reply.getHeaders(), 'content-encoding': undefined, etag: undefined }
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  // later readers of the body find the request answered
  reply.hijack()
  // Node closes the connection after its last answer
  raw.socket.destroySoon = () => raw.socket.end()
  raw.resume()
  setTimeout(() => raw.socket.destroy(), LINGER_MS).unref()
  // Node does not report the end of an answered request
  raw.socket.once('close', () => raw.destroy())
  const text = JSON.stringify(body)
  reply.raw.writeHead(status, {
    ...(Object.fromEntries(entries) as OutgoingHttpHeaders),
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  reply.raw.end(text)
}

/** True while the client can only wait: for the answer to a request that has arrived whole. */
function isAnswering(socket: Answering): boolean {
  return socket[CURRENT]?.req.complete === true && socket.writableLength === 0
}

function noteMoves(socket: Socket, connection: Connection, now: number): void {
  const bytes = socket.bytesRead + socket.bytesWritten
  if (bytes === connection.bytes) return
  connection.bytes = bytes
  connection.movedAt = now
}

function breakOff(socket: Socket, reason: 'idle' | 'slow'): void {
  noteBreak(socket, reason)
  socket.destroy()
}

/** Counts only time in which bytes wait for the reader: a slowly generated answer is not a slow reader. */
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

/** Open connections, and requests whose answers are not sent yet. */
export interface Load {
  readonly connections: number
  readonly requests: number
}

export interface LoadCounter {
  /** Counts a request until its answer is sent, or its connection closed. */
  begin(response: ServerResponse): void
  load(): Load
}

export function countLoad(server: Server): LoadCounter {
  let [connections, requests] = [0, 0]
  server.on('connection', (socket) => {
    connections += 1
    socket.once('close', () => (connections -= 1))
  })
  /** Unanswered requests by connection: Node reports no end of those that wait for an earlier answer. */
  const unanswered = new WeakMap<Socket, number>()
  const count = (socket: Socket, change: 1 | -1) => {
    requests += change
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + change)
  }
  return {
    begin(response) {
      const { socket } = response.req
      if (!unanswered.has(socket))
        socket.once('close', () => {
          requests -= unanswered.get(socket) ?? 0
          unanswered.delete(socket)
        })
      count(socket, 1)
      response.once('close', () => unanswered.has(socket) && count(socket, -1))
    },
    load: () => ({ connections, requests }),
  }
}

/** Property in which Node keeps the current answer; its own handler of such errors reads it. */
const CURRENT = '_httpMessage'
type Answering = Socket & { readonly [CURRENT]?: ServerResponse | null }

/** Sockets already handled: Node reports a connection repeatedly. */
const refused = new WeakSet<Socket>()

/**
 * Answers unparsable data after the answers to earlier requests: on one connection only order identifies answers.
 * `answer` must close the connection. It is not called when the client has disconnected.
 */
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

/**
 * Why an answer broke off. `client`: the client disconnected. `idle`, `slow`: no traffic, or the client read too slowly. `memory`, `time`,
 * `end`: a conversion exceeded a limit, or the service ended. `failed`: a bug.
 */
export type BreakReason = 'client' | 'idle' | 'slow' | 'memory' | 'time' | 'end' | 'failed'

/** Set before the connection is closed, or before the last part of the answer reports it. */
const reasons = new WeakMap<Socket | ServerResponse, BreakReason>()

export function noteBreak(of: Socket | ServerResponse, reason: BreakReason): void {
  reasons.set(of, reason)
}

/** Reason of an incomplete answer; undefined for a complete one. */
export function breakReason(response: ServerResponse): BreakReason | undefined {
  const noted = reasons.get(response)
  if (noted !== undefined || response.writableFinished) return noted
  return reasons.get(response.req.socket) ?? 'client'
}
