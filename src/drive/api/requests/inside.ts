/** A way in for processes of this machine that the server has started itself: without TLS, since its certificate is for others.  [network] */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The address. It closes with the service. */
export async function openInside(app: FastifyInstance, isEncrypted: boolean): Promise<string> {
  const sockets = new Set<Socket>()
  const inside = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // as a connection that came to the service itself, and was decrypted
    app.server.emit(isEncrypted ? 'secureConnection' : 'connection', socket)
  })
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  app.server.once('close', () => {
    inside.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = inside.address() as AddressInfo // of a server that listens to a port
  return `http://127.0.0.1:${port}`
}
