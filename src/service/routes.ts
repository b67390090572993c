/** The operations as routes: each asked as its contract says, checked by its own schema. */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { parameterOf, routesOf } from '../operations/http-face.ts'
import type { HttpRoute } from '../operations/http-face.ts'
import type { Operation } from '../operations/operation.ts'
import { OPERATIONS } from '../operations/registry.ts'
import type { Current } from './current.ts'
import { queryProperties, readQuery } from './query.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation whose errors this route's are. */
    operation?: Operation
    /** The body may take its time. */
    isStreamed?: boolean
    /** Answers whoever asks. */
    isOpen?: boolean
  }
}

export function addOperations(app: FastifyInstance, current: Current): void {
  for (const operation of OPERATIONS) {
    for (const route of routesOf(operation.http)) addRoute(app, current, { operation, route })
  }
}

export interface OperationRoute {
  readonly operation: Operation
  readonly route: Required<HttpRoute>
}

function addRoute(app: FastifyInstance, current: Current, { operation, route }: OperationRoute): void {
  const { method, path } = route
  const properties = queryProperties(operation.input.properties, subjectInPath(operation, path))
  const inputOf = inputReader({ operation, route })
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/, ':$1'),
    schema: schemaOf({ operation, route }),
    config: { operation },
    ...(method === 'GET' && {
      preValidation(request: FastifyRequest, _reply: FastifyReply, done: () => void) {
        // a query is texts, and so is whatever a parser makes of it
        request.query = readQuery(request.query as Record<string, string>, properties)
        done()
      },
    }),
    handler(request, reply) {
      const { etag, knowledge } = current.served
      // checked against the operation's own schema before this is called
      const output = operation.run(inputOf(request) as never, knowledge)
      const { statusOf, toBody, describesService } = operation.http
      const status = statusOf?.(output as never) ?? 200
      if (method === 'GET' && status === 200 && isUnchanged(request, reply, etag))
        return reply.code(304).send()
      const body = toBody?.(output as never) ?? output
      return reply
        .code(status)
        .send(describesService === true ? { ...body, ...serviceFacts(knowledge) } : body)
    },
  })
}

/** Schemas as the server checks them; the same for OpenAPI. */
export function schemaOf({ operation, route: { method, path } }: OperationRoute): FastifySchema {
  const { input, http } = operation
  const required = [...(input.required ?? []), ...(http.required ?? [])]
  if (method === 'POST') return { body: { ...input, required } }
  const properties = queryProperties(input.properties, subjectInPath(operation, path))
  const wanted = required.filter((name) => name in properties)
  return { querystring: { type: 'object', properties, required: wanted, additionalProperties: false } }
}

/** The property that the path holds. */
export function subjectInPath({ subject }: Operation, path: string): string | undefined {
  return parameterOf(path) === undefined ? undefined : subject
}

/** Decided once for a route, not for each of its requests. */
function inputReader({ operation: { subject }, route: { method, path, preset } }: OperationRoute) {
  const parameter = parameterOf(path)
  const isPreset = Object.keys(preset).length > 0
  return ({ body, params, query }: FastifyRequest): unknown => {
    if (method === 'POST') return isPreset ? { ...preset, ...(body as object) } : body
    if (parameter === undefined || subject === undefined) return { ...preset, ...(query as object) }
    const text = (params as Readonly<Record<string, string>>)[parameter]
    return { ...preset, ...(query as object), [subject]: text }
  }
}

/** Answers depend on their address and the data alone: while those are the same, so is the answer. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  const scope = request.headers.authorization === undefined ? 'public' : 'private'
  reply.header('etag', etag).header('cache-control', `${scope}, max-age=300`)
  const known = request.headers['if-none-match']
  return known !== undefined && known.split(/\s*,\s*/).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** For clients: what can be asked here, and whether many questions can be asked at once. */
function serviceFacts({ release }: Current['served']['knowledge']): Record<string, unknown> {
  return {
    operations: OPERATIONS.map(({ name }) => name),
    batch: true,
    allele_count: release.facts.alleleCount,
    loci: release.facts.loci,
  }
}
