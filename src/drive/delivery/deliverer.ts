/** The delivery worker: polls the queue while there are channels, and sends the messages that are due.  [network] */
import { errorMessage } from '../../errors.ts'
import { command, OPERATOR } from '../domain/commands.ts'
import { areChannels, dueDeliveries, haveExpired, storeNow } from '../domain/channels/deliveries.ts'
import type { Store } from '../persistence/store.ts'
import { openRunners, type Runners } from './runners.ts'
import type { DeliveryOutcome, Resolve } from './sender.ts'

export interface DelivererOptions {
  /** Also to this machine, and there in the clear. */
  readonly allowsLocal: boolean
  readonly resolve?: Resolve
  readonly warn: (text: string) => void
}

export interface Deliverer {
  /** There is a new channel. */
  readonly wake: () => void
  /** Aborts messages being sent: they are sent again after the next start. */
  readonly stop: () => Promise<void>
  readonly counts: () => Readonly<Record<DeliveryOutcome, number>>
}

/** ms between polls of the queue while there are channels; a finished message triggers one at once. */
const OFTEN = 50
/** ms between looks whether this server is the one that sends. */
const SELDOM = 1000
/** ms after something went wrong here. */
const PAUSE = 10_000

/** Idle, at no cost, while there are no channels. */
export function startDeliverer(store: Store, options: DelivererOptions): Deliverer {
  const state = { hasEnded: false, isLooking: false, isWoken: false }
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  const wake = () => {
    state.isWoken = true
    if (!state.isLooking) schedule(0)
  }
  const runners = openRunners(store, { ...options, onFree: wake })
  const tidy = tidier(store)
  const schedule = (delay: number) => {
    clearTimeout(timer)
    if (!state.hasEnded) timer = setTimeout(() => (round = look()), delay)
  }
  const look = async () => {
    state.isLooking = true
    state.isWoken = false
    const delay = await lookOnce(store, runners, tidy).catch((error: unknown) => {
      if (!state.hasEnded) options.warn(`notifications: ${errorMessage(error)}`)
      return PAUSE
    })
    state.isLooking = false
    if (state.isWoken && delay !== PAUSE) schedule(0)
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

/** @returns ms until the next look; undefined: there are no channels */
async function lookOnce(
  store: Store,
  runners: Runners,
  tidy: (isOver: boolean) => Promise<void>,
): Promise<number | undefined> {
  // one server sends for all
  if (store.sharing?.isLeader() === false) return SELDOM
  const isOver = !areChannels(store.read)
  if (!isOver) for (const one of dueDeliveries(store.read, storeNow(store.read))) if (!runners.run(one)) break
  await tidy(isOver)
  return isOver ? undefined : OFTEN
}

/** ms between looks for channels that have ended. */
const TIDYING = 60_000

/** Removes expired channels; after the last one the writer learns that there are none. */
function tidier(store: Store): (isOver: boolean) => Promise<void> {
  let last = -Infinity
  return async (isOver) => {
    if (!isOver && performance.now() - last < TIDYING) return
    last = performance.now()
    if (isOver || haveExpired(store.read, storeNow(store.read)))
      await command(store, 'forgetChannels', OPERATOR, undefined)
  }
}
