/** Everything by which people sign in. */
import type { FastifyInstance } from 'fastify'
import type { DriveContext } from '../requests/call.ts'
import { addAuthorize } from './authorize.ts'
import { addDevicePage } from './device-page.ts'
import { addOpenId } from './openid/routes.ts'
import { addSessions } from './sessions.ts'
import { SCOPES } from '../../contract/caller.ts'
import { sendJson } from '../answers/json.ts'
import { baseUrl } from '../requests/base-url.ts'
import type { DriveOptions } from '../options.ts'

export function addSignIn(app: FastifyInstance, drive: DriveContext): void {
  addAuthorize(app, drive)
  addDevicePage(app, drive)
  addSessions(app, drive)
  addOpenId(app, drive)
  addMetadata(app, drive.options)
}

function addMetadata(app: FastifyInstance, options: DriveOptions): void {
  app.get('/.well-known/oauth-authorization-server', { config: { isOpen: true } }, (request, reply) => {
    const issuer = baseUrl(request, options)
    return sendJson(reply, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      device_authorization_endpoint: `${issuer}/device/code`,
      revocation_endpoint: `${issuer}/revoke`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
    })
  })
}
