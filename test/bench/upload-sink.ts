/** The least that receiving costs: takes whatever comes and drops it; prints its port [network]. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.on('end', () => response.end()).resume()
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`) // not a pipe: it has a port
})
