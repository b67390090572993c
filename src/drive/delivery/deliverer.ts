/** The delivery worker: polls the queue while there are channels, sends the messages that are due, and reports the outcomes (spec 16).  [network] */
import { largestChange } from '../domain/changes/change-log.ts'
import { errorMessage } from '../../errors.ts'
import { OPERATOR, command } from '../domain/commands.ts'
import {
  type Delivery,
  hasAnyChannel,
  dueDeliveries,
  hasExpiredChannels,
  storeNow,
} from '../domain/channels/notifications.ts'
import type { Store } from '../persistence/store.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import { type Resolve, checkedLookup, maySendTo, readHost, resolveName } from './notification-address.ts'

interface DelivererOptions {
  /** Allows addresses of this machine, including plain http. */
  readonly allowsLocal: boolean
  readonly resolve?: Resolve
  readonly warn: (text: string) => void
}

export interface Deliverer {
  /** Call after a channel was created. */
  readonly wake: () => void
  /** Aborts messages being sent. They are sent again after the next start. */
  readonly stop: () => Promise<void>
  readonly counts: () => Readonly<Record<DeliveryOutcome, number>>
}

/** ms between polls of the queue while there are channels; a finished message triggers one at once. */
const POLL_MS = 50
/** ms of pause after an error in this worker. */
const PAUSE_MS = 10_000

/** The worker is idle, without polling, while there are no channels. */
export function startDeliverer(store: Store, options: DelivererOptions): Deliverer {
  const state = { hasEnded: false, isLooking: false, isWoken: false }
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  const wake = () => {
    state.isWoken = true
    if (!state.isLooking) schedule()
  }
  const runners = openRunners(store, { ...options, onFree: wake })
  const tidy = tidier(store)
  const schedule = (delay?: number) => {
    clearTimeout(timer)
    if (!state.hasEnded) timer = setTimeout(() => (round = look()), delay)
  }
  const look = async () => {
    state.isLooking = true
    state.isWoken = false
    const delay = await lookOnce(store, runners, tidy).catch((error: unknown) => {
      if (!state.hasEnded) options.warn(`notifications: ${errorMessage(error)}`)
      return PAUSE_MS
    })
    state.isLooking = false
    if (state.isWoken && delay !== PAUSE_MS) schedule()
    else if (delay !== undefined) schedule(delay)
  }
  wake()
  return {
    wake,
    counts: runners.counts,
    async stop() {
      state.hasEnded = true
      clearTimeout(timer)
      await runners.stop()
      await round
    },
  }
}

/** @returns ms until the next look, or undefined if there are no channels */
async function lookOnce(
  store: Store,
  runners: Runners,
  tidy: (isOver: boolean) => Promise<void>,
): Promise<number | undefined> {
  const isOver = !hasAnyChannel(store.read)
  if (!isOver) for (const one of dueDeliveries(store.read, storeNow(store.read))) if (!runners.run(one)) break
  await tidy(isOver)
  return isOver ? undefined : POLL_MS
}

/** ms between searches for expired channels. */
const TIDY_MS = 60_000

/** Removes expired channels. Removing the last one tells the writer that no channels are left. */
function tidier(store: Store): (isOver: boolean) => Promise<void> {
  let last = -Infinity
  return async (isOver) => {
    if (!isOver && performance.now() - last < TIDY_MS) return
    last = performance.now()
    if (isOver || hasExpiredChannels(store.read, storeNow(store.read)))
      await command(store, 'forgetChannels', OPERATOR, undefined)
  }
}

interface RunnerOptions extends DelivererOptions {
  /** Called when a message is finished and another can start. */
  readonly onFree: () => void
}

interface Runners {
  /**
   * Starts a message, unless the channel has one in progress or its host or user is at the limit.
   * @returns whether further messages can start
   */
  readonly run: (message: Delivery) => boolean
  readonly counts: () => Readonly<Record<DeliveryOutcome, number>>
  readonly stop: () => Promise<void>
}

const MAX_ACTIVE = 64
const MAX_TO_HOST = 8
/** Keeps slow receivers of one user from delaying those of others. */
const MAX_OF_USER = 32
/** ms for sending one message, including the response. */
const TIMEOUT_MS = 10_000

function openRunners(store: Store, options: RunnerOptions): Runners {
  const controller = new AbortController()
  const counts: Record<DeliveryOutcome, number> = { done: 0, dropped: 0, again: 0 }
  /** Messages in progress, by channel. */
  const active = new Map<number, ActiveMessage>()
  const countActive = (isAlike: (one: ActiveMessage) => boolean) =>
    [...active.values()].filter(isAlike).length
  let sender: Promise<Sender> | undefined
  const runOne = async (message: Delivery) => {
    try {
      sender ??= openSender({ ...options, timeout: TIMEOUT_MS, perHost: MAX_TO_HOST })
      const outcome = await deliver(store, await sender, message, controller.signal)
      if (outcome !== undefined) counts[outcome] += 1
    } catch (error) {
      if (!controller.signal.aborted) options.warn(`notifications: ${errorMessage(error)}`)
      // an outcome that cannot be recorded must not cause a tight loop of resends
      await sleep(TIMEOUT_MS, undefined, controller).catch(() => undefined)
    }
    active.delete(message.channel)
    options.onFree()
  }
  return {
    run(message) {
      const { host } = new URL(message.address)
      const { user, channel } = message
      const isFree =
        !active.has(channel) &&
        countActive((one) => one.host === host) < MAX_TO_HOST &&
        countActive((one) => one.user === user) < MAX_OF_USER
      if (isFree && active.size < MAX_ACTIVE) active.set(channel, { host, user, sent: runOne(message) })
      return active.size < MAX_ACTIVE
    },
    counts: () => counts,
    async stop() {
      controller.abort()
      await Promise.all([...active.values()].map(({ sent }) => sent))
      await (await sender)?.close()
    },
  }
}

interface ActiveMessage {
  readonly host: string
  readonly user: number
  readonly sent: Promise<void>
}

/** Resolves to undefined if the service stops before the outcome is known. */
async function deliver(
  store: Store,
  sender: Sender,
  message: Delivery,
  ended: AbortSignal,
): Promise<DeliveryOutcome | undefined> {
  // read before sending: a receiver that reads the log on arrival finds every change up to here
  const upTo = largestChange(store.read)
  const outcome = await sender.send(message, ended)
  if (ended.aborted && outcome === 'again') return undefined
  const settle = { delivery: message.pk, outcome, upTo, delay: retryDelay(message.attempts) }
  await command(store, 'settleDelivery', OPERATOR, settle)
  return outcome
}

const MIN_DELAY_MS = 1000
const MAX_DELAY_MS = 600_000

/** Doubles the delay after each attempt, with jitter. */
function retryDelay(attempts: number): number {
  const delay = Math.min(MIN_DELAY_MS * 2 ** Math.min(attempts, 20), MAX_DELAY_MS)
  return Math.round(delay * (0.75 + Math.random() / 4))
}

export type DeliveryOutcome = 'done' | 'dropped' | 'again'

interface SenderOptions {
  /** Allows addresses of this machine, including plain http. */
  readonly allowsLocal: boolean
  /** ms for one message, from name resolution to the response. */
  readonly timeout: number
  readonly perHost: number
  readonly resolve?: Resolve
}

interface Sender {
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
      agent = new Agent({
        connections: perHost,
        maxHeaderSize: 16_384,
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
