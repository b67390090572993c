/** Requests over a pool of connections, each tried until it is answered or there is no hope. [network] */
import type { Dispatcher } from 'undici'
import { HlaError } from '../errors.ts'
import type { RemoteOptions } from './options.ts'
import { attemptsFor, isFailure, isPassing, pauseBefore, reasonOf } from './passing.ts'

export interface RemoteRequest {
  readonly method: 'GET' | 'POST'
  /** Below the service's address; begins with `/`. */
  readonly path: string
  readonly body?: string
}

export interface RemoteReply {
  readonly status: number
  readonly text: string
  /** Identity of the data that answered; undefined where the service does not say. */
  readonly dataId: string | undefined
  readonly retryAfter: string | undefined
}

export interface Transport {
  /** @throws {HlaError} remote — not reached, or nothing but failures */
  readonly send: (request: RemoteRequest) => Promise<RemoteReply>
  readonly close: () => Promise<void>
}

/** Failures one after the other, whatever was asked, after which nobody is asked again. */
const CIRCUIT = 20

export async function openTransport(options: RemoteOptions): Promise<Transport> {
  const { retries, url, deadline } = options
  const pool = await openPool(options)
  const until = deadline === 0 ? Infinity : Date.now() + deadline
  let failures = 0
  async function attempts(request: RemoteRequest): Promise<RemoteReply> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOnce(pool, options, request)
      if ('status' in outcome && !isFailure(outcome.status)) {
        failures = 0
        return outcome
      }
      failures += 1
      const most =
        'status' in outcome ? attemptsFor(outcome.status, retries + 1) : 'final' in outcome ? 1 : retries + 1
      if (attempt >= most || failures >= CIRCUIT) throw failed(url, outcome, attempt)
      const pause = pauseBefore(attempt, 'status' in outcome ? outcome.retryAfter : undefined)
      if (Date.now() + pause > until) throw late(url, deadline)
      await new Promise((over) => setTimeout(over, pause))
    }
  }
  return {
    send(request) {
      if (Date.now() > until) throw late(url, deadline)
      return attempts(request)
    },
    close: () => pool.destroy(),
  }
}

/** HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured. */
async function openPool({ url, concurrency, timeout, connectTimeout }: RemoteOptions): Promise<Dispatcher> {
  const { EnvHttpProxyAgent, Pool } = await import('undici')
  const settings = {
    connections: concurrency,
    keepAliveTimeout: 10_000,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    connect: { timeout: connectTimeout },
  }
  const isProxied = ['HTTP_PROXY', 'HTTPS_PROXY'].some(
    (name) => process.env[name] ?? process.env[name.toLowerCase()],
  )
  return isProxied ? new EnvHttpProxyAgent(settings) : new Pool(new URL(url).origin, settings)
}

/** A reply, or what prevented one; `final` when another attempt would meet it again. */
type Outcome = RemoteReply | { readonly reason: string; readonly cause: unknown; readonly final?: true }

async function attemptOnce(
  pool: Dispatcher,
  { url, timeout, headers }: RemoteOptions,
  { method, path, body }: RemoteRequest,
): Promise<Outcome> {
  const { origin, pathname } = new URL(url)
  try {
    const reply = await pool.request({
      origin,
      path: pathname.replace(/\/$/, '') + path,
      method,
      body: body ?? null,
      // the peer answers in plain text to whoever does not ask for JSON
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(timeout),
    })
    return {
      status: reply.statusCode,
      text: await reply.body.text(),
      dataId: single(reply.headers['x-hla-data']),
      retryAfter: single(reply.headers['retry-after']),
    }
  } catch (error) {
    const outcome = { reason: reasonOf(error, timeout), cause: error }
    return isPassing(error) ? outcome : { ...outcome, final: true }
  }
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function failed(url: string, outcome: Outcome, attempt: number): HlaError {
  const times = `(${attempt} attempt${attempt === 1 ? '' : 's'})`
  if ('status' in outcome)
    return new HlaError('remote', `${url} answers with status ${outcome.status} ${times}`)
  return new HlaError('remote', `cannot reach ${url}: ${outcome.reason} ${times}`, { cause: outcome.cause })
}

function late(url: string, deadline: number): HlaError {
  return new HlaError('remote', `${url} has not answered everything within ${deadline / 1000} s`)
}
