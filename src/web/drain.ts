/** Shutdown of a service: refuses new connections, and answers every request on open ones.  [network] */
import { Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface DrainTimes {
  /** Time in ms to report "not ready" while answering normally, so that load balancers stop sending clients. */
  readonly delay: number
  /** Time in ms after which unfinished answers are cut off. */
  readonly patience: number
  /** Resolves when no other process accepts connections at this address. */
  readonly othersStopped?: (() => Promise<void>) | undefined
}

export interface Draining {
  readonly isDraining: () => boolean
  /** True when each answer is the last on its connection. */
  readonly isLast: () => boolean
  /** True when unfinished answers are being cut off. */
  readonly isCut: () => boolean
  readonly drain: (times: DrainTimes) => Promise<void>
}

/** Time in ms before an idle connection is closed that could not be notified. */
const IDLE_MS = 5000

/**
 * Closing an idle connection could lose a request in transit. Therefore each connection gets `Connection: close` with
 * its next answer, and is closed after it (docs/adr/service.md#one-answer-to-a-request-and-shutdown).
 */
export function drainServer(server: () => FastifyInstance): Draining {
  let isDraining = false
  let isLast = false
  let isCut = false
  return {
    isDraining: () => isDraining,
    isLast: () => isLast,
    isCut: () => isCut,
    async drain({ delay, patience, othersStopped }) {
      const app = server()
      isDraining = true
      if (delay > 0) await new Promise((over) => setTimeout(over, delay))
      const cut = setTimeout(() => {
        isCut = true
        app.server.closeAllConnections()
      }, patience)
      await waitUntilAccepted(app)
      const closed = stopListening(app)
      await othersStopped?.()
      isLast = true
      // in the next turn of the event loop, after reading data that have arrived
      const idle = setInterval(() => setImmediate(() => app.server.closeIdleConnections()), IDLE_MS)
      await closed
      clearTimeout(cut)
      clearInterval(idle)
      await app.close()
    },
  }
}

/** Maximum number of event-loop turns to wait for new connections. */
const MAX_TURNS = 50

/** Waits for a turn without new connections: closing the server would refuse those waiting to be accepted. */
async function waitUntilAccepted({ server }: FastifyInstance): Promise<void> {
  let come = 0
  const count = () => (come += 1)
  server.on('connection', count)
  for (let turn = 0, before = -1; turn < MAX_TURNS && come !== before; turn += 1) {
    before = come
    await new Promise((soon) => setImmediate(soon))
    await new Promise((soon) => setImmediate(soon))
  }
  server.off('connection', count)
}

/**
 * Resolves when the last connection is closed. Skips the close of node:http, which closes idle connections at once.
 */
function stopListening({ server }: FastifyInstance): Promise<void> {
  return new Promise((closed) => {
    Server.prototype.close.call(server, () => closed())
  })
}
