/** The minimum cost of receiving: reads and drops all input; prints its port [network]. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.on('end', () => response.end()).resume()
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`) // TCP, not a pipe, so it has a port
})
