/** Connections to other machines, directly or through a proxy, which HTTP_PROXY, HTTPS_PROXY and NO_PROXY name as for curl.  [network] */
import type { buildConnector, Dispatcher, Pool } from 'undici'
import { HlaError } from '../errors.ts'

export interface DispatcherSettings extends Pool.Options {
  /** Time limit for a connection, in ms. */
  readonly connectTimeout: number
}

/** @throws {HlaError} usage — a variable that names no proxy */
export async function openDispatcher({ connectTimeout, ...given }: DispatcherSettings): Promise<Dispatcher> {
  const { EnvHttpProxyAgent, Pool } = await import('undici')
  const connect = { timeout: connectTimeout }
  const settings = { ...given, connect }
  const httpProxy = proxyOf('HTTP_PROXY')
  const httpsProxy = proxyOf('HTTPS_PROXY')
  const proxies = [httpProxy, httpsProxy].filter((proxy) => proxy !== '')
  const toProxy = (proxy: string | URL, { connect: reach }: ProxyConnection) =>
    new Pool(proxy, { ...settings, connect: namingProxy(String(proxy), reach) })
  return new EnvHttpProxyAgent({
    ...settings,
    httpProxy,
    httpsProxy,
    // only what is encrypted needs a tunnel, and many proxies refuse one to port 80
    proxyTunnel: false,
    proxyTls: connect,
    requestTls: connect,
    clientFactory: (proxy, options) => toProxy(proxy, options as ProxyConnection),
    factory: (origin, options) =>
      proxies.includes(String(origin))
        ? toProxy(origin, options as ProxyConnection)
        : new Pool(origin, { ...settings, ...(options as Pool.Options) }),
  })
}

/** Options with which undici opens the connections to a proxy. */
interface ProxyConnection {
  readonly connect: buildConnector.connector
}

/** A proxy that cannot be reached; `cause` says why. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  /** Address without user name and password. */
  readonly proxy: string

  constructor(proxy: string, cause: Error) {
    const { origin } = new URL(proxy)
    super(`the proxy ${origin} does not answer: ${cause.message}`, { cause })
    this.proxy = origin
  }
}

function namingProxy(proxy: string, connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...[error, socket]) =>
      error === null ? callback(null, socket) : callback(new ProxyError(proxy, error), null),
    )
  }
}

/** Address as undici writes it; empty for none. As for curl, a name with a port is enough. */
function proxyOf(variable: string): string {
  const text = (process.env[variable.toLowerCase()] ?? process.env[variable] ?? '').trim()
  if (text === '') return ''
  const address = text.includes('://') ? text : `http://${text}`
  if (URL.canParse(address) && /^(?:https?|socks5?):/.test(new URL(address).protocol))
    return new URL(address).href
  // the text may contain a password
  throw new HlaError('usage', `${variable} is not the address of a proxy`, {
    hint: `${variable}=http://proxy.example.org:3128, or NO_PROXY='*' for none`,
  })
}
