/** Everything by which people sign in. */
import type { FastifyInstance } from 'fastify'
import type { DriveContext } from '../requests/call.ts'
import { addAuthorize } from './authorize.ts'
import { addDevicePage } from './device-page.ts'
import { addOpenId } from './openid/routes.ts'
import { addMetadata } from './metadata.ts'
import { addSessions } from './sessions.ts'

export function addSignIn(app: FastifyInstance, drive: DriveContext): void {
  addAuthorize(app, drive)
  addDevicePage(app, drive)
  addSessions(app, drive)
  addOpenId(app, drive)
  addMetadata(app, drive.options)
}
