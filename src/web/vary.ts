/** The header `Vary`: on which headers of a request its answer depends. */
import type { FastifyReply } from 'fastify'

export function addVary(reply: FastifyReply, name: string): void {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? name : `${String(others)}, ${name}`)
}
