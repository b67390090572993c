/** Each step of a request waits for its caller's turn: its head, and its body when that has arrived.  [network] */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { LoopShare } from '../../web/share.ts'
import type { ServiceOptions } from '../options.ts'
import { identifyClient } from './access.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered before any queue: a monitor would take a busy service for a dead one. */
    isUnqueued?: boolean
  }
}

type ReadingOptions = Pick<ServiceOptions, 'tls' | 'trustsProxy'>

/** Runs a step of a request in its caller's share of the event loop. */
export type RunStep = (request: FastifyRequest, step: () => void) => void

/** Adds the hook for heads; the function returned is for bodies. */
export function takeTurns(app: FastifyInstance, share: LoopShare, options: ReadingOptions): RunStep {
  const reading = limitReading(app.server, options)
  app.server.on('connection', share.connected)
  const runStep: RunStep = (request, step) => {
    const caller = identifyClient(request)
    if (share.tryRun(caller, step)) return
    const { socket } = request.raw
    const end = reading.begin(socket)
    share.queue(caller, () => {
      end()
      // the client that would read the answer has left
      if (!socket.destroyed) step()
    })
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isUnqueued === true && isFirst(reply)) done()
    else runStep(request, () => done())
  })
  return runStep
}

/** False for a request whose answer waits for that of an earlier one on its connection. */
function isFirst({ raw }: FastifyReply): boolean {
  return raw.socket !== null
}

/** Steps of one address that may wait; with more, nothing is read from it until half of them are done. */
const MAX_WAITING = 100

/** Connections of one address. Behind a proxy, whose clients share its address, each connection is a source. */
interface Source {
  readonly sockets: Set<Socket>
  waiting: number
  isPaused: boolean
}

/** Counts the steps of a source that wait: `begin` returns the function for its end. */
interface ReadingLimit {
  readonly begin: (socket: Socket) => () => void
}

/** A client that does not wait for answers would fill the memory, and reading its requests takes time from all others. */
function limitReading(server: Server, { tls, trustsProxy }: ReadingOptions): ReadingLimit {
  const addresses = new Map<string, Source>()
  const sources = new WeakMap<Socket, Source>()
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    const address = trustsProxy ? undefined : socket.remoteAddress
    const existing = address === undefined ? undefined : addresses.get(address)
    const source = existing ?? { sockets: new Set(), waiting: 0, isPaused: false }
    if (address !== undefined) addresses.set(address, source)
    sources.set(socket, source)
    source.sockets.add(socket)
    if (source.isPaused) socket.pause()
    socket.once('close', () => {
      source.sockets.delete(socket)
      if (address !== undefined && source.sockets.size === 0) addresses.delete(address)
    })
  })
  return {
    begin(socket) {
      const source = sources.get(socket)
      if (source === undefined) return () => undefined
      source.waiting += 1
      if (source.waiting > MAX_WAITING) pause(source, socket)
      return () => {
        source.waiting -= 1
        if (source.isPaused && source.waiting < MAX_WAITING / 2) resume(source)
      }
    },
  }
}

function pause(source: Source, current: Socket): void {
  const sockets = source.isPaused ? [current] : [...source.sockets]
  source.isPaused = true
  // Node continues to read from the current connection when its request is complete, which is after this step
  queueMicrotask(() => {
    if (source.isPaused) for (const socket of sockets) socket.pause()
  })
}

function resume(source: Source): void {
  source.isPaused = false
  for (const socket of source.sockets) socket.resume()
}
