/** Election of one server per store for singleton tasks. The leader holds an advisory lock of the database while it runs.  [network] */
import type { Client } from 'pg'
import { DATABASE_LOCKS, connect, tryLock } from './postgres.ts'
import { type CopyChecker, answerChecks, serverProcesses } from './running-copies.ts'

export interface Leadership {
  readonly isLeader: () => boolean
  /** Number of servers at the last look, at least one. */
  readonly servers: () => number
  readonly close: () => Promise<void>
}

/** ms between attempts to take or confirm the lock. */
const OFTEN = 1000
/**
 * ms after which PostgreSQL ends the connection of a server that sends no more queries, because it hangs or its machine is
 * gone. A server that still runs stops leading earlier, after `LEASE` ms.
 */
const SILENCE = 8000
const LEASE = 5000

/** The connection also registers the server as running: checks of the copies reach it there. */
export function seekLeadership(url: string, checker: CopyChecker): Leadership {
  let client: Client | undefined
  let hasEnded = false
  /** Start time of the latest look at which this server had the lock, or -Infinity. */
  let held = -Infinity
  let servers = 1
  let timer: NodeJS.Timeout | undefined
  const lose = () => {
    held = -Infinity
    client?.end().catch(() => undefined)
    client = undefined
  }
  const open = async () => {
    const opened = await connect(url, { isLong: false }, lose)
    try {
      await answerChecks(opened, checker)
      await opened.query(
        `SET idle_session_timeout = ${SILENCE}; SELECT pg_advisory_lock_shared(${DATABASE_LOCKS.serving})`,
      )
      return opened
    } catch (error) {
      opened.end().catch(() => undefined)
      throw error
    }
  }
  const look = async () => {
    const began = performance.now()
    client ??= await open()
    servers = Math.max(1, (await serverProcesses(client)).length)
    if (held > 0 || (await tryLock(client, 'leading'))) held = began
  }
  const round = () => {
    look()
      .catch(lose)
      .finally(() => {
        if (!hasEnded) timer = setTimeout(round, OFTEN).unref()
      })
  }
  round()
  return {
    isLeader: () => performance.now() - held < LEASE,
    servers: () => servers,
    async close() {
      hasEnded = true
      clearTimeout(timer)
      held = -Infinity
      await client?.end().catch(() => undefined)
    },
  }
}
