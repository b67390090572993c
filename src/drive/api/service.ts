/** The file storage service: the operations of the interface behind Fastify.  [network] */
import type { FastifyInstance, FastifyServerOptions, LogController } from 'fastify'
import { type Connections, headChecks, LEAST_OF_CONTENT, watchConnections } from '../../web/connections.ts'
import { showCertificate } from '../../web/certificate.ts'
import { drainable, type DrainTimes } from '../../web/drain.ts'
import { makeLogger } from '../../web/log.ts'
import { addPages } from '../../web/pages.ts'
import { isProxy } from '../../web/proxies.ts'
import { requestIds } from '../../web/request-ids.ts'
import { requestMetrics } from '../../web/request-metrics.ts'
import { tokenBuckets } from '../../web/token-buckets.ts'
import { sendTogether } from '../../web/send-together.ts'
import { wholeBody } from '../../web/whole-body.ts'
import { forgetUsers } from '../domain/accounts/user-view.ts'
import { readLimits } from '../domain/limits.ts'
import { rateLimitExceeded, requestTimeout } from '../contract/failure.ts'
import type { Store } from '../persistence/store.ts'
import { startDeliverer } from '../delivery/deliverer.ts'
import { openConversions } from './conversion/conversions.ts'
import { addTypings } from './conversion/typings.ts'
import { type Administered, administer } from './administration.ts'
import { addAdministration } from './admin/routes.ts'
import { watchReach } from '../persistence/reach.ts'
import { type Authenticator, authenticator, type Rate } from './requests/authenticate.ts'
import type { DriveContext } from './requests/call.ts'
import { addBatch } from './requests/batch.ts'
import { answerClientError } from './requests/client-error.ts'
import { allowOrigins } from './requests/cors.ts'
import { addDiscovery } from './open/discovery.ts'
import { addOperations } from './dispatch.ts'
import { answerExpectations } from './requests/expectations.ts'
import { expireRights } from './operations/expiry.ts'
import { answerError, answerFailures, failureBody } from './answers/failures.ts'
import { HANDLERS } from './handlers.ts'
import { lightLists } from './lists/light-lists.ts'
import { startListers } from './lists/listers.ts'
import { addHealth } from './open/health.ts'
import { followOthers } from './requests/follow-others.ts'
import { warnOfProxy } from './requests/proxy-warning.ts'
import { addIcons } from './open/icons.ts'
import { guestFor } from './requests/guest.ts'
import { overrideMethod, readFormQueries } from './requests/method-override.ts'
import { defaultOptions, type DriveOptions } from './options.ts'
import { PAGES } from './open/pages.ts'
import { pageFor } from './open/page-for.ts'
import { addPublic } from './open/public.ts'
import { addTokens } from './open/tokens.ts'
import { addRules } from './rules/rules.ts'
import { addSignIn } from './sign-in/routes.ts'
import { addUploads } from './upload/routes.ts'
import { underWay } from './upload/under-way.ts'
import { watchRequests } from './requests/watch.ts'

export interface DriveService {
  readonly app: FastifyInstance
  /** For the operator. @throws as the command does */
  readonly administer: (asked: Administered) => Promise<unknown>
  /** From now on; without one, none is shown. */
  showCertificate(tls: DriveOptions['tls']): void
  /** Nobody new is let in; what is under way is answered. */
  drain(times: DrainTimes): Promise<void>
}

type Helpers = Pick<DriveContext, 'lightLists' | 'underWay' | 'conversions' | 'listers' | 'expiry'>

/** What operations are helped by, and what is known of requests under way. */
function helpersFor(app: FastifyInstance, store: Store, options: DriveOptions): Helpers {
  const conversions = openConversions(store, options.tables)
  app.addHook('onClose', () => conversions.close())
  return {
    lightLists: lightLists(),
    underWay: underWay(),
    conversions,
    listers: openListers(app, store, options),
    expiry: expireRights(app, store),
  }
}

/** Fastify is loaded with the first: administration needs none. */
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
  const { isDraining, isLast, drain } = drainable(() => app)
  answerFailures(app)
  const connections = watchBodies(app, options)
  watchRequests(app, { metrics, logs: options.log.access, connections })
  warnOfProxy(app, options.trustsProxy)
  sendTogether(app, isLast)
  allowOrigins(app)
  readFormQueries(app, options.maxBody)
  // what one server counts the others do not know: each lets in its share
  const rate = () => options.rateLimit / (store.sharing?.servers() ?? 1)
  const callers = authenticator(store.read, options.tokenInQuery, rate)
  const onChange = () => {
    callers.forget()
    forgetUsers(store.read)
    deliverer.wake()
  }
  if (store.sharing !== undefined) followOthers(app, store.sharing, { ...options, onChange })
  authenticateAll(app, { callers, rate, store })
  const drive: DriveContext = { store, options, deliverer, callers, ...helpersFor(app, store, options) }
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
    administer: (asked) => administer(drive, asked),
    drain,
    showCertificate: (tls) => showCertificate(app.server, tls),
  }
}

/** What the interface of files does not have. */
function addOwnRequests(app: FastifyInstance, drive: DriveContext): void {
  addPublic(app, drive)
  addTokens(app, drive)
  addSignIn(app, drive)
  addAdministration(app, drive)
  addRules(app, drive)
  addTypings(app, drive)
}

function watchBodies(app: FastifyInstance, { headersTimeout, idleTimeout, tls }: DriveOptions): Connections {
  const patience = { requestTimeout: headersTimeout, idleTimeout, leastRead: LEAST_OF_CONTENT }
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
    // contents take as long as they move
    requestTimeout: 0,
    connectionsCheckingInterval: headChecks(headersTimeout),
  }
  return {
    ...(options.tls === undefined ? { http } : { https: { ...http, ...options.tls } }),
    logger: makeLogger(options.log),
    // a child for every request costs more than naming the request in the few lines that are written
    childLoggerFactory: (logger) => logger,
    genReqId: requestIds(),
    logController,
    bodyLimit: options.maxBody,
    connectionTimeout: options.idleTimeout,
    keepAliveTimeout: options.idleTimeout,
    trustProxy: options.trustsProxy ? isProxy : false,
    return503OnClosing: false,
    requestIdHeader: false,
    // what is longer than an id names nothing, as a short one does
    routerOptions: { maxParamLength: maxHeaders },
    rewriteUrl: overrideMethod,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      // before any route and hook
      answerError(error, request, reply)
    },
  }
}

interface Door extends Pick<DriveContext, 'store'> {
  readonly callers: Authenticator
  readonly rate: Rate
}

/** Before anything of a body is read; unknown addresses are unknown to everybody. */
function authenticateAll(app: FastifyInstance, { callers, rate, store }: Door): void {
  const mayAsk = rate() === 0 ? undefined : tokenBuckets(rate)
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && request.routeOptions.config.isOpen !== true) {
      const guest = callers.hasToken(request) ? undefined : guestFor(store.read, request)
      const page = guest === undefined ? pageFor(request, callers) : undefined
      if (page !== undefined) return void reply.redirect(page)
      const caller = guest ?? callers.callerOf(request)
      if (mayAsk?.(guest === undefined ? caller.user : request.ip) === false) throw rateLimitExceeded()
      request.caller = caller
    }
    done()
  })
}

/** Operations read them themselves, whatever type they are said to be of. */
function takeBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    wholeBody((bytes) => bytes),
  )
}
