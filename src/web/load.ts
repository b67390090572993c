/** What a server has in hand: connections that are open, requests whose answers have not gone yet.  [network] */
import type { Server, ServerResponse } from 'node:http'

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
