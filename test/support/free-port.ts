/** A free port.  [network] */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // a server on a port has an address
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
