/** Routes of administration: only administrators and the operator may call them, not in a batch; no response is cached. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ADMIN_ROOT, type AdminRequest, type OperatorRequestId } from '../../contract/admin-requests.ts'
import { mustAdminister } from '../../domain/administration/administer.ts'
import { forgetUsers } from '../../domain/access/principals.ts'
import { trackChanges } from '../answers/committed.ts'
import { refuseInBatch } from '../requests/call.ts'
import { OPERATOR } from '../../domain/commands.ts'
import {
  ADMINISTRATION,
  type AdminContext,
  type Handlers,
  REQUESTS,
  type RequestId,
  readAdminCall,
} from './requests.ts'

interface AdministrationOptions {
  /** Requests of the operator alone; undefined for an app with a port. */
  readonly own?: Handlers<OperatorRequestId>
  /** Maximum bytes of a body. */
  readonly bodyLimit?: number
}

export function addAdministration(
  app: FastifyInstance,
  drive: AdminContext,
  { own, bodyLimit = 65_536 }: AdministrationOptions = {},
): void {
  const handlers: Partial<Handlers<RequestId>> = { ...ADMINISTRATION, ...own }
  for (const name of Object.keys(handlers)) {
    const id = name as RequestId // keys of the table
    const { verb, path }: AdminRequest = REQUESTS[id]
    app.route({
      method: verb,
      url: `${ADMIN_ROOT}/${path}`,
      bodyLimit,
      handler: async (request, reply) => answer({ id, handlers, drive }, request, reply),
    })
  }
}

interface Route<Id extends RequestId> {
  readonly id: Id
  readonly handlers: Partial<Handlers<RequestId>>
  readonly drive: AdminContext
}

// the type parameter ties the call to the handler of the same request
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
async function answer<Id extends RequestId>(
  { id, handlers, drive }: Route<Id>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller } = request
  refuseInBatch(request)
  const handle = handlers[id]
  if (caller === undefined || handle === undefined) throw new Error(`${id} was reached without credentials`)
  const { verb, isForAll = false }: AdminRequest = REQUESTS[id]
  if (!isForAll && caller !== OPERATOR) mustAdminister(drive.store.read, caller)
  const isReading = verb === 'GET'
  const asked = readAdminCall(id, isReading ? drive : trackChanges(drive, request), caller, request)
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
