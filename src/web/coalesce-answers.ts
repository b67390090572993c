/**
 * Sends the answers of one event-loop turn together, after all its requests were read; guarantees one answer per
 * request.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** Payload waiting for the end of its turn, or a stream being sent. */
    answer: unknown
  }
}

/**
 * An answer written at once wakes the client's process, and with many clients there are many such wakings; answers
 * written together wake it once.
 * A single client waits no longer, since its turn ends at once. Measured in docs/adr/service.md#answers-of-one-turn.
 * `isLast` closes the connection after the current answer.
 */
export function coalesceAnswers(app: FastifyInstance, isLast: () => boolean): void {
  app.decorateReply('answer', undefined)
  app.addHook('onSend', (_request, reply, payload, done) => {
    // the first answer wins: Node treats a second one as a bug that ends the process
    if (isAnswered(reply)) return drop(payload)
    reply.answer = payload ?? NOTHING
    setImmediate(release, { reply, payload, status: reply.statusCode, done, isLast })
  })
}

const NOTHING = Symbol('an answer without a body')

/** THE OWNER of the test whether a request is already answered. Fastify knows only what was written. */
export function isAnswered({ sent, raw, answer }: FastifyReply): boolean {
  if (sent || raw.headersSent) return true
  // a stream that failed before its first byte is answered with its error
  return answer instanceof Readable ? !answer.destroyed : answer !== undefined
}

interface HeldAnswer {
  readonly reply: FastifyReply
  readonly payload: unknown
  readonly status: number
  readonly done: (error: null, payload: unknown) => void
  readonly isLast: () => boolean
}

function release({ reply, payload, status, done, isLast }: HeldAnswer): void {
  // while it waited, the request was refused with another answer, or its client left
  if (reply.sent || hasLeft(reply)) return drop(payload)
  if (isLast()) reply.header('connection', 'close')
  reply.code(status)
  try {
    done(null, payload)
  } catch (error) {
    // no caller would catch it
    reply.log.error({ err: error }, 'an answer could not be written')
    reply.raw.destroy()
  }
}

/** A request that the service asks itself has no connection. */
function hasLeft({ request }: FastifyReply): boolean {
  const { socket } = request.raw as { readonly socket: { readonly destroyed: boolean } | null }
  return socket?.destroyed === true
}

function drop(payload: unknown): void {
  if (payload instanceof Readable) payload.destroy()
}
