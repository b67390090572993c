/** One of the servers of a store does for all what is to be done once: it holds a lock of the database for as long as it lives.  [network] */
import type { Client } from 'pg'
import { DATABASE_LOCKS, connect, tryLock } from './postgres.ts'
import { type CopyChecker, answerChecks } from './running-copies.ts'

export interface Leadership {
  readonly isLeader: () => boolean
  /** Those that were seen last: one at least. */
  readonly servers: () => number
  readonly close: () => Promise<void>
}

/** ms between looks whether the lock is free, or is still held. */
const OFTEN = 1000
/**
 * ms after which PostgreSQL ends the connection of a server that looks no more: it stands still, or its machine is gone without a
 * word. One that goes on has stopped to lead before that.
 */
const SILENCE = 8000
const LEASE = 5000

/** Its connection says that the server runs: checks of the copies ask by it. */
export function seekLeadership(url: string, checker: CopyChecker): Leadership {
  let client: Client | undefined
  let hasEnded = false
  /** When the look began that found the lock held; -Infinity: it was not. */
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
    const { rows } = await client.query<{ servers: string }>(SERVERS)
    servers = Math.max(1, Number(rows[0]?.servers))
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

const SERVERS = `SELECT count(*) AS servers FROM pg_locks
  WHERE locktype = 'advisory' AND mode = 'ShareLock' AND objid = ${DATABASE_LOCKS.serving}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
