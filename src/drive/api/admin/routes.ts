/** Routes of administration: only administrators may call them, not in a batch, and no response is cached. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  ADMIN_REQUESTS,
  ADMIN_ROOT,
  type AdminRequest,
  type AdminRequestId,
} from '../../contract/admin-requests.ts'
import { mustAdminister } from '../../domain/administration/administer.ts'
import { forgetUsers } from '../../domain/access/principals.ts'
import { trackChanges } from '../answers/committed.ts'
import { type DriveContext, refuseInBatch } from '../requests/call.ts'
import { ACCESS, type AdminHandlers, PEOPLE, SETTINGS, readAdminCall } from './requests.ts'

const HANDLERS: AdminHandlers = { ...PEOPLE, ...ACCESS, ...SETTINGS }

/** Maximum bytes of a body. */
const LONGEST = 65_536

export function addAdministration(app: FastifyInstance, drive: DriveContext): void {
  for (const name of Object.keys(HANDLERS)) {
    const id = name as AdminRequestId // keys of the table
    const { verb, path }: AdminRequest = ADMIN_REQUESTS[id]
    app.route({
      method: verb,
      url: `${ADMIN_ROOT}/${path}`,
      bodyLimit: LONGEST,
      handler: async (request, reply) => answer(id, drive, request, reply),
    })
  }
}

// the type parameter ties the call to the handler of the same request
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
async function answer<Id extends AdminRequestId>(
  id: Id,
  drive: DriveContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller } = request
  refuseInBatch(request)
  if (caller === undefined) throw new Error(`${id} was reached without credentials`)
  const { verb, isForAll = false }: AdminRequest = ADMIN_REQUESTS[id]
  if (!isForAll) mustAdminister(drive.store.read, caller)
  const isReading = verb === 'GET'
  const asked = readAdminCall(id, isReading ? drive : trackChanges(drive, request), caller, request)
  const handle = HANDLERS[id]
  try {
    const made = await handle(asked)
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    return made === undefined ? reply.code(204).send() : reply.send(made)
  } finally {
    if (!isReading) {
      drive.callers.forget()
      forgetUsers(drive.store.read)
    }
  }
}
