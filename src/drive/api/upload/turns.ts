/** One request at a time goes on with an upload: the newer one wins, the connection of the older is cut.  [network] */
import type { FastifyRequest } from 'fastify'

export type InTurn = <Result>(
  upload: string,
  request: FastifyRequest,
  work: () => Promise<Result>,
) => Promise<Result>

interface Turn {
  readonly request: FastifyRequest
  readonly over: Promise<void>
}

export function newTurns(): InTurn {
  const turns = new Map<string, Turn>()
  return async (upload, request, work) => {
    const before = turns.get(upload)
    let end: () => void = () => undefined
    const turn: Turn = { request, over: new Promise((resolve) => (end = resolve)) }
    turns.set(upload, turn)
    if (before !== undefined && before.request.socket !== request.socket) before.request.socket.destroy()
    try {
      // what has arrived of it is kept first
      await before?.over
      return await work()
    } finally {
      if (turns.get(upload) === turn) turns.delete(upload)
      end()
    }
  }
}
