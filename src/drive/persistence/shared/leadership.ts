/** One of the servers of a store does for all what is to be done once: it holds a lock of the database for as long as it lives.  [network] */
import type { Client } from 'pg'
import { connect } from './postgres.ts'

export interface Leadership {
  readonly isLeader: () => boolean
  readonly close: () => Promise<void>
}

/** Any number, the same for all servers of a store. */
const LOCK = 0x68_6c_61_4c
/** ms between looks whether the lock is free, or is still held. */
const OFTEN = 1000

export function seekLeadership(url: string): Leadership {
  let client: Client | undefined
  let [isLeader, hasEnded] = [false, false]
  let timer: NodeJS.Timeout | undefined
  const lose = () => {
    isLeader = false
    client?.end().catch(() => undefined)
    client = undefined
  }
  const look = async () => {
    client ??= await connect(url, false, lose)
    const text = isLeader ? 'SELECT true AS held' : `SELECT pg_try_advisory_lock(${LOCK}) AS held`
    const { rows } = await client.query<{ held: boolean }>(text)
    isLeader = rows[0]?.held === true
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
    isLeader: () => isLeader,
    async close() {
      hasEnded = true
      clearTimeout(timer)
      isLeader = false
      await client?.end().catch(() => undefined)
    },
  }
}
