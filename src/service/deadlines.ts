/** Requests that do not arrive in time are refused: one clock for all of them. */
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Deadlines {
  begin(request: FastifyRequest, reply: FastifyReply): void
  end(request: FastifyRequest): void
  close(): void
}

/** `patience` and the clock's step are ms. */
export function deadlinesOf(patience: number): Deadlines {
  const arriving = new Map<FastifyRequest, { readonly reply: FastifyReply; readonly since: number }>()
  const clock = setInterval(
    () => {
      const latest = performance.now() - patience
      for (const [request, { reply, since }] of arriving) {
        // what has arrived takes as long to answer as it takes
        if (since < latest && !request.raw.complete) refuse(request, reply)
      }
    },
    Math.min(1000, patience / 2),
  ).unref()
  return {
    begin(request, reply) {
      if (!request.raw.complete) arriving.set(request, { reply, since: performance.now() })
    },
    end: (request) => void arriving.delete(request),
    close: () => clearInterval(clock),
  }
}

/** Says so and hangs up: what still comes in on the connection belongs to nothing. */
function refuse({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) return
  const message = 'the request did not arrive in time'
  reply.raw.once('finish', () => raw.destroy())
  reply.code(408).header('connection', 'close').send({ message, code: 'timeout' })
}
