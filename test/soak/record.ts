/** Results of a soak: requests by kind, wrong answers, latencies. */

export interface SoakRecord {
  /** Records a right answer; `ms` is its latency. */
  readonly right: (kind: string, ms?: number) => void
  readonly wrong: (kind: string, what: string) => void
  /** Records a refused or broken connection: a fault, unless the server is being restarted. */
  readonly broken: (kind: string, error: unknown) => void
  readonly outage: (run: () => Promise<void>) => Promise<void>
  readonly counts: () => Readonly<Record<string, number>>
  readonly wrongs: () => readonly string[]
  readonly slowest: () => number
  readonly p99: () => number
}

/** Connections may report a failure this long after an outage. */
const AFTERMATH_MS = 3000
/** For each kind, so that one does not hide another. */
const MOST_WRONGS = 10

export function newRecord(): SoakRecord {
  const counts = new Map<string, number>()
  const wrongs: string[] = []
  const waits = newWaits()
  let down = 0
  const count = (kind: string) => void counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const wrong = (kind: string, what: string) => {
    count(`${kind}: WRONG`)
    const at = `${Math.round(performance.now() / 1000)} s`
    if ((counts.get(`${kind}: WRONG`) ?? 0) <= MOST_WRONGS) wrongs.push(`${at} ${kind}: ${what}`)
  }
  return {
    right(kind, ms) {
      count(kind)
      if (ms !== undefined) waits.add(ms)
    },
    wrong,
    broken(kind, error) {
      if (down > 0) count('broken off by the restart')
      else wrong(kind, `broken: ${String(error)}`)
    },
    async outage(run) {
      down += 1
      await run()
      setTimeout(() => (down -= 1), AFTERMATH_MS)
    },
    counts: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    wrongs: () => wrongs,
    slowest: () => waits.below(1),
    p99: () => waits.below(0.99),
  }
}

/** A histogram in 0.1 ms steps, since there are millions of values. */
function newWaits() {
  const counts = new Uint32Array(300_000)
  let total = 0
  return {
    add(ms: number) {
      const at = Math.min(counts.length - 1, Math.round(ms * 10))
      counts[at] = (counts[at] ?? 0) + 1
      total += 1
    },
    /** The quantile in ms for a share. */
    below(share: number): number {
      let seen = 0
      return counts.findIndex((count) => (seen += count) >= total * share) / 10
    },
  }
}
