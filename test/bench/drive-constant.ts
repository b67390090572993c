/** Fastify's minimum: the same bytes for every request; prints its port [network]. */
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'

const bytes = Number(process.argv[2])
const text = JSON.stringify({ text: 'x'.repeat(bytes - 11) })
const app = fastify()
app.all('*', (_request, reply) => reply.type('application/json; charset=UTF-8').send(text))
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`) // TCP, not a pipe, so it has a port
