/** Sends one message of a channel and reports the outcome (spec 16).  [network] */
import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import type { Delivery } from '../domain/channels/deliveries.ts'
import { type Resolve, checkedLookup, maySendTo, readHost, resolveName } from './notification-address.ts'

export type { Resolve } from './notification-address.ts'

export type DeliveryOutcome = 'done' | 'dropped' | 'again'

export interface SenderOptions {
  /** Allows addresses of this machine, including plain http. */
  readonly allowsLocal: boolean
  /** ms for one message, from name resolution to the response. */
  readonly timeout: number
  readonly perHost: number
  readonly resolve?: Resolve
}

export interface Sender {
  /** Never throws. */
  readonly send: (message: Delivery, ended: AbortSignal) => Promise<DeliveryOutcome>
  readonly close: () => Promise<void>
}

/** Uses no proxy, follows no redirects, and looks only at the status of the response. */
export async function openSender(options: SenderOptions): Promise<Sender> {
  const { Agent } = await import('undici')
  const { allowsLocal, timeout, perHost, resolve = resolveName } = options
  const agents = new Map<string, Dispatcher>()
  const agentOf = (url: URL) => {
    let agent = agents.get(url.protocol)
    if (agent === undefined) {
      const lookup = checkedLookup(resolve, (address) => maySendTo(address, url, allowsLocal))
      const limits = { connections: perHost, maxHeaderSize: 16_384, maxResponseSize: 1024 * 1024 }
      agent = new Agent({
        ...limits,
        connect: { lookup, timeout },
        headersTimeout: timeout,
        bodyTimeout: timeout,
      })
      agents.set(url.protocol, agent)
    }
    return agent
  }
  return {
    async send(message, ended) {
      const url = new URL(message.address)
      const host = readHost(url)
      if (isIP(host) !== 0 && !maySendTo(host, url, allowsLocal)) return 'dropped'
      const signal = AbortSignal.any([AbortSignal.timeout(timeout), ended])
      return post(url, message, { dispatcher: agentOf(url), signal })
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

interface Way {
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
}

const TAKEN: ReadonlySet<number> = new Set([200, 201, 202, 204])
const PASSING: ReadonlySet<number> = new Set([500, 502, 503, 504])

async function post(url: URL, message: Delivery, way: Way): Promise<DeliveryOutcome> {
  const { request } = await import('undici')
  // 102 Processing counts as delivered, whatever the final status is
  let isTaken = false
  const onInfo = ({ statusCode }: { readonly statusCode: number }) => (isTaken ||= statusCode === 102)
  try {
    const headers = notificationHeaders(message)
    const body = message.state === 'change' ? CHANGES : null
    const answer = await request(url, { ...way, method: 'POST', headers, body, onInfo })
    await answer.body.dump({ limit: 65_536, signal: way.signal }).catch(() => undefined)
    if (isTaken || TAKEN.has(answer.statusCode)) return 'done'
    return PASSING.has(answer.statusCode) ? 'again' : 'dropped'
  } catch {
    return isTaken ? 'done' : 'again'
  }
}

const CHANGES = '{"kind":"drive#changes"}'

function notificationHeaders({ id, number, resource, state, uri, token, expires, changed }: Delivery) {
  return {
    'content-type': 'application/json; utf-8',
    'user-agent': 'hla-drive',
    'x-goog-channel-id': id,
    'x-goog-message-number': String(number),
    'x-goog-resource-id': resource,
    'x-goog-resource-state': state,
    'x-goog-resource-uri': uri,
    'x-goog-channel-expiration': new Date(expires).toUTCString(),
    ...(token === null ? {} : { 'x-goog-channel-token': token }),
    ...(changed === null ? {} : { 'x-goog-changed': changed }),
  }
}
