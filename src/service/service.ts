/** The HTTP service: the operations of the registry behind Fastify, as the contract has them. [network] */
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { HlaError } from '../errors.ts'
import { countLoad, headChecks, watchConnections } from '../web/connections.ts'
import { showCertificate } from '../web/certificate.ts'
import { drainable, type DrainTimes } from '../web/drain.ts'
import { makeLogger } from '../web/log.ts'
import { addPages } from '../web/pages.ts'
import { isProxy } from '../web/proxies.ts'
import { requestIds } from '../web/request-ids.ts'
import { sendTogether } from '../web/send-together.ts'
import { wholeBody } from '../web/whole-body.ts'
import type { Knowledge } from '../operations/knowledge.ts'
import { readJson } from '../operations/request.ts'
import { guard } from './requests/access.ts'
import { allowedMethods } from './requests/allowed-methods.ts'
import { addBatch } from './requests/batch.ts'
import { answerClientError } from './requests/client-error.ts'
import { type Current, makeServed } from './current.ts'
import { warmUp } from './warm-up.ts'
import { answerError, answerFailures, LATE } from './requests/failures.ts'
import { addHealth } from './health.ts'
import { makeMetrics, type Snapshot } from './metrics.ts'
import { DEFAULT_SERVICE, type ServiceOptions } from './options.ts'
import { addPeerAddress, PAGES } from './pages.ts'
import { limitRate } from './requests/rate-limit.ts'
import { refuseUnfit } from './requests/unfit.ts'
import { addOperations } from './routes.ts'
import { addTable, type TableParts } from './table/table.ts'
import { answerTable, type TableRequest } from './table/table-answer.ts'
import { tablePlaces } from './table/table-places.ts'
import { type TableThreads, tableThreads } from './table/table-threads.ts'
import { watchRequests } from './watch.ts'

export interface Service {
  readonly app: FastifyInstance
  /** Answers from the data as they are now; requests under way keep what they began with. @throws what opening throws */
  reload(): void
  /** Asks for these tokens, and shows this certificate, from now on; where none was asked for or shown, none is. */
  trust(secrets: Pick<ServiceOptions, 'tokens' | 'tls'>): void
  /** What has been counted so far. */
  snapshot(): Snapshot
  /** Nobody new is let in; what is under way is answered. */
  drain(times: DrainTimes): Promise<void>
}

export function buildService(knowledge: Knowledge, given: Partial<ServiceOptions> = {}): FastifyInstance {
  return openService(knowledge, given).app
}

export function openService(knowledge: Knowledge, given: Partial<ServiceOptions> = {}): Service {
  const options = { ...DEFAULT_SERVICE, ...given }
  const current: Current = { served: warmUp(makeServed(knowledge, options.maxAlleles)) }
  const app = fastify(serverOptions(options))
  const load = countLoad(app.server)
  const metrics = makeMetrics(options.worker, () => load.load())
  const { isDraining, isLast, isCut, drain } = drainable(() => app)
  const places = tablePlaces()
  // a child for every request costs more than naming the request in the few lines that are written
  app.log.child = () => app.log
  readAnyTypeAsJson(app)
  answerFailures(app, allowedMethods(app))
  const connections = watchConnections(
    app.server,
    { ...options, leastRead: LEAST_READ },
    options.tls !== undefined,
    () => LATE,
  )
  watchRequests(app, { current, metrics, connections, load, isCut, log: options.log })
  sendTogether(app, isLast)
  refuseUnfit(app, '/table')
  // who brings wrong tokens is counted too
  limitRate(app, options.rateLimit)
  const trust = guard(app, options)
  // routes see the hooks and handlers that are there when they are added
  const snapshot = () => metrics.snapshot(current.served, places.use())
  const gather = options.gather ?? (() => Promise.resolve([snapshot()]))
  addHealth(app, { current, gather, isDraining })
  addPages(app, 'dist/page', PAGES)
  addPeerAddress(app)
  addOperations(app, current)
  addBatch(app, { current, maxLine: options.maxBody, metrics, connections })
  const threads = openTables(app, options, { current, places, connections })
  return {
    app,
    snapshot,
    trust({ tokens, tls }) {
      if (tokens !== undefined) trust(tokens)
      showCertificate(app.server, tls)
    },
    reload() {
      if (options.reopen === undefined) return
      current.served = warmUp(makeServed(options.reopen(), options.maxAlleles))
      threads?.renew()
    },
    async drain(times) {
      await drain(times)
      connections.close()
      await threads?.close()
    },
  }
}

type TableContext = Pick<TableParts, 'places' | 'connections'> & { readonly current: Current }

function openTables(
  app: FastifyInstance,
  { tableThread, maxTable, maxTableTime }: ServiceOptions,
  { current, ...parts }: TableContext,
): TableThreads<TableRequest> | undefined {
  const threads = tableThread === undefined ? undefined : tableThreads<TableRequest>(tableThread)
  const convert = async (request: TableRequest) => {
    const { served } = current
    // data that were changed beside us are read at the next reload, by all of us
    return (await threads?.convert(request, served.dataId)) ?? answerTable(request, served)
  }
  addTable(app, { ...parts, convert, most: maxTable, time: maxTableTime })
  return threads
}

/** Bytes a second of an answer that its reader takes, as of a long body that comes. */
const LEAST_READ = 8 * 1024

/** Paths hold names and lists of them; the limit of a line in Node is 16 KiB. */
const LONGEST_PARAMETER = 16 * 1024

function serverOptions(options: ServiceOptions): FastifyServerOptions {
  const { log, maxBody, requestTimeout, idleTimeout, tls, trustsProxy } = options
  const http = {
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: headChecks(requestTimeout),
  }
  return {
    ...(tls === undefined ? { http } : { https: { ...http, ...tls } }),
    logger: makeLogger(log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBody,
    trustProxy: trustsProxy ? isProxy : false,
    // it is announced: who knows it asks no more on a connection that is about to be closed
    keepAliveTimeout: idleTimeout,
    // what comes on an open connection while we shut down is still answered
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: requestIds(),
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      // before any route and hook
      answerError(error, request, reply)
    },
  }
}

/** curl says `application/x-www-form-urlencoded` where nobody says anything: bodies are JSON, whatever they are called. */
function readAnyTypeAsJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', '*']) app.addContentTypeParser(type, wholeBody(parseJson))
}

/** Schemas refuse properties with a meaning to JavaScript as they refuse every unknown one. */
function parseJson(body: Buffer): unknown {
  try {
    return readJson(body.toString('utf8'))
  } catch (error) {
    const message =
      body.length === 0 ? 'a request is one JSON object, but the body is empty' : 'the body is not JSON'
    throw new HlaError('bad-request', message, { cause: error })
  }
}
