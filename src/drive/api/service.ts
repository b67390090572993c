/** File storage service: the operations of the API behind Fastify.  [network] */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
  LogController,
} from 'fastify'
import {
  type Connections,
  MIN_CONTENT_RATE,
  headChecks,
  watchConnections,
  answerUnreadable,
} from '../../web/connections.ts'
import { showCertificate, isProxy } from '../../web/listen.ts'
import { type DrainTimes, drainServer } from '../../web/drain.ts'
import { makeLogger, requestIds } from '../../web/log.ts'
import { addPages } from '../../web/pages.ts'
import { type RequestMetrics, requestMetrics } from '../../web/request-metrics.ts'
import { tokenBuckets } from '../../web/token-buckets.ts'
import { coalesceAnswers } from '../../web/coalesce-answers.ts'
import { wholeBody } from '../../web/whole-body.ts'
import { readLimits } from '../domain/settings.ts'
import {
  type Caller,
  GUEST,
  StorageFailure,
  isGuest,
  rateLimitExceeded,
  requestTimeout,
} from '../contract/failure.ts'
import { type AccessRecord, openAccessRecord } from '../persistence/access-record.ts'
import type { Store } from '../persistence/store.ts'
import { startDeliverer } from '../delivery/deliverer.ts'
import { openConversions } from './conversion/conversions.ts'
import { addTypings } from './conversion/export.ts'
import { openOperatorApp, addAdministration } from './admin/routes.ts'
import { watchReach } from '../persistence/reach.ts'
import { authenticator, findGuest, findRequestedItem } from './requests/authenticate.ts'
import type { DriveContext, Handlers } from './requests/call.ts'
import { addBatch } from './requests/batch.ts'
import { PAGES, addDiscovery, addIcons, addPublic, pageFor } from './open/pages.ts'
import { addOperations } from './dispatch.ts'
import { answerExpectations, overrideMethod, readFormQueries } from './requests/expectations.ts'
import { expireRights } from './operations/expiry.ts'
import { answerError, answerFailures, failureBody } from './answers/committed.ts'
import { lightLists } from './lists/light-lists.ts'
import { startListers } from './lists/listers.ts'
import { findVisibleFile } from '../domain/access/access.ts'
import { addLinks } from './open/links.ts'
import { linkCallers } from './requests/link-callers.ts'
import { addHealth } from './open/health.ts'
import { type DriveOptions, defaultOptions } from './options.ts'
import { addTokens } from './open/tokens.ts'
import { addRules } from './rules/rules.ts'
import { addSignIn } from './sign-in/device-page.ts'
import { addUploads } from './upload/routes.ts'
import { countArrivals } from './upload/arrivals.ts'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { getAbout } from './operations/about.ts'
import { APPS } from './operations/apps.ts'
import { CHANGES, addPoints } from './operations/changes.ts'
import { CHANNELS } from './operations/channels.ts'
import { CHILDREN } from './operations/children.ts'
import { COMMENTS } from './operations/comments.ts'
import { DRIVES } from './operations/drives.ts'
import { FILES } from './operations/files.ts'
import { LABELS } from './operations/labels.ts'
import { PERMISSIONS } from './operations/permissions.ts'
import { PROPERTIES } from './operations/properties.ts'
import { REVISIONS } from './operations/revisions.ts'
import { LISTS } from './lists/table.ts'

export interface DriveService {
  readonly app: FastifyInstance
  /** Administration as the operator, for the socket in the store's folder. */
  readonly operator: FastifyInstance
  readonly accesses: AccessRecord
  /** Replaces the certificate for new connections; does nothing without one. */
  showCertificate(tls: DriveOptions['tls']): void
  /** Refuses new connections and finishes open requests. */
  drain(times: DrainTimes): Promise<void>
}

type Helpers = Pick<
  DriveContext,
  'lightLists' | 'arrivals' | 'conversions' | 'listers' | 'expiry' | 'accesses' | 'linkCaller'
>

/** Opens the helpers of operations, and the record of uploads in progress. */
function helpersFor(app: FastifyInstance, store: Store, options: DriveOptions): Helpers {
  const conversions = openConversions(store, options.tables)
  app.addHook('onClose', () => conversions.close())
  return {
    lightLists: lightLists(),
    arrivals: countArrivals(),
    conversions,
    listers: openListers(app, store, options),
    expiry: expireRights(app, store),
    accesses: openAccesses(app, store),
    linkCaller: linkCallers(store),
  }
}

function openAccesses(app: FastifyInstance, store: Store): AccessRecord {
  const record = openAccessRecord(join(store.folder.path, 'accesses'), {
    days: () => readLimits(store.read)['access-days'],
    warn: (text) => app.log.warn(text),
  })
  app.decorateRequest('accessed', undefined)
  app.addHook('onClose', () => record.close())
  return record
}

/** Imports fastify on first use, because administration does not need it. */
export async function openDriveService(
  store: Store,
  given: Partial<DriveOptions> = {},
): Promise<DriveService> {
  const { fastify, LogController: Control } = await import('fastify')
  const options = { ...defaultOptions(store.read), ...given }
  const app = fastify(serverOptions(options, new Control({ disableRequestLogging: true })))
  const deliverer = startDeliverer(store, {
    allowsLocal: options.notifiesLocally,
    warn: (text) => app.log.warn(text),
  })
  app.addHook('onClose', () => deliverer.stop())
  const metrics = requestMetrics('hla_drive_', '')
  const { isDraining, isLast, drain } = drainServer(() => app)
  answerFailures(app)
  const connections = watchBodies(app, options)
  watchRequests(app, { metrics, logs: options.log.access, connections })
  warnOfProxy(app, options.trustsProxy)
  coalesceAnswers(app, isLast)
  allowOrigins(app)
  readFormQueries(app, options.maxBody)
  const callers = authenticator(store.read, options.tokenInQuery, options.rateLimit)
  const drive: DriveContext = { store, options, deliverer, callers, ...helpersFor(app, store, options) }
  authenticateAll(app, drive, options.rateLimit)
  takeBodiesAsBytes(app)
  answerExpectations(app)
  addHealth(app, { drive, metrics, isDraining, reach: watchReach(store) })
  addIcons(app)
  addPages(app, 'dist/drive-page', PAGES, { showsContents: true })
  addDiscovery(app, options)
  addBatch(app, { store, options, callers, connections })
  addOwnRequests(app, drive)
  addOperations(app, drive, HANDLERS)
  addUploads(app, drive, connections)
  return {
    app,
    accesses: drive.accesses,
    operator: await openOperatorApp(drive, { logger: makeLogger(options.log) }),
    drain,
    showCertificate: (tls) => showCertificate(app.server, tls),
  }
}

/** Routes that the public API does not have. */
function addOwnRequests(app: FastifyInstance, drive: DriveContext): void {
  addPublic(app, drive)
  addTokens(app, drive)
  addSignIn(app, drive)
  addAdministration(app, drive)
  addRules(app, drive)
  addLinks(app, drive)
  addPoints(app, drive)
  addTypings(app, drive)
}

function watchBodies(app: FastifyInstance, { headersTimeout, idleTimeout, tls }: DriveOptions): Connections {
  const patience = { requestTimeout: headersTimeout, idleTimeout, leastRead: MIN_CONTENT_RATE }
  const late = () => [408, failureBody(requestTimeout())] as const
  const connections = watchConnections(app.server, patience, tls !== undefined, late)
  app.addHook('onClose', () => connections.close())
  return connections
}

function openListers(app: FastifyInstance, store: Store, { lister }: DriveOptions): DriveContext['listers'] {
  if (lister === undefined) return undefined
  const listers = startListers({
    entry: lister,
    patience: () => readLimits(store.read)['list-milliseconds'],
    warn: (text) => app.log.warn(text),
  })
  app.addHook('onClose', () => listers.close())
  return listers
}

function serverOptions(options: DriveOptions, logController: LogController): FastifyServerOptions {
  const { headersTimeout, maxHeaders } = options
  const http = {
    headersTimeout,
    maxHeaderSize: maxHeaders,
    // uploads may take as long as bytes keep moving
    requestTimeout: 0,
    connectionsCheckingInterval: headChecks(headersTimeout),
  }
  return {
    ...(options.tls === undefined ? { http } : { https: { ...http, ...options.tls } }),
    logger: makeLogger(options.log),
    // a child logger per request costs more than adding the id to the few logged lines
    childLoggerFactory: (logger) => logger,
    genReqId: requestIds(),
    logController,
    bodyLimit: options.maxBody,
    connectionTimeout: options.idleTimeout,
    keepAliveTimeout: options.idleTimeout,
    trustProxy: options.trustsProxy ? isProxy : false,
    return503OnClosing: false,
    requestIdHeader: false,
    // a parameter longer than any id is answered with 404, like a short one
    routerOptions: { maxParamLength: maxHeaders },
    rewriteUrl: overrideMethod,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      // called before any route and hook
      answerError(error, request, reply)
    },
  }
}

/** Authenticates before the body is read; unknown routes are 404 for everyone. */
function authenticateAll(app: FastifyInstance, drive: DriveContext, rate: number): void {
  const { callers, store, linkCaller } = drive
  const mayAsk = rate === 0 ? undefined : tokenBuckets(rate).take
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && request.routeOptions.config.isOpen !== true) {
      const guest = callers.hasToken(request)
        ? undefined
        : (findGuest(store.read, request) ?? linkCaller(request))
      const page = guest === undefined ? pageFor(request, callers) : undefined
      if (page !== undefined) return void reply.redirect(page)
      const caller = guest ?? orByLink(drive, request, callers.callerOf(request))
      if (mayAsk?.(guest === undefined ? caller.user : request.ip) === false) throw rateLimitExceeded()
      request.caller = caller
    }
    done()
  })
}

/** A user who has opened a link sees with it what the account alone does not see. */
function orByLink({ store, linkCaller }: DriveContext, request: FastifyRequest, caller: Caller): Caller {
  if (request.headers.cookie === undefined) return caller
  const byLink = linkCaller(request)
  const item = byLink === undefined ? undefined : findRequestedItem(request)
  if (byLink === undefined || item === undefined) return caller
  return findVisibleFile(store.read, caller, item) === undefined ? byLink : caller
}

/** Leaves bodies as bytes, whatever their type: operations parse them. */
function takeBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    wholeBody((bytes) => bytes),
  )
}

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Writes the response to the socket, because there is no request. */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') return
  const status = STATUSES[error.code ?? ''] ?? 400
  const words = STATUS_CODES[status] ?? ''
  const body = JSON.stringify(failureBody(new StorageFailure(status, 'badRequest', words)))
  const length = Buffer.byteLength(body)
  const head = [
    `HTTP/1.1 ${status} ${words}`,
    'connection: close',
    'content-type: application/json; charset=UTF-8',
  ]
  answerUnreadable(socket, () => {
    socket.end(`${head.join('\r\n')}\r\ncontent-length: ${length}\r\n\r\n${body}`)
  })
}

const ALLOWED = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '3600',
}

const EXPOSED =
  'content-encoding, content-length, content-range, date, etag, location, range, retry-after, www-authenticate, ' +
  'x-goog-hash, x-goog-upload-chunk-granularity, x-goog-upload-control-url, x-goog-upload-size-received, ' +
  'x-goog-upload-status, x-goog-upload-url, x-guploader-uploadid, x-http-status-code-override'

function allowOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin !== undefined)
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED)
    done()
  })
  app.options('*', { config: { isOpen: true } }, (request, reply) => {
    const headers = request.headers['access-control-request-headers'] ?? 'authorization, content-type'
    return reply.code(204).headers(ALLOWED).header('access-control-allow-headers', headers).send()
  })
}

/**
 * Warns once per process, when one address forwards requests of two clients. A single forwarded client may have
 * written the header itself.
 */
function warnOfProxy(app: FastifyInstance, trustsProxy: boolean): void {
  if (trustsProxy) return
  let last: { readonly address: string; readonly client: string } | undefined
  let isTold = false
  app.addHook('onRequest', ({ headers, ip }, _reply, done) => {
    const client = isTold ? undefined : (headers['x-forwarded-for'] ?? headers.forwarded)?.toString()
    if (client !== undefined) {
      if (last?.address === ip && last.client !== client) {
        isTold = true
        app.log.warn(
          `${ip} forwards requests of several clients: limits by address count all of them as one; with a proxy in front, start with --trust-proxy`,
        )
      }
      last = { address: ip, client }
    }
    done()
  })
}

interface ObservedService {
  readonly metrics: RequestMetrics
  /** True to log each request. */
  readonly logs: boolean
  readonly connections: Connections
}

function watchRequests(app: FastifyInstance, { metrics, logs, connections }: ObservedService): void {
  app.addHook('onRequest', (request, reply, done) => {
    connections.begin(request, reply, 'short')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    connections.end(request)
    const { method, routeOptions } = request
    const route = routeOptions.url ?? 'unknown'
    metrics.count({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (logs) request.log.info(logLine(request, reply))
    done()
  })
}

/** Logs the route, because URLs contain upload ids and tokens. */
function logLine({ id, method, routeOptions, caller }: FastifyRequest, reply: FastifyReply) {
  const ms = Math.round(reply.elapsedTime * 100) / 100
  const route = routeOptions.url ?? 'unknown'
  // 0: without an account, whatever link opened it
  const user = caller !== undefined && isGuest(caller) ? GUEST.user : caller?.user
  return { reqId: id, method, route, status: reply.statusCode, ms, user }
}

/** THE TABLE of handlers: one for each operation of the API, as the files of the resources have them. */
const HANDLERS: Handlers = {
  ...LISTS,
  'about.get': getAbout,
  ...APPS,
  ...CHANGES,
  ...CHANNELS,
  ...CHILDREN,
  ...COMMENTS,
  ...DRIVES,
  ...FILES,
  ...LABELS,
  ...PERMISSIONS,
  ...PROPERTIES,
  ...REVISIONS,
}
