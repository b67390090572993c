/** Whether the cells of a table that somebody looks at are typings: the page sends what it shows, and is told which are not. */
import type { FastifyInstance } from 'fastify'
import { errorMessage, isHlaError } from '../../../errors.ts'
import { mustNotBeInBatch } from '../requests/base-url.ts'
import type { DriveContext } from '../requests/call.ts'
import type { TypingVerdicts } from './converter.ts'

/** Bytes: what a page shows of a table. */
const LONGEST = 256 * 1024

/** `why`: nothing was looked at. */
export type LookedAt = TypingVerdicts | { readonly why: string }

/** Nothing is kept of it. */
export function addTypings(app: FastifyInstance, { conversions }: DriveContext): void {
  app.post('/drive/typings/v1/check', { bodyLimit: LONGEST }, async (request, reply) => {
    mustNotBeInBatch(request)
    const bytes = (request.body as Uint8Array | undefined) ?? new Uint8Array() // as our parser leaves it
    const looked = await lookAt(() => conversions.verdicts('table.csv', bytes))
    return reply.header('cache-control', 'no-store').send(looked)
  })
}

/** A table without typings is no fault of whoever looks at it. */
async function lookAt(look: () => Promise<TypingVerdicts>): Promise<LookedAt> {
  try {
    return await look()
  } catch (error) {
    if (isHlaError(error)) return { why: errorMessage(error) }
    throw error
  }
}
