/** Routes of the operations: parses and checks each request, and calls its handler. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { readLimits } from '../domain/settings.ts'
import {
  type Caller,
  type NamedPath,
  type OwnConditions,
  StorageFailure,
  lacksScope,
} from '../contract/failure.ts'
import { type Method, type MethodId, findMethod } from '../contract/methods.ts'
import { parseEntityTags } from '../protocol/etags.ts'
import { type Selection, parseFields } from '../protocol/answers/fields.ts'
import type { ParameterValues } from '../contract/parameter.ts'
import { readParameters } from '../protocol/parameters.ts'
import { pathOf, queryOf, bodyOf } from './requests/parts.ts'
import {
  type Call,
  type CallAnswer,
  type DriveContext,
  type Handler,
  type Handlers,
  baseUrl,
  resource,
} from './requests/call.ts'
import { trackChanges } from './answers/committed.ts'
import { formatJson, isKnown, jsonText, makeLinks, sendText } from './answers/json.ts'
import { accessHook, accessOf } from './requests/note-accesses.ts'
import type { Listers } from './lists/listers.ts'
import { LIST_HANDLERS } from './lists/table.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route needs no credentials. */
    isOpen?: boolean
  }
  interface FastifyRequest {
    /** Undefined on open routes. */
    caller: Caller | undefined
  }
}

export function addOperations(app: FastifyInstance, drive: DriveContext, handlers: Handlers): void {
  for (const [id, handler] of Object.entries(handlers)) {
    // the keys of `Handlers` are `MethodId`s
    const method = findMethod(id as MethodId)
    const url = `/drive/v2/${method.path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    const verbs = id === 'drives.update' ? [method.httpMethod, 'PATCH' as const] : method.httpMethod
    const access = accessOf(method)
    const noting = access === undefined ? {} : { onSend: accessHook(drive, access) }
    app.route({
      method: verbs,
      url,
      ...noting,
      handler: returningNothing(answerCall(drive, method, handler)),
    })
  }
}

/** Promise of the sending; undefined if the reply has been or will be sent. */
type Sent = Promise<unknown> | undefined

/** Returns undefined to fastify, which would otherwise wait for the end of the response: that costs 4 to 8 us per request. */
export function returningNothing(
  answer: (request: FastifyRequest, reply: FastifyReply) => Sent,
): RouteHandlerMethod {
  return (request, reply) => {
    answer(request, reply)?.catch((error: unknown) => reply.send(error))
  }
}

function answerCall(
  drive: DriveContext,
  method: Method,
  handler: Handler,
): (request: FastifyRequest, reply: FastifyReply) => Sent {
  return (request, reply) => {
    const call = readCall(drive, method, request)
    const { fields } = call.parameters
    const selection = method.response === undefined ? undefined : parseFields(fields, method.response)
    const answer = listMade(call, reply, () => handler(call, selection)) ?? handler(call, selection)
    if (answer instanceof Promise) return answer.then((late) => send(late, call, selection, reply))
    return send(answer, call, selection, reply)
  }
}

type HandlerResult = CallAnswer | Promise<CallAnswer>

/** Lets a lister process make a list that may take long, if there are such processes. */
function listMade(call: Call, reply: FastifyReply, make: () => HandlerResult): HandlerResult | undefined {
  const { drive, method } = call
  if (drive.listers === undefined || !LIST_HANDLERS.has(method.id)) return undefined
  return drive.lightLists.make(call, make)?.made ?? madeApart(call, drive.listers, reply)
}

function madeApart(call: Call, listers: Listers, reply: FastifyReply): Promise<CallAnswer> {
  const { method, request, links, caller, path, parameters, query } = call
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const asked = { method: method.id, caller, path, parameters, query, url: request.url, base: links.base }
  return listers.ask(asked, gone.signal).then(({ etag, text }) => resource(etag, () => jsonText(text)))
}

/** Checks in the order of spec 2: scopes before parameters. */
export function readCall(drive: DriveContext, method: Method, request: FastifyRequest): Call {
  const { headers } = request
  if (request.caller === undefined) throw new Error(`${method.id} was reached without credentials`)
  const query = queryOf(request)
  const caller = covering(method, request.caller)
  const parameters = inPages(drive, method, readParameters(method, query))
  return {
    drive: method.httpMethod === 'GET' ? drive : trackChanges(drive, request),
    method,
    caller: isWithoutDrives(method, parameters) ? hidingDrives(caller) : caller,
    request,
    path: pathOf(request),
    query,
    body: bodyOf(request),
    parameters,
    ifMatch: parseEntityTags(headers['if-match']),
    conditions: readConditions(method, headers['x-hla-if']),
    links: makeLinks(baseUrl(request, drive.options)),
  }
}

const CONDITIONS: Readonly<Record<keyof OwnConditions, readonly MethodId[]>> = {
  'title-free': ['files.insert', 'files.copy', 'files.update', 'files.patch'],
  empty: ['files.trash'],
  path: ['files.trash', 'files.delete', 'files.update', 'files.patch'],
}

/** @throws 400 — a condition that the operation does not check, or one that is given twice */
function readConditions({ id }: Method, header: string | string[] | undefined): OwnConditions | undefined {
  if (header === undefined) return undefined
  const conditions: OwnConditions = {}
  for (const text of String(header).split(',')) {
    const found = parseCondition(text.trim())
    const isChecked = ([name]: readonly [keyof OwnConditions, unknown]) =>
      CONDITIONS[name].includes(id) && !(name in conditions)
    if (found === undefined || !isChecked(found))
      throw new StorageFailure(400, 'invalid', `Unknown condition of ${id}: ${text.trim()}`, {
        location: 'X-Hla-If',
        locationType: 'header',
      })
    Object.assign(conditions, Object.fromEntries([found]))
  }
  return conditions
}

/** `path=ID/TITLE/TITLE`, or a word. */
function parseCondition(text: string): readonly [keyof OwnConditions, true | NamedPath] | undefined {
  if (text === 'title-free' || text === 'empty') return [text, true]
  const [, path] = /^path=([^/]+\/.*)$/.exec(text) ?? []
  try {
    const [base = '', ...names] = path?.split('/').map(decodeURIComponent) ?? []
    return path === undefined ? undefined : ['path', { base, names }]
  } catch {
    // a percent sign without two digits
    return undefined
  }
}

/** Reduces `maxResults` to the limit. */
function inPages({ store }: DriveContext, { id }: Method, values: ParameterValues): ParameterValues {
  const { maxResults } = values
  if (maxResults === undefined) return values
  const most = readLimits(store.read)[id === 'files.generateIds' ? 'generated-ids' : 'page-items']
  return maxResults <= most ? values : { ...values, maxResults: most }
}

/** True unless the request supports shared drives. Operations without the parameter always do (spec 19). */
function isWithoutDrives({ parameters }: Method, values: ParameterValues): boolean {
  if (!parameters.has('supportsAllDrives')) return false
  return values.supportsAllDrives !== true && values.supportsTeamDrives !== true
}

const hiding = new WeakMap<Caller, Caller>()

/** Cached per caller object, which is itself cached with its token. */
function hidingDrives(caller: Caller): Caller {
  let found = hiding.get(caller)
  if (found === undefined) hiding.set(caller, (found = { ...caller, hidesDrives: true }))
  return found
}

/**
 * The caller with only the scopes that open the operation, so that other scopes of the token open no further items.
 * @throws 403 — no scope of the token opens the operation
 */
function covering({ scopes }: Method, caller: Caller): Caller {
  const covered = caller.scopes.filter((scope) => scopes.includes(scope))
  if (covered.length === 0) throw lacksScope()
  return covered.length === caller.scopes.length ? caller : { ...caller, scopes: covered }
}

/** Never returns the reply: a promise resolved with it waits for the end of the response. */
export function send(
  answer: CallAnswer,
  { request, parameters, query }: Call,
  selection: Selection | undefined,
  reply: FastifyReply,
): Sent {
  switch (answer.kind) {
    case 'nothing':
      reply.code(204).send()
      return undefined
    case 'own': {
      const sent = answer.send(reply)
      return sent instanceof Promise ? sent : undefined
    }
    case 'resource': {
      const { etag, make } = answer
      if (etag !== undefined) reply.header('etag', etag)
      if (isKnown(request, etag)) {
        reply.code(304).send()
        return undefined
      }
      if (selection === undefined) throw new Error('an operation without a response answered with one')
      // compact by default, unlike the published default
      const isPretty = query['prettyPrint'] !== undefined && parameters.prettyPrint === true
      sendText(reply, formatJson(make(selection), isPretty))
      return undefined
    }
  }
}
