/** HTTP service: the operations of the registry behind Fastify, following the contract.  [network] */
import { fastify, type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { HlaError } from '../errors.ts'
import { countLoad, headChecks, watchConnections, answerUnreadable } from '../web/connections.ts'
import { showCertificate, isProxy } from '../web/listen.ts'
import { type DrainTimes, drainServer } from '../web/drain.ts'
import { makeLogger, requestIds } from '../web/log.ts'
import { type PageFiles, addPages } from '../web/pages.ts'
import { coalesceAnswers } from '../web/coalesce-answers.ts'
import { wholeBody } from '../web/whole-body.ts'
import type { Knowledge } from '../operations/knowledge.ts'
import { readJson } from '../operations/request.ts'
import { guard, readTokens } from './requests/access.ts'
import { allowedMethods } from './requests/allowed-methods.ts'
import { addBatch } from './requests/batch.ts'
import { type Current, type ServedData, makeServed } from './current.ts'
import { LATE_REQUEST, answerError, answerFailures } from './requests/failures.ts'
import { type Snapshot, makeMetrics, metricsText } from './metrics.ts'
import { DEFAULT_SERVICE, type ServiceOptions } from './options.ts'
import { addOperations } from './routes.ts'
import { type TableParts, addTable } from './table/table.ts'
import { type TableAnswer, type TableRequest, answerTable } from './table/table-answer.ts'
import { MAX_TABLES } from './table/table-share.ts'
import { tablePlaces } from './table/table-places.ts'
import { openLargeQuestions } from './questions/large-questions.ts'
import { startThreads } from './threads/threads.ts'
import { type RunStep, takeTurns } from './requests/turns.ts'
import { type ObservedRequests, watchRequests } from './watch.ts'
import { openApi } from './openapi/openapi.ts'
import { EXAMPLES } from './openapi/openapi-examples.ts'
import { shareLoop } from '../web/share.ts'
import { tokenBuckets } from '../web/token-buckets.ts'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

export interface Service {
  readonly app: FastifyInstance
  /** Reopens the data. Requests in progress keep the old ones. @throws as opening does */
  reload(): void
  /** Replaces tokens and certificate; has no effect where the service was started without. */
  trust(secrets: Pick<ServiceOptions, 'tokens' | 'tls'>): void
  /** Counters so far. */
  snapshot(): Snapshot
  /** Stops accepting connections, and completes requests in progress. */
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
  const { isDraining, isLast, isCut, drain } = drainServer(() => app)
  const places = tablePlaces()
  // a child logger per request costs more than adding the id to the few lines written
  app.log.child = () => app.log
  answerFailures(app, allowedMethods(app))
  const connections = watchConnections(
    app.server,
    { ...options, leastRead: MIN_READ_RATE },
    options.tls !== undefined,
    () => LATE_REQUEST,
  )
  const hooks = addHooks(app, options, { current, metrics, load, connections, isCut, isLast })
  // routes see only hooks and handlers added before them
  const snapshot = () => metrics.snapshot(current.served, places.use())
  const gather = options.gather ?? (() => Promise.resolve([snapshot()]))
  addHealth(app, { current, gather, isDraining })
  addPages(app, 'dist/page', PAGES)
  addPeerAddress(app)
  const large = options.thread === undefined ? undefined : openLargeQuestions(options.thread)
  const answering = { ...hooks, current, large }
  addOperations(app, answering)
  addBatch(app, { ...answering, maxLine: options.maxBody, metrics, connections })
  const tables = openTables(app, options, { current, places, connections })
  const threads = [large, tables].filter((one) => one !== undefined)
  return {
    app,
    snapshot,
    trust({ tokens, tls }) {
      if (tokens !== undefined) hooks.trust(tokens)
      showCertificate(app.server, tls)
    },
    reload() {
      if (options.reopen === undefined) return
      current.served = warmUp(makeServed(options.reopen(), options.maxAlleles))
      for (const one of threads) one.renew()
    },
    async drain(times) {
      await drain(times)
      connections.close()
      await Promise.all(threads.map((one) => one.close()))
    },
  }
}

interface HookContext extends Omit<ObservedRequests, 'log'> {
  readonly isLast: () => boolean
}

/** Adds the hooks of all requests, in their order. */
function addHooks(app: FastifyInstance, options: ServiceOptions, { isLast, ...observed }: HookContext) {
  const { connections } = observed
  watchRequests(app, { ...observed, log: options.log })
  const trust = readTokens(app, options)
  const share = shareLoop()
  readAnyTypeAsJson(app, takeTurns(app, share, options))
  // the time in which a request waited is not its client's
  app.addHook('onRequest', (request, reply, done) => {
    connections.begin(request, reply, 'short')
    done()
  })
  coalesceAnswers(app, isLast)
  refuseUnfit(app, '/table')
  // before the token check, so that wrong tokens count too
  const countLines = limitRate(app, options.rateLimit)
  guard(app, options)
  return { trust, share, countLines }
}

type TableContext = Pick<TableParts, 'places' | 'connections'> & { readonly current: Current }

function openTables(
  app: FastifyInstance,
  { thread, maxTable, maxTableTime }: ServiceOptions,
  { current, ...parts }: TableContext,
) {
  const threads =
    thread === undefined ? undefined : startThreads<TableRequest, TableAnswer>(thread, 'table', MAX_TABLES)
  const convert = async (request: TableRequest) => {
    const { served } = current
    // undefined when the thread has newer data, which this process uses only after its next reload
    return (await threads?.ask(request, served.dataId)) ?? answerTable(request, served)
  }
  addTable(app, { ...parts, convert, most: maxTable, time: maxTableTime })
  return threads
}

/** Minimum rate in bytes per second at which a client must read an answer; the same as for sending a body. */
const MIN_READ_RATE = 8 * 1024

/** Maximum length of a path parameter, which may hold a list of names; a line in Node is limited to 16 KiB. */
const MAX_PARAMETER_LENGTH = 16 * 1024

function serverOptions(options: ServiceOptions): FastifyServerOptions {
  const { log, maxBody, requestTimeout, idleTimeout, tls, trustsProxy } = options
  const http = {
    headersTimeout: requestTimeout,
    // bodies are watched below; Node refuses a limit shorter than that of headers
    requestTimeout: 0,
    connectionsCheckingInterval: headChecks(requestTimeout),
  }
  return {
    ...(tls === undefined ? { http } : { https: { ...http, ...tls } }),
    logger: makeLogger(log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBody,
    trustProxy: trustsProxy ? isProxy : false,
    // the timeout is announced, so clients do not send on a connection about to close
    keepAliveTimeout: idleTimeout,
    // requests on open connections are still answered during shutdown
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: requestIds(),
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      // error before any route or hook
      answerError(error, request, reply)
    },
  }
}

/** Parses every body as JSON, whatever its type: curl sends `application/x-www-form-urlencoded` by default. */
function readAnyTypeAsJson(app: FastifyInstance, runStep: RunStep): void {
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', '*']) app.addContentTypeParser(type, wholeBody(parseJson, runStep))
}

/** Parses JSON. Properties such as `__proto__` are kept, so schemas refuse them like any unknown property. */
function parseJson(body: Buffer): unknown {
  try {
    return readJson(body.toString('utf8'))
  } catch (error) {
    const message =
      body.length === 0 ? 'the body is empty; it must be one JSON object' : 'the body is not JSON'
    throw new HlaError('bad-request', message, { cause: error })
  }
}

interface ServiceHealth {
  readonly current: Current
  /** Gathers the counters of all processes of the service. */
  readonly gather: () => Promise<readonly Snapshot[]>
  readonly isDraining: () => boolean
}

function addHealth(app: FastifyInstance, { current, gather, isDraining }: ServiceHealth): void {
  const open = { config: { isOpen: true } }
  let description: ReturnType<typeof openApi> | undefined
  const ofMonitors = { config: { isOpen: true, isUnqueued: true } }
  app.get('/healthz', ofMonitors, (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', ofMonitors, (_request, reply) => {
    const { dataId } = current.served
    if (!isDraining()) return reply.send({ status: 'ready', data: dataId })
    return reply.code(503).send({ status: 'draining', message: 'the service is shutting down' })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(metricsText(await gather())),
  )
  app.get('/openapi.json', open, (_request, reply) => reply.send((description ??= openApi())))
}

const PAGES: PageFiles = {
  '/': ['index.html', 'text/html'],
  '/docs': ['docs.html', 'text/html'],
  '/page.css': ['page.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
  '/docs.js': ['docs.js', 'text/javascript'],
}

/** Redirects the page address of py-ard services. Relative, for a proxy that serves this under a subpath. */
function addPeerAddress(app: FastifyInstance): void {
  app.get('/ui', { config: { isOpen: true } }, (_request, reply) => reply.redirect('./'))
  app.get('/ui/', { config: { isOpen: true } }, (_request, reply) => reply.redirect('../'))
}

/** Runs each example once, whatever the result. */
function warmUp(served: ServedData): ServedData {
  for (const [operation, { input }] of EXAMPLES) {
    try {
      served.executor.execute(operation, input)
    } catch {
      // errors are irrelevant here: requests get them again
    }
  }
  return served
}

/**
 * Limits the requests of an address. Returns a function for the lines of a batch: it is admitted like any request,
 * whatever its size, and its caller then waits until the lines are paid off at the rate.
 */
function limitRate(app: FastifyInstance, perSecond: number): (address: string, lines: number) => void {
  if (perSecond === 0) return () => undefined
  const { take, owe, wait } = tokenBuckets(perSecond)
  app.addHook('onRequest', ({ ip, routeOptions }, reply, done) => {
    if (routeOptions.config.isOpen || take(ip)) return done()
    return reply
      .code(429)
      .header('retry-after', String(Math.ceil(wait(ip))))
      .send({
        message: `more than ${perSecond} requests or lines of batches a second`,
        code: 'too-many-requests',
      })
  })
  return owe
}

/** Compressions that a table may have as `Content-Encoding`; the bytes themselves say which one it is. */
const UNPACKED: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'zstd'])

/** `unpacks` is the path that accepts compressed bodies. */
function refuseUnfit(app: FastifyInstance, unpacks: string): void {
  app.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    if (countHosts(raw.rawHeaders) > 1)
      return reply
        .code(400)
        .send({ message: 'a request must have exactly one Host header', code: 'bad-request' })
    const encoding = raw.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity') return done()
    const isTable = routeOptions.url === unpacks
    if (isTable && UNPACKED.has(encoding.toLowerCase())) return done()
    const message = isTable
      ? `send the table as it is, or compressed by one of ${[...UNPACKED].join(', ')}`
      : `send the body as it is, without Content-Encoding; POST ${unpacks} takes compressed tables`
    return reply
      .code(415)
      .header('accept-encoding', isTable ? [...UNPACKED].join(', ') : 'identity')
      .send({ message, code: 'bad-request' })
  })
}

/** `headers` holds names and values alternately. */
function countHosts(headers: readonly string[]): number {
  let count = 0
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.length === HOST.length && headers[at]?.toLowerCase() === HOST) count += 1
  return count
}

const HOST = 'host'

type Refusal = readonly [status: number, body: unknown]

const ANSWERS: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['HPE_HEADER_OVERFLOW', [431, { message: 'the headers are too long', code: 'bad-request' }]],
  ['ERR_HTTP_REQUEST_TIMEOUT', LATE_REQUEST],
])
const NO_REQUEST: Refusal = [400, { message: 'not an HTTP request', code: 'bad-request' }]

/** Writes the answer to the socket directly: an unparsable request has no reply object. */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') return
  const [status, record] = ANSWERS.get(error.code ?? '') ?? NO_REQUEST
  const body = JSON.stringify(record)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  answerUnreadable(socket, () => void socket.end(`${head.join('\r\n')}\r\n\r\n${body}`))
}
