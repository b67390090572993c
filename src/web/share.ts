/**
 * Shares the event loop and limited places between callers. Each caller has a queue, and the queues are served in turn:
 * a caller that sends more waits longer, and the others do not.
 */

/** Waiting items by caller. */
class CallerQueues<Item> {
  /** In the order in which the callers are served; newest item first, so that the oldest is taken from the end. */
  readonly #queues = new Map<string, { newest: Item[]; oldest: Item[] }>()

  get callers(): Iterable<string> {
    return this.#queues.keys()
  }

  has(caller: string): boolean {
    return this.#queues.has(caller)
  }

  add(caller: string, item: Item): void {
    const queue = this.#queues.get(caller) ?? { newest: [], oldest: [] }
    queue.newest.push(item)
    this.#queues.set(caller, queue)
  }

  /** The caller's oldest item. */
  take(caller: string): Item | undefined {
    const queue = this.#queues.get(caller)
    if (queue === undefined) return undefined
    if (queue.oldest.length === 0) {
      queue.oldest = queue.newest.reverse()
      queue.newest = []
    }
    const item = queue.oldest.pop()
    if (queue.oldest.length === 0 && queue.newest.length === 0) this.#queues.delete(caller)
    return item
  }

  /** The caller is served after all others. */
  moveToEnd(caller: string): void {
    const queue = this.#queues.get(caller)
    if (queue === undefined) return
    this.#queues.delete(caller)
    this.#queues.set(caller, queue)
  }
}

/** Work in the event loop. `until` is the end of its caller's slice, at which long work should stop. */
export type LoopWork = (until: number) => void

export interface LoopShare {
  /** Runs the work at once. Returns false, without running it, when its caller has used its slice or has work waiting. */
  readonly tryRun: (caller: string, work: LoopWork) => boolean
  /** Runs the work when it is its caller's turn. */
  readonly queue: (caller: string, work: LoopWork) => void
  /** A connection has come. The next turn waits for others: Node accepts one in each turn of the event loop. */
  readonly connected: () => void
  /** Runs the work at once or in its caller's turn. Resolves with its result. */
  readonly run: <T>(caller: string, work: (until: number) => T) => Promise<T>
}

/** Time in ms of a caller in a turn of the event loop. Everybody else waits so long for each caller with more work. */
const SLICE_MS = 5

/** Connections that a turn waits for; without it, three hundred from one address kept all others from connecting for 4 s. */
const MAX_CONNECTED = 64

export function shareLoop(): LoopShare {
  const queues = new CallerQueues<LoopWork>()
  /** Time in ms that each caller has used in this turn. */
  const used = new Map<string, number>()
  const usedBy = (caller: string) => used.get(caller) ?? 0
  let [hasConnected, waited] = [false, 0]
  const perform = (caller: string, work: LoopWork) => {
    const began = performance.now()
    const before = usedBy(caller)
    try {
      work(began + SLICE_MS - before)
    } finally {
      if (used.size === 0) setImmediate(turn)
      used.set(caller, before + performance.now() - began)
    }
  }
  /** Begins the next turn with a slice of the caller that has waited longest. */
  const turn = () => {
    if (hasConnected && waited < MAX_CONNECTED) {
      hasConnected = false
      waited += 1
      setImmediate(turn)
      return
    }
    waited = 0
    used.clear()
    const [caller = ''] = queues.callers
    while (queues.has(caller) && usedBy(caller) < SLICE_MS) {
      const work = queues.take(caller)
      if (work !== undefined) perform(caller, work)
    }
    queues.moveToEnd(caller)
  }
  const tryRun = (caller: string, work: LoopWork) => {
    const mayRun = !queues.has(caller) && usedBy(caller) < SLICE_MS
    if (mayRun) perform(caller, work)
    return mayRun
  }
  return {
    tryRun,
    queue: (caller, work) => queues.add(caller, work),
    connected: () => (hasConnected = true),
    run: (caller, work) =>
      new Promise((resolve, reject) => {
        const settle = settling(work, resolve, reject)
        if (!tryRun(caller, settle)) queues.add(caller, settle)
      }),
  }
}

function settling<T>(
  work: (until: number) => T,
  resolve: (result: T) => void,
  reject: (error: Error) => void,
): LoopWork {
  return (until) => {
    try {
      resolve(work(until))
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

export interface Places {
  /** Waits for the caller's turn. Returns the function that frees the place. */
  readonly take: (caller: string) => Promise<() => void>
}

/** A free place is for the waiting caller that has the fewest, and among those for the one that has waited longest. */
export function sharePlaces(count: number): Places {
  const queues = new CallerQueues<() => void>()
  const taken = new Map<string, number>()
  let free = count
  const placesOf = (caller: string) => taken.get(caller) ?? 0
  const giveNext = () => {
    const [next] = [...queues.callers].sort((one, other) => placesOf(one) - placesOf(other))
    if (next === undefined || free === 0) return
    free -= 1
    taken.set(next, placesOf(next) + 1)
    queues.take(next)?.()
    queues.moveToEnd(next)
  }
  return {
    take: (caller) =>
      new Promise((resolve) => {
        let isHeld = true
        const release = () => {
          if (!isHeld) return
          isHeld = false
          free += 1
          taken.set(caller, placesOf(caller) - 1)
          if (placesOf(caller) === 0) taken.delete(caller)
          giveNext()
        }
        queues.add(caller, () => resolve(release))
        giveNext()
      }),
  }
}
