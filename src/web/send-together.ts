/** Answers made in one turn of the event loop leave together, after all of its requests were read; a request has one answer. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** Waits for the end of its turn, or is a stream that is being sent. */
    answer: unknown
  }
}

/**
 * An answer written at once wakes the client's process, and is one of many such wakings where many ask at the same time;
 * written one behind another they wake it once. Who asks alone waits no longer: a turn ends where no more has come.
 * Measured in docs/adr/service.md#answers-of-one-turn. `isLast`: the connection is closed behind what is answered now.
 */
export function sendTogether(app: FastifyInstance, isLast: () => boolean): void {
  app.decorateReply('answer', undefined)
  app.addHook('onSend', (_request, reply, payload, done) => {
    // the first answer counts: a second one would be written behind it, which Node takes for a bug that ends the process
    if (isAnswered(reply)) return drop(payload)
    reply.answer = payload ?? NOTHING
    setImmediate(release, { reply, payload, status: reply.statusCode, done, isLast })
  })
}

const NOTHING = Symbol('an answer without a body')

/** THE OWNER of the question: may nothing else be answered to this request any more? Fastify knows what was written only. */
export function isAnswered({ sent, raw, answer }: FastifyReply): boolean {
  if (sent || raw.headersSent) return true
  // a stream that failed before its first byte is answered by its error
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
  // it waited, and whoever refused the request meanwhile has said so
  if (reply.sent) return drop(payload)
  if (isLast()) reply.header('connection', 'close')
  reply.code(status)
  try {
    done(null, payload)
  } catch (error) {
    // nobody above would catch it
    reply.log.error({ err: error }, 'an answer could not be written')
    reply.raw.destroy()
  }
}

function drop(payload: unknown): void {
  if (payload instanceof Readable) payload.destroy()
}
