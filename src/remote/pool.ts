/** Pool of connections to one service.  [network] */
import type { Dispatcher } from 'undici'
import type { RemoteOptions } from './options.ts'

export type PoolOptions = Pick<RemoteOptions, 'url' | 'concurrency' | 'timeout' | 'connectTimeout'>

/** Honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export async function openPool({
  url,
  concurrency,
  timeout,
  connectTimeout,
}: PoolOptions): Promise<Dispatcher> {
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

/** First value of a header that may be repeated. */
export function firstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
