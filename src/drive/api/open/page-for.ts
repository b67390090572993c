/** Links to contents, followed in a browser, which has no token to send: the page of the store has one, and saves the file. */
import type { FastifyRequest } from 'fastify'
import { isStorageFailure } from '../../contract/failure.ts'
import type { Authenticator } from '../requests/authenticate.ts'

/** Where to go instead; undefined: the request is one of a program, or of somebody who has signed in on the page. */
export function pageFor(request: FastifyRequest, callers: Authenticator): string | undefined {
  const { method, headers, query, params, routeOptions } = request
  if (method !== 'GET' || routeOptions.url !== '/drive/v2/files/:fileId') return undefined
  if (headers.authorization !== undefined || headers.accept?.includes('text/html') !== true) return undefined
  const { source, access_token: token, oauth_token: old } = query as Record<string, unknown> // as fastify parses it
  if (source !== 'webContentLink' || token !== undefined || old !== undefined) return undefined
  if (isSignedIn(request, callers)) return undefined
  // the route has it
  const { fileId } = params as { readonly fileId: string }
  return `/#download/${encodeURIComponent(fileId)}`
}

function isSignedIn(request: FastifyRequest, callers: Authenticator): boolean {
  if (!callers.hasToken(request)) return false
  try {
    callers.callerOf(request)
    return true
  } catch (error) {
    if (isStorageFailure(error)) return false
    throw error
  }
}
