/** The documents that generic clients are built from: open to everybody, at the addresses they look at (spec 22). */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { packageVersion } from '../../../package-root.ts'
import { notFound } from '../../contract/failure.ts'
import { discoveryDirectory, discoveryDocument } from '../../protocol/answers/discovery.ts'
import { matchesWeakly, parseEntityTags } from '../../protocol/etags.ts'
import { baseUrl } from '../requests/base-url.ts'
import type { DriveOptions } from '../options.ts'
import { sendJson } from '../answers/json.ts'

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
    const { version } = request.query as Record<string, unknown> // as fastify parses it
    if (version !== 'v2') throw notFound('Version', String(version), 'version')
    return publish(request, reply, document(request))
  })
  app.get('/discovery/v1/apis', open, (request, reply) => {
    const { name } = request.query as Record<string, unknown> // as fastify parses it
    const directory = discoveryDirectory(baseUrl(request, options))
    return publish(
      request,
      reply,
      name === undefined || name === 'drive' ? directory : { ...directory, items: [] },
    )
  })
}

function publish(request: FastifyRequest, reply: FastifyReply, document: object): FastifyReply {
  const etag = `"${createHash('sha1').update(JSON.stringify(document)).digest('base64url')}"`
  reply.headers({ etag, 'access-control-allow-origin': '*' })
  const known = parseEntityTags(request.headers['if-none-match'])
  if (known !== undefined && matchesWeakly(known, etag)) return reply.code(304).send()
  return sendJson(reply, document)
}
