/** Signed requests to a bucket: bounded in time, and sent again where nobody answered (docs/adr/shared-store.md#contents-in-a-bucket).  [network] */
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { sign } from 'aws4'
import type { Dispatcher } from 'undici'
import { HlaError, errorMessage } from '../../../../errors.ts'
import { isStorageFailure } from '../../../contract/failure.ts'
import { contentsOutOfReach } from '../../writer/not-writing.ts'
import type { BucketAddress, BucketKeys } from './bucket-address.ts'

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Without the prefix; undefined: the bucket itself. */
  readonly object?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** A new one for each attempt. */
  readonly body?: { readonly sha256: string; readonly length: number; readonly open: () => Readable | Buffer }
  /** Answers that are told, besides those of success. */
  readonly told?: readonly number[]
  /** What is sent again might be done after what comes then. */
  readonly isOnce?: boolean
}

export interface BucketAnswer {
  readonly status: number
  readonly header: (name: string) => string | undefined
  /** To be read or dropped. */
  readonly body: Dispatcher.ResponseData['body']
}

export interface Bucket {
  readonly address: BucketAddress
  /** @throws {StorageFailure} 503 — there is no good answer, however often it is asked for */
  readonly send: (asked: BucketRequest) => Promise<BucketAnswer>
  readonly close: () => Promise<void>
}

/** Connections at most, each of one request: those of downloads are held for as long as somebody reads slowly, and keep nobody else waiting. */
const CONNECTIONS = 64
const DOWNLOADS = 256
/** ms that a download waits for others to end. */
const PATIENCE = 5000
/** ms */
const TO_CONNECT = 3000
const TO_ANSWER = 9000
/** ms for all attempts of a request together: with `PATIENCE`, who asks is told within 15 s. */
const BUDGET = 9000
/** ms for which a bucket that did not answer is not asked again. */
const AWAY = 2000
/** ms before each further attempt: what is restarted is there again, and nobody waits longer than clients do. */
const PAUSES = [100, 400, 1500, 4000]
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** @throws {HlaError} io — the packages for it were not installed */
export async function openBucket(address: BucketAddress, keys: () => BucketKeys): Promise<Bucket> {
  const { Pool } = await import('undici')
  const signer = await loadSigner()
  const ca = address.authority
  const options = {
    headersTimeout: TO_ANSWER,
    bodyTimeout: TO_ANSWER,
    connect: { timeout: TO_CONNECT, ...(ca === undefined ? {} : { ca: await withUsual(ca) }) },
  }
  const pool = new Pool(address.origin, { ...options, connections: CONNECTIONS })
  const downloads = new Pool(address.origin, { ...options, connections: DOWNLOADS })
  const places = downloadPlaces(DOWNLOADS, PATIENCE)
  const download = async (made: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> => {
    const leave = await places.enter()
    try {
      const answer = await downloads.request(made)
      answer.body.once('close', leave)
      return answer
    } catch (error) {
      leave()
      throw error
    }
  }
  const attempt = (asked: BucketRequest) => {
    const made = signed(asked, { address, keys: keys(), signer })
    // contents and pieces: what else is read is short
    const isDownload = asked.headers?.['range'] !== undefined
    return () => (isDownload ? download(made) : pool.request(made))
  }
  return {
    address,
    send: whileThere((asked) => insisting(asked, address, attempt)),
    async close() {
      await Promise.all([pool.destroy(), downloads.destroy()])
    },
  }
}

/** So many at once; who comes then waits so many ms for one to end. */
export function downloadPlaces(most: number, patience: number) {
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
  const place = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(go)
        reject(contentsOutOfReach(new Error(`${most} downloads are under way, and none has ended`)))
      }, patience)
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(go)
    })
  return {
    /** @returns what is called at the end, however often. @throws {StorageFailure} 503 */
    async enter(): Promise<() => void> {
      if (taken < most) taken += 1
      else await place()
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
    // an older module: its names are in the default
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

interface Signing {
  readonly address: BucketAddress
  readonly keys: BucketKeys
  readonly signer: Signer
}

function signed(asked: BucketRequest, { address, keys, signer }: Signing): Dispatcher.RequestOptions {
  const { method, body } = asked
  const { host, region } = address
  const path = pathOf(asked, address)
  const headers = {
    ...asked.headers,
    'x-amz-content-sha256': body?.sha256 ?? EMPTY,
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  }
  const made = signer({ service: 's3', region, host, method, path, headers }, { ...keys })
  // what it adds: the date, the host, the signature
  const added = made.headers as Record<string, string>
  return { method, path, headers: added, body: body?.open() ?? null }
}

function pathOf({ object, query }: BucketRequest, { path, prefix }: BucketAddress): string {
  const place = object === undefined ? path || '/' : `${path}/${prefix}${object}`
  const words = Object.entries(query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  return words.length === 0 ? place : `${place}?${words.join('&')}`
}

/** After a request without an answer the next is refused at once, but for one that looks whether the bucket is there again. */
function whileThere(send: Bucket['send']): Bucket['send'] {
  let away: { readonly why: unknown; until: number } | undefined
  return async (asked) => {
    if (away !== undefined) {
      if (performance.now() < away.until) throw contentsOutOfReach(away.why)
      away.until = performance.now() + BUDGET
    }
    try {
      const answer = await send(asked)
      away = undefined
      return answer
    } catch (error) {
      const isAway = isStorageFailure(error) && error.cause instanceof Unanswered
      away = isAway ? { why: error.cause, until: performance.now() + AWAY } : undefined
      throw error
    }
  }
}

/** Nothing was answered. A connection that is refused is told quickly, and asked for again: the bucket may be starting. */
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
  attempt: (asked: BucketRequest) => () => Promise<Dispatcher.ResponseData>,
): Promise<BucketAnswer> {
  let why: unknown
  let spent = 0
  for (const pause of asked.isOnce === true ? [0] : [0, ...PAUSES]) {
    spent += pause
    if (spent > BUDGET) break
    if (pause > 0) await sleep(pause)
    const send = attempt(asked)
    const began = performance.now()
    try {
      const { statusCode: status, headers, body } = await send()
      if (status < 300 || asked.told?.includes(status) === true)
        return { status, body, header: (name) => headers[name]?.toString() }
      why = new Error(`${address.name} answered ${status}: ${await said(body)}`)
      if (!PASSING.has(status)) break
    } catch (error) {
      // too many at once: who has waited need not wait again
      if (isStorageFailure(error)) throw error
      // a body that was cut on its way took long because it is long
      if (asked.body === undefined || isSilence(error)) spent += performance.now() - began
      why = isSilence(error)
        ? new Unanswered(`${address.name} does not answer: ${errorMessage(error)}`, { cause: error })
        : error
    }
  }
  throw contentsOutOfReach(why)
}

/** What a refusal says, for the log of the operator. */
async function said(body: Dispatcher.ResponseData['body']): Promise<string> {
  try {
    const text = await body.text()
    const [, code, message] = /<Code>([^<]*)<\/Code>(?:[^<]*<Message>([^<]*)<\/Message>)?/.exec(text) ?? []
    return code === undefined ? text.slice(0, 200) : `${code} ${message ?? ''}`.trim()
  } catch (error) {
    return errorMessage(error)
  }
}
