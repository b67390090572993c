/** Whether an item is open to anyone, for the page: it asks who somebody is only where it must. */
import type { FastifyInstance } from 'fastify'
import { sendJson } from '../answers/json.ts'
import { isOpenToAnyone } from '../requests/guest.ts'
import type { DriveContext } from '../requests/call.ts'

export function addPublic(app: FastifyInstance, { store }: DriveContext): void {
  app.get('/public/:fileId', { config: { isOpen: true } }, (request, reply) => {
    // the route has it
    const { fileId } = request.params as { readonly fileId: string }
    return sendJson(reply, { isOpen: isOpenToAnyone(store.read, fileId) })
  })
}
