/** Content links followed in a browser, which sends no token: the store's page has one, and saves the file. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GUEST, isStorageFailure, notFound } from '../../contract/failure.ts'
import { withoutAddress } from '../../domain/access/principals.ts'
import { findOpeningLink } from '../../domain/permissions/permissions.ts'
import { type Authenticator, isOpenToAnyone } from '../requests/authenticate.ts'
import type { PageFiles } from '../../../web/pages.ts'
import { isKnown, sendJson } from '../answers/json.ts'
import { etagOf } from '../../protocol/etags.ts'
import { type DriveContext, baseUrl, pathId } from '../requests/call.ts'
import { pathOf, queryOf } from '../requests/parts.ts'
import { packageVersion } from '../../../package-root.ts'
import { discoveryDirectory, discoveryDocument } from '../../protocol/answers/discovery.ts'
import type { DriveOptions } from '../options.ts'

/** Page to redirect to; undefined for a request of a program, or of a browser that has signed in. */
export function pageFor(request: FastifyRequest, callers: Authenticator): string | undefined {
  const { method, headers, routeOptions } = request
  if (method !== 'GET' || routeOptions.url !== '/drive/v2/files/:fileId') return undefined
  if (headers.authorization !== undefined || headers.accept?.includes('text/html') !== true) return undefined
  const { source, access_token: token, oauth_token: old } = queryOf(request)
  if (source !== 'webContentLink' || token !== undefined || old !== undefined) return undefined
  if (isSignedIn(request, callers)) return undefined
  return `/#download/${encodeURIComponent(pathId({ path: pathOf(request) }, 'fileId'))}`
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

export const PAGES: PageFiles = {
  '/': ['index.html', 'text/html'],
  '/page.css': ['page.css', 'text/css'],
  '/drive.css': ['drive.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
}

const SHAPES = {
  file: 'M4 1h5l4 4v10H4z',
  folder: 'M1 3h5l2 2h7v9H1z',
  shortcut: 'M4 1h5l4 4v10H4zM6 12l5-5M7 7h4v4',
} as const

export function addIcons(app: FastifyInstance): void {
  for (const [kind, shape] of Object.entries(SHAPES)) {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16" height="16">' +
      `<path d="${shape}" fill="none" stroke="#5f6368"/></svg>`
    app.get(`/icons/${kind}.svg`, { config: { isOpen: true } }, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(svg),
    )
  }
}

export function addPublic(app: FastifyInstance, { store, linkCaller }: DriveContext): void {
  app.get('/public/:fileId', { config: { isOpen: true } }, (request, reply) => {
    const fileId = pathId({ path: pathOf(request) }, 'fileId')
    const caller = isOpenToAnyone(store.read, fileId) ? GUEST : linkCaller(request)
    const link = caller === undefined ? undefined : findOpeningLink(store.read, fileId, caller.user)
    return sendJson(reply, {
      isOpen: caller !== undefined,
      ...(link === undefined
        ? {}
        : {
            sharedBy: link.sharer === null ? null : withoutAddress(link.sharer),
            downloadsLeft: link.remaining,
          }),
    })
  })
}

export function addDiscovery(app: FastifyInstance, options: DriveOptions): void {
  const open = { config: { isOpen: true } }
  const document = (request: FastifyRequest) =>
    discoveryDocument({
      base: baseUrl(request, options),
      revision: packageVersion(),
      maxUpload: options.maxUpload,
    })
  app.get('/discovery/v1/apis/drive/v2/rest', open, (request, reply) =>
    publish(request, reply, document(request)),
  )
  app.get('/$discovery/rest', open, (request, reply) => {
    const { version } = queryOf(request)
    if (version !== 'v2') throw notFound('Version', String(version), 'version')
    return publish(request, reply, document(request))
  })
  app.get('/discovery/v1/apis', open, (request, reply) => {
    const { name } = queryOf(request)
    const directory = discoveryDirectory(baseUrl(request, options))
    return publish(
      request,
      reply,
      name === undefined || name === 'drive' ? directory : { ...directory, items: [] },
    )
  })
}

function publish(request: FastifyRequest, reply: FastifyReply, document: object): FastifyReply {
  const etag = etagOf(JSON.stringify(document))
  reply.headers({ etag, 'access-control-allow-origin': '*' })
  return isKnown(request, etag) ? reply.code(304).send() : sendJson(reply, document)
}
