/** A server on the loopback address for the rules, which hands its connections to the service.  [network] */
import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Opens an internal server that closes with the service. @returns its URL */
export async function openInternalServer(app: FastifyInstance, isEncrypted: boolean): Promise<string> {
  const sockets = new Set<Socket>()
  const inside = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // passes the connection on as if the service had accepted and decrypted it
    app.server.emit(isEncrypted ? 'secureConnection' : 'connection', socket)
  })
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  app.server.once('close', () => {
    inside.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = inside.address() as AddressInfo // a server that listens on a port has this kind of address
  return `http://127.0.0.1:${port}`
}
