/** Pool of connections to one service.  [network] */
import type { Dispatcher } from 'undici'
import { openDispatcher } from '../io/dispatcher.ts'
import type { RemoteOptions } from './options.ts'

type PoolOptions = Pick<RemoteOptions, 'concurrency' | 'timeout' | 'connectTimeout'> & {
  /** Maximum bytes of an answer; undefined for any number. */
  readonly maxReply?: number
}

export function openPool({
  concurrency,
  timeout,
  connectTimeout,
  maxReply = -1,
}: PoolOptions): Promise<Dispatcher> {
  return openDispatcher({
    connections: concurrency,
    keepAliveTimeout: 10_000,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: maxReply,
    connectTimeout,
  })
}

/** First value of a header that may be repeated. */
export function firstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
