/** Answers made in one turn of the event loop leave together, after all of its requests were read. */
import type { FastifyInstance } from 'fastify'

/**
 * An answer written at once wakes the client's process, and is one of many such wakings where many ask at the same time;
 * written one behind another they wake it once. Who asks alone waits no longer: a turn ends where no more has come.
 * Measured in docs/adr/0013.
 */
export function sendTogether(app: FastifyInstance): void {
  app.addHook('onSend', (_request, _reply, payload, done) => {
    setImmediate(done, null, payload)
  })
}
