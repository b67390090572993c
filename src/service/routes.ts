/** Routes of the operations. Each request is checked against the operation's schema. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CheckedInput, readInput } from '../operations/executor.ts'
import { requestedFace } from '../operations/faces.ts'
import { pathParameter } from '../operations/http-face.ts'
import type { Operation } from '../operations/operation.ts'
import type { InputSchema } from '../operations/schema.ts'
import type { LoopShare } from '../web/share.ts'
import { addVary } from '../web/vary.ts'
import type { Current, ServedData } from './current.ts'
import { type AnswerForm, answerRoute, type OperationRoute, ROUTES, type RouteAnswer, routeName } from './questions/answer-route.ts' // prettier-ignore
import { isLargeInput, type LargeQuestions } from './questions/large-questions.ts'
import { isPlainPreferred } from './requests/accepted-type.ts'
import { identifyClient } from './requests/access.ts'
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

export interface OperationParts {
  readonly current: Current
  readonly share: LoopShare
  /** undefined answers large questions in the event loop, too. */
  readonly large: LargeQuestions | undefined
}

export function addOperations(app: FastifyInstance, parts: OperationParts): void {
  for (const route of ROUTES) addRoute(app, parts, route)
}

function addRoute(
  app: FastifyInstance,
  { current, share, large }: OperationParts,
  route: OperationRoute,
): void {
  const { method, path } = route.route
  const readRequest = requestReader(route)
  const name = routeName(route)
  /** Answers in the thread, or where that has other data, here. */
  const answerLarge = async (
    request: FastifyRequest,
    served: ServedData,
    { checked, form }: QuestionParts,
  ) => {
    const caller = identifyClient(request)
    const answer = await large?.request({ caller, dataId: served.dataId }, { route: name, checked, form })
    return answer ?? share.run(caller, () => answerRoute(route, checked, form, served.knowledge))
  }
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/, ':$1'),
    config: { operation: route.operation },
    handler(request, reply) {
      const { served } = current
      const checked = readRequest(request)
      const form = { face: requestedFace(request), isPlain: prefersPlain(request, route.operation) }
      const send = (answer: RouteAnswer) => sendAnswer(answer, request, reply, { route, form, served })
      if (large === undefined || !isLargeInput(checked))
        return send(answerRoute(route, checked, form, served.knowledge))
      return answerLarge(request, served, { checked, form }).then(send)
    },
  })
}

interface QuestionParts {
  readonly checked: CheckedInput
  readonly form: AnswerForm
}

interface AnswerContext {
  readonly route: OperationRoute
  readonly form: AnswerForm
  readonly served: ServedData
}

function sendAnswer(
  { status, notes, body }: RouteAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  { route: { operation, route }, form: { isPlain }, served: { dataId, etag, knowledge } }: AnswerContext,
): FastifyReply {
  const { plain, isOfToday, describesService } = operation.http
  // the data may have been replaced while the request waited
  reply.header('x-hla-data', dataId)
  if (plain !== undefined) addVary(reply, 'accept')
  if (route.method === 'GET' && status === 200) {
    const releases = describesService === true ? `-${knowledge.installed().join('-')}` : ''
    const tag = entityTag(`${etag.slice(0, -1)}${releases}"`, isOfToday === true, isPlain)
    if (isUnchanged(request, reply, tag, operation)) return reply.code(304).send()
  }
  if (notes !== undefined) reply.header('x-hla-notes', notes)
  return reply
    .code(status)
    .type(typeof body === 'string' ? PLAIN : JSON_TYPE)
    .send(body)
}

const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Entity tag of an answer: that of the data, plus the date if the answer depends on it, plus a mark for plain text.
 */
function entityTag(etag: string, isOfToday: boolean, isPlain: boolean): string {
  const today = isOfToday ? `-${new Date().toISOString().slice(0, 10)}` : ''
  return today === '' && !isPlain ? etag : `${etag.slice(0, -1)}${today}${isPlain ? '-text' : ''}"`
}

/** Schema that requests are checked against; OpenAPI uses the same. */
export function routeSchema({ operation, route: { method, path } }: OperationRoute): InputSchema {
  const { input, http } = operation
  const required = [...(input.required ?? []), ...(http.required ?? [])]
  if (method === 'POST') return { ...input, required }
  const properties = queryProperties(input.properties, subjectInPath(operation, path))
  const requiredHere = required.filter((name) => Object.hasOwn(properties, name))
  return { type: 'object', properties, required: requiredHere, additionalProperties: false }
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
  const complete = (checked: CheckedInput, entries: readonly (readonly [string, unknown])[]) => ({
    ...checked,
    input: { ...Object.fromEntries(entries), ...checked.input },
  })
  return ({ body, params, query, url }) => {
    if (method === 'POST') return complete(readInput(schema, body), presets)
    // query values are texts, from any parser
    const checked = readInput(schema, readQuery(query as Record<string, string>, schema.properties))
    const checkedQuery = { ...checked, notes: [...checked.notes, ...notePlusSigns(url, query as object)] }
    if (parameter === undefined || subject === undefined) return complete(checkedQuery, presets)
    // a subject is always a single text
    const text = (params as Readonly<Record<string, string>>)[parameter] ?? ''
    const error = refuse?.(text)
    if (error !== undefined) throw error
    return complete(checkedQuery, [...presets, [subject, text]])
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
  const ifNoneMatch = request.headers['if-none-match']
  return (
    ifNoneMatch !== undefined &&
    ifNoneMatch.split(/\s*,\s*/).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
  )
}

/** True when the client prefers a plain text, and the operation has one. */
function prefersPlain({ headers: { accept } }: FastifyRequest, { http: { plain } }: Operation): boolean {
  return plain !== undefined && accept !== undefined && isPlainPreferred(accept)
}
