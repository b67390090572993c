/** Sends requests to a file store, with retries.  [network] */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { makeAttempts, type AttemptFailure } from '../../remote/attempts.ts'
import { isFailure, isUnreachable, isTemporary, describeFailure } from '../../remote/temporary-errors.ts'
import { openPool, firstValue } from '../../remote/pool.ts'
import { tryParseJson } from '../../remote/served-version.ts'
import { readReason, refusal } from './failure.ts'
import type { DriveOptions } from './options.ts'

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface DriveRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the address of the store; begins with `/`. */
  readonly path: string
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
  /** Body, sent as JSON. */
  readonly json?: unknown
  /** Creates the body for each attempt. */
  readonly body?: () => Buffer | Readable
  /** Statuses accepted as answers, besides success. */
  readonly answers?: readonly number[]
  /** Attempts after the first; default is that of the connection. */
  readonly retries?: number
  /** Time limit for an answer, in ms; default is that of the connection. */
  readonly patience?: number
}

export interface DriveReply {
  readonly status: number
  readonly header: (name: string) => string | undefined
  /** Body parsed as JSON; undefined for any other body. */
  readonly body: unknown
  readonly retryAfter: string | undefined
}

/** Reply whose body the caller reads. */
export interface OpenReply extends Omit<DriveReply, 'body'> {
  readonly bytes: AsyncIterable<Buffer>
}

export interface DriveConnection {
  /** Address without a trailing slash. */
  readonly url: string
  /** @throws {HlaError} remote — unreachable, or every attempt failed; not-found, io — refused */
  readonly send: (request: DriveRequest) => Promise<DriveReply>
  /** @throws as `send`, until the body begins */
  readonly open: (request: DriveRequest) => Promise<OpenReply>
  /** Ids of new files that were not used yet, and how many the next request asks for. */
  readonly spareIds: { readonly list: string[]; next: number }
  /** Describes a temporary error while reading a body; undefined for a permanent one. */
  readonly passing: (error: unknown) => string | undefined
  readonly close: () => Promise<void>
}

/** Maximum connections in use at once: the transfers of a sync, and a few requests beside them. */
const MAX_CONNECTIONS = 12

export async function openConnection(options: DriveOptions): Promise<DriveConnection> {
  const { url, timeout } = options
  const pool = await openPool({ ...options, concurrency: MAX_CONNECTIONS })
  const attempts = makeAttempts({ ...options, deadline: 0 })
  const asking = { pool, options }
  return {
    url,
    async send(request) {
      const reply = await attempts(() => attempt(asking, request, read), request.retries)
      return accepted(url, request, reply)
    },
    async open(request) {
      const reply = await attempts(() => attempt(asking, request, unread), request.retries)
      if (isAnswer(reply.status, request)) return { ...reply, bytes: reply.raw }
      throw refusal(url, reply.status, await reply.raw.text(), reply.header(CHALLENGE))
    },
    spareIds: { list: [], next: 1 },
    passing: (error) => (isTemporary(error) ? describeFailure(error, timeout) : undefined),
    close: () => pool.destroy(),
  }
}

const CHALLENGE = 'www-authenticate'

interface Asking {
  readonly pool: Dispatcher
  readonly options: DriveOptions
}

interface Got extends Omit<DriveReply, 'body'> {
  readonly raw: Dispatcher.ResponseData['body']
}

async function attempt<Reply>(
  { pool, options }: Asking,
  request: DriveRequest,
  take: (got: Got) => Promise<Reply> | Reply,
): Promise<Reply | AttemptFailure> {
  const { url, timeout, token } = options
  const { method, path, query = {}, json, body, headers, patience = timeout } = request
  const { origin, pathname } = new URL(url)
  const bearer = typeof token === 'function' ? await token() : token
  try {
    const reply = await pool.request({
      origin,
      path: `${pathname.replace(/\/$/, '')}${path}${queryText(path, query)}`,
      method,
      body: json === undefined ? (body?.() ?? null) : JSON.stringify(json),
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      headersTimeout: patience,
    })
    return await take(gotten(reply))
  } catch (error) {
    const prevented = { reason: describeFailure(error, timeout), cause: error, isAway: isUnreachable(error) }
    return isTemporary(error) ? prevented : { ...prevented, final: true }
  }
}

function gotten({ statusCode, headers, body }: Dispatcher.ResponseData): Got {
  const header = (name: string) => firstValue((headers as IncomingHttpHeaders)[name])
  return { status: statusCode, header, retryAfter: header('retry-after'), raw: body }
}

interface ReadReply extends DriveReply {
  readonly text: string
  readonly said: string | undefined
}

async function read({ raw, ...reply }: Got): Promise<ReadReply> {
  const text = await raw.text()
  return {
    ...reply,
    text,
    body: tryParseJson(text),
    said: isFailure(reply.status) ? readReason(text) : undefined,
  }
}

/** Discards the body of a failure that is retried, since it would hold its connection. */
async function unread(got: Got): Promise<Got> {
  if (got.status >= 500 || got.status === 429) await got.raw.dump()
  return got
}

/** Query to append; paths from a store may already contain one. */
function queryText(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  const text = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  ).toString()
  return `${path.includes('?') ? '&' : '?'}${text}`
}

function accepted(
  url: string,
  request: DriveRequest,
  reply: DriveReply & { readonly text: string },
): DriveReply {
  if (isAnswer(reply.status, request)) return reply
  throw refusal(url, reply.status, reply.text, reply.header(CHALLENGE))
}

function isAnswer(status: number, { answers = [] }: DriveRequest): boolean {
  return (status >= 200 && status < 300) || answers.includes(status)
}
