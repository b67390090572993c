/** Links to contents, followed in a browser, which has no token to send: the page of the store has one, and saves the file. */
import type { FastifyRequest } from 'fastify'

/** Where to go instead; undefined: the request is one of a program. */
export function pageFor({
  method,
  headers,
  query,
  params,
  routeOptions,
}: FastifyRequest): string | undefined {
  if (method !== 'GET' || routeOptions.url !== '/drive/v2/files/:fileId') return undefined
  if (headers.authorization !== undefined || headers.accept?.includes('text/html') !== true) return undefined
  const { source, access_token: token, oauth_token: old } = query as Record<string, unknown> // as fastify parses it
  if (source !== 'webContentLink' || token !== undefined || old !== undefined) return undefined
  // the route has it
  const { fileId } = params as { readonly fileId: string }
  return `/#download/${encodeURIComponent(fileId)}`
}
