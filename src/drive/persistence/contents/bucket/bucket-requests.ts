/** Signed requests to a bucket, with time limits and retries (docs/adr/store.md#contents-in-a-bucket).  [network] */
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { sign } from 'aws4'
import type { Dispatcher } from 'undici'
import { HlaError, errorMessage } from '../../../../errors.ts'
import { isStorageFailure } from '../../../contract/failure.ts'
import { contentsOutOfReach } from '../../writer/not-writing.ts'
import type { BucketAddress, Environment } from './bucket-address.ts'
import { type BucketKeys, bucketKeys } from './bucket-keys.ts'

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Name without the prefix. If omitted, the request concerns the bucket itself. */
  readonly object?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** `open` is called for each attempt. */
  readonly body?: { readonly sha256: string; readonly length: number; readonly open: () => Readable | Buffer }
  /** Status codes returned to the caller, in addition to those of success. */
  readonly told?: readonly number[]
  /** Disables retries: a repeated request could take effect after a later one. */
  readonly isOnce?: boolean
}

export interface BucketAnswer {
  readonly status: number
  readonly header: (name: string) => string | undefined
  /** The caller must read or discard it. */
  readonly body: Dispatcher.ResponseData['body']
}

export interface Bucket {
  readonly address: BucketAddress
  /** @throws {StorageFailure} 503 — no acceptable answer after all attempts */
  readonly send: (asked: BucketRequest) => Promise<BucketAnswer>
  readonly close: () => Promise<void>
}

/** Maximum connections, each for one request. Downloads have their own pool, because a slow reader holds a connection for long. */
const MAX_CONNECTIONS = 64
const MAX_DOWNLOADS = 256
/** ms that a download waits for a free connection. */
const SLOT_TIMEOUT_MS = 5000
const CONNECT_TIMEOUT_MS = 3000
const ANSWER_TIMEOUT_MS = 9000
/** ms for all attempts of a request. Together with `SLOT_TIMEOUT_MS`, a caller has a result within 15 s. */
const RETRY_BUDGET_MS = 9000
/** ms for which requests are refused after the bucket failed to answer. */
const AWAY_MS = 2000
/** ms before each retry: long enough for a restart, no longer than clients wait. */
const PAUSES = [100, 400, 1500, 4000]
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Loads keys and packages with the first request, because most commands of administration send none. That request
 * throws {HlaError} usage, io without them.
 */
export function openBucket(address: BucketAddress, env: Environment): Bucket {
  let opening: ReturnType<typeof connect> | undefined
  const open = () => {
    opening ??= connect(address, env)
    // the next request tries again
    opening.catch(() => (opening = undefined))
    return opening
  }
  const send = async (asked: BucketRequest) => (await open()).send(asked)
  return {
    address,
    send: whileThere(send),
    async close() {
      const opened = await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}

async function connect(address: BucketAddress, env: Environment): Promise<Omit<Bucket, 'address'>> {
  const keys = await bucketKeys(env)
  const { Pool } = await import('undici')
  const signer = await loadSigner()
  const ca = address.authority
  const options = {
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...(ca === undefined ? {} : { ca: await withUsual(ca) }) },
  }
  const pool = new Pool(address.origin, { ...options, connections: MAX_CONNECTIONS })
  const downloads = new Pool(address.origin, { ...options, connections: MAX_DOWNLOADS })
  const slots = downloadSlots(MAX_DOWNLOADS, SLOT_TIMEOUT_MS)
  const download = async (made: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> => {
    const leave = await slots.enter()
    try {
      const answer = await downloads.request(made)
      answer.body.once('close', leave)
      return answer
    } catch (error) {
      leave()
      throw error
    }
  }
  const attempt = async (asked: BucketRequest) => {
    const made = signed(asked, address, await keys(), signer)
    // only contents and pieces have a range; other reads are short
    const isDownload = asked.headers?.['range'] !== undefined
    return () => (isDownload ? download(made) : pool.request(made))
  }
  return {
    send: (asked) => insisting(asked, address, attempt),
    async close() {
      await Promise.all([pool.destroy(), downloads.destroy()])
    },
  }
}

/** Limits concurrent downloads to `most`. Further ones wait up to `patience` ms for a free slot. */
export function downloadSlots(most: number, patience: number) {
  let taken = 0
  const waiting = new Set<() => void>()
  const giveOn = () => {
    const [next] = waiting
    if (next === undefined) taken -= 1
    else {
      waiting.delete(next)
      next()
    }
  }
  const slot = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(go)
        reject(contentsOutOfReach(new Error(`${most} downloads are running, and none finished in time`)))
      }, patience)
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(go)
    })
  return {
    /** @returns a function that frees the slot; it may be called more than once. @throws {StorageFailure} 503 */
    async enter(): Promise<() => void> {
      if (taken < most) taken += 1
      else await slot()
      let isIn = true
      return () => {
        if (isIn) giveOn()
        isIn = false
      }
    },
  }
}

type Signer = typeof sign

async function loadSigner(): Promise<Signer> {
  try {
    // a CommonJS module: its exports are in `default`
    return (await import('aws4')).default.sign
  } catch (cause) {
    throw new HlaError('io', 'contents in a bucket need the package aws4, which cannot be loaded', {
      hint: 'install hla again with its optional packages',
      cause,
    })
  }
}

async function withUsual(authority: string): Promise<string[]> {
  const { rootCertificates } = await import('node:tls')
  return [...rootCertificates, authority]
}

function signed(
  asked: BucketRequest,
  address: BucketAddress,
  keys: BucketKeys,
  signer: Signer,
): Dispatcher.RequestOptions {
  const { method, body } = asked
  const { host, region } = address
  const path = pathOf(asked, address)
  const headers = {
    ...asked.headers,
    'x-amz-content-sha256': body?.sha256 ?? EMPTY,
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  }
  const made = signer({ service: 's3', region, host, method, path, headers }, { ...keys })
  // the signer adds the date, the host and the signature
  const added = made.headers as Record<string, string>
  return { method, path, headers: added, body: body?.open() ?? null }
}

function pathOf({ object, query }: BucketRequest, { path, prefix }: BucketAddress): string {
  const target = object === undefined ? path || '/' : `${path}/${prefix}${object}`
  const words = Object.entries(query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  return words.length === 0 ? target : `${target}?${words.join('&')}`
}

/** After an unanswered request, further requests are refused at once. One probe is let through after `AWAY_MS`. */
function whileThere(send: Bucket['send']): Bucket['send'] {
  let away: { readonly why: unknown; until: number } | undefined
  return async (asked) => {
    if (away !== undefined) {
      if (performance.now() < away.until) throw contentsOutOfReach(away.why)
      away.until = performance.now() + RETRY_BUDGET_MS
    }
    try {
      const answer = await send(asked)
      away = undefined
      return answer
    } catch (error) {
      const isAway = isStorageFailure(error) && error.cause instanceof Unanswered
      away = isAway ? { why: error.cause, until: performance.now() + AWAY_MS } : undefined
      throw error
    }
  }
}

/**
 * The bucket did not answer in time. A refused connection does not count: it fails fast and is retried, because the
 * bucket may be starting.
 */
class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && SILENCE.has(error.code)
}

const SILENCE: ReadonlySet<unknown> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'])

async function insisting(
  asked: BucketRequest,
  address: BucketAddress,
  attempt: (asked: BucketRequest) => Promise<() => Promise<Dispatcher.ResponseData>>,
): Promise<BucketAnswer> {
  let why: unknown
  let spent = 0
  for (const pause of asked.isOnce === true ? [0] : [0, ...PAUSES]) {
    spent += pause
    if (spent > RETRY_BUDGET_MS) break
    if (pause > 0) await sleep(pause)
    const send = await attempt(asked)
    const began = performance.now()
    try {
      const { statusCode: status, headers, body } = await send()
      if (status < 300 || asked.told?.includes(status) === true)
        return { status, body, header: (name) => headers[name]?.toString() }
      why = new Error(`${address.name} answered ${status}: ${await said(body)}`)
      if (!PASSING.has(status)) break
    } catch (error) {
      // no free download connection: the request has waited already
      if (isStorageFailure(error)) throw error
      // an interrupted body took long because it is long, so its time does not count
      if (asked.body === undefined || isSilence(error)) spent += performance.now() - began
      why = isSilence(error)
        ? new Unanswered(`${address.name} does not answer: ${errorMessage(error)}`, { cause: error })
        : error
    }
  }
  throw contentsOutOfReach(why)
}

/** Extracts code and message of a refusal for the operator's log. */
async function said(body: Dispatcher.ResponseData['body']): Promise<string> {
  try {
    const text = await body.text()
    const [, code, message] = /<Code>([^<]*)<\/Code>(?:[^<]*<Message>([^<]*)<\/Message>)?/.exec(text) ?? []
    return code === undefined ? text.slice(0, 200) : `${code} ${message ?? ''}`.trim()
  } catch (error) {
    return errorMessage(error)
  }
}
