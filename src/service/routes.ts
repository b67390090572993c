/** Routes of the operations. Each request is checked against the operation's schema. */
import { addVary } from '../web/vary.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ListedRoute, listRoutes, pathParameter } from '../operations/http-face.ts'
import { releaseMethods } from '../engine/reduce/methods.ts'
import { type Note, isHlaError } from '../errors.ts'
import type { Knowledge } from '../operations/knowledge.ts'
import { type Operation, withNotes } from '../operations/operation.ts'
import { type CheckedInput, answerChecked, readInput } from '../operations/executor.ts'
import { OPERATIONS } from '../operations/registry.ts'
import type { InputSchema, ValueOf } from '../operations/schema.ts'
import { outputFor, requestedFace } from '../operations/faces.ts'
import type { Current } from './current.ts'
import { isPlainPreferred } from './requests/accepted-type.ts'
import { notePlusSigns, queryProperties, readQuery } from './requests/query.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operation that maps errors of this route to statuses. */
    operation?: Operation
    /** The body is a stream, without the time limit for requests. */
    isStreamed?: boolean
    /** No token is required. */
    isOpen?: boolean
  }
}

export function addOperations(app: FastifyInstance, current: Current): void {
  for (const operation of OPERATIONS) {
    for (const route of listRoutes(operation.http)) addRoute(app, current, { operation, route })
  }
}

export interface OperationRoute {
  readonly operation: Operation
  readonly route: ListedRoute
}

function addRoute(app: FastifyInstance, current: Current, { operation, route }: OperationRoute): void {
  const { method, path } = route
  const readRequest = requestReader({ operation, route })
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/, ':$1'),
    config: { operation },
    handler(request, reply) {
      const { etag, knowledge } = current.served
      const answer = answerOrEmpty(operation, readRequest(request), knowledge)
      const output = outputFor(answer, requestedFace(request))
      const { statusOf, plain, isOfToday, describesService } = operation.http
      const status = statusOf?.(output as never) ?? 200
      const isPlain = plain !== undefined && prefersPlain(request, reply)
      const offered = () => (describesService === true ? `-${knowledge.installed().join('-')}` : '')
      const tag = () => entityTag(`${etag.slice(0, -1)}${offered()}"`, isOfToday === true, isPlain)
      if (method === 'GET' && status === 200 && isUnchanged(request, reply, tag(), operation))
        return reply.code(304).send()
      if (isPlain || operation.http.body !== undefined) noteInHead(reply, output)
      reply.code(status)
      if (isPlain) return reply.type(PLAIN).send(plain(output as never))
      return reply.send(bodyOf({ operation, route }, output, knowledge))
    },
  })
}

const PLAIN = 'text/plain; charset=utf-8'

/**
 * Entity tag of an answer: that of the data, plus the date if the answer depends on it, plus a mark for plain text.
 */
function entityTag(etag: string, isOfToday: boolean, isPlain: boolean): string {
  const today = isOfToday ? `-${new Date().toISOString().slice(0, 10)}` : ''
  return today === '' && !isPlain ? etag : `${etag.slice(0, -1)}${today}${isPlain ? '-text' : ''}"`
}

function bodyOf(
  { operation: { http }, route }: OperationRoute,
  output: Readonly<Record<string, unknown>>,
  knowledge: Knowledge,
): unknown {
  const body = http.toBody?.(output as never) ?? output
  if (route.toBody !== undefined) return route.toBody(output)
  return http.describesService === true ? { ...body, ...serviceFacts(knowledge) } : body
}

/** Puts notes into a header when the body is not an object. */
function noteInHead(reply: FastifyReply, output: Readonly<Record<string, unknown>>): void {
  if (output['notes'] === undefined) return
  const text = JSON.stringify(output['notes']).replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`) // prettier-ignore
  reply.header('x-hla-notes', text)
}

/** Where the contract answers an error with an empty text, the notes give the reason. */
function answerOrEmpty(
  operation: Operation,
  checked: CheckedInput,
  knowledge: Knowledge,
): Readonly<Record<string, unknown>> {
  try {
    return answerChecked(operation, checked, knowledge)
  } catch (error) {
    const { empty } = operation.http
    if (!isHlaError(error) || empty === undefined || !empty.codes.includes(error.code)) throw error
    const { code, message, offending, position } = error
    const reason: Note = { level: 'warning', code, message, ...(offending === undefined ? {} : { offending }), ...(position === undefined ? {} : { position }) } // prettier-ignore
    // checked against the operation's own schema
    const output = empty.output(checked.input as never, knowledge) as Readonly<Record<string, unknown>>
    return { ...output, ...withNotes([...checked.notes, reason]) }
  }
}

/** Schema that requests are checked against; OpenAPI uses the same. */
export function routeSchema({ operation, route: { method, path } }: OperationRoute): InputSchema {
  const { input, http } = operation
  const required = [...(input.required ?? []), ...(http.required ?? [])]
  if (method === 'POST') return { ...input, required }
  const properties = queryProperties(input.properties, subjectInPath(operation, path))
  const wanted = required.filter((name) => Object.hasOwn(properties, name))
  return { type: 'object', properties, required: wanted, additionalProperties: false }
}

/** Property that is part of the path. */
export function subjectInPath({ subject }: Operation, path: string): string | undefined {
  return pathParameter(path) === undefined ? undefined : subject
}

/** Creates the reader once per route, not per request. */
function requestReader({ operation, route }: OperationRoute): (request: FastifyRequest) => CheckedInput {
  const { method, path, preset, refuse } = route
  const schema = routeSchema({ operation, route })
  const parameter = pathParameter(path)
  const { subject } = operation
  const presets = Object.entries(preset)
  /** Adds the presets and the path's value; properties of the request have precedence. */
  const completed = (checked: CheckedInput, own: readonly (readonly [string, unknown])[]) =>
    own.length === 0 ? checked : { ...checked, input: { ...Object.fromEntries(own), ...checked.input } }
  return ({ body, params, query, url }) => {
    if (method === 'POST') return completed(readInput(schema, body), presets)
    // query values are texts, from any parser
    const checked = readInput(schema, readQuery(query as Record<string, string>, schema.properties))
    const asked = { ...checked, notes: [...checked.notes, ...notePlusSigns(url, query as object)] }
    if (parameter === undefined || subject === undefined) return completed(asked, presets)
    // a subject is always a single text
    const text = (params as Readonly<Record<string, string>>)[parameter] ?? ''
    const refused = refuse?.(text)
    if (refused !== undefined) throw refused
    return completed(asked, [...presets, [subject, text]])
  }
}

/** Sets caching headers and tests If-None-Match: an answer depends only on its address and the data. */
function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  { subject }: Operation,
): boolean {
  // an address that contains a typing is patient data, so shared caches must not store it
  const isPrivate = subject !== undefined || request.headers.authorization !== undefined
  const scope = isPrivate ? 'private' : 'public'
  // caches must revalidate, since a reload may change the answer
  reply.header('etag', etag).header('cache-control', `${scope}, no-cache`)
  const known = request.headers['if-none-match']
  return (
    known !== undefined &&
    known.split(/\s*,\s*/).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
  )
}

/** Facts for clients: available operations, and support for batches. */
function serviceFacts({ release, installed }: Knowledge): ValueOf<typeof SERVICE_FACTS_SCHEMA> {
  return {
    operations: OPERATIONS.map(({ name }) => name),
    batch: true,
    allele_count: release.facts.alleleCount,
    loci: release.facts.loci,
    methods: [...releaseMethods(release.facts.hasHats)],
    releases: [...installed()],
  }
}

const SERVICE_FACTS_SCHEMA = {
  type: 'object',
  properties: {
    operations: { type: 'array', items: { type: 'string' }, description: 'available operations' },
    batch: { type: 'boolean', description: 'true if the service answers batches' },
    allele_count: { type: 'integer' },
    loci: { type: 'array', items: { type: 'string' } },
    methods: { type: 'array', items: { type: 'string' }, description: 'methods available in the release' },
    releases: {
      type: 'array',
      items: { type: 'string' },
      description: 'installed releases, the newest first',
    },
  },
  required: ['operations', 'batch', 'allele_count', 'loci', 'methods', 'releases'],
} as const

/** Properties that the service adds to the answer of `version`. */
export const SERVICE_FACTS: InputSchema['properties'] = SERVICE_FACTS_SCHEMA.properties

/** True when the client prefers plain text. Adds `Vary`, since the answer depends on the header. */
function prefersPlain({ headers: { accept } }: FastifyRequest, reply: FastifyReply): boolean {
  addVary(reply, 'accept')
  return accept !== undefined && isPlainPreferred(accept)
}
