/** The end of a service: nobody new is let in, nobody who asks on an open connection is left without an answer.  [network] */
import { Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface DrainTimes {
  /** Not ready, but answering as before, so that nobody new is sent here: ms. */
  readonly delay: number
  /** What is not over by then is cut off: ms. */
  readonly patience: number
  /** When no other process lets anybody in at this address either. */
  readonly othersStopped?: (() => Promise<void>) | undefined
}

export interface Draining {
  readonly isDraining: () => boolean
  /** What is answered from now on is the last on its connection. */
  readonly isLast: () => boolean
  /** What was not answered in time is cut off. */
  readonly isCut: () => boolean
  readonly drain: (times: DrainTimes) => Promise<void>
}

/** A connection on which nobody asks anything more, and which could not be told: ms. */
const IDLE_PATIENCE = 5000

/**
 * To close an idle connection loses what its client may be sending at that moment: each is told `Connection: close` with its next
 * answer, and is closed then (docs/adr/service.md#one-answer-to-a-request-and-shutdown).
 */
export function drainable(server: () => FastifyInstance): Draining {
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
      await allLetIn(app)
      const closed = stopListening(app)
      await othersStopped?.()
      isLast = true
      // on the turn that follows, behind the reading of what has come
      const idle = setInterval(() => setImmediate(() => app.server.closeIdleConnections()), IDLE_PATIENCE)
      await closed
      clearTimeout(cut)
      clearInterval(idle)
      await app.close()
    },
  }
}

/** Turns of the event loop in which somebody came. */
const MOST_TURNS = 50

/** Connections that wait to be accepted when the server closes are refused: first one turn passes in which none came. */
async function allLetIn({ server }: FastifyInstance): Promise<void> {
  let come = 0
  const count = () => (come += 1)
  server.on('connection', count)
  for (let turn = 0, before = -1; turn < MOST_TURNS && come !== before; turn += 1) {
    before = come
    await new Promise((soon) => setImmediate(soon))
    await new Promise((soon) => setImmediate(soon))
  }
  server.off('connection', count)
}

/** Until the last connection is closed. That of node:http closes idle connections at once. */
function stopListening({ server }: FastifyInstance): Promise<void> {
  return new Promise((closed) => {
    Server.prototype.close.call(server, () => closed())
  })
}
