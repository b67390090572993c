/** Locks of the database that servers share, each for as long as its connection lasts.  [network] */
import type { Client } from 'pg'
import { HlaError } from '../../../errors.ts'
import type { Lock } from '../lock.ts'
import { connect } from './postgres.ts'

/** Any numbers, the same for all servers of a store. */
export const DATABASE_LOCKS = {
  /** Of the server that does for all what is done once. */
  leading: 0x68_6c_61_4c,
  /** Of every server, together: how many hold it says how many there are. */
  serving: 0x68_6c_61_53,
  /** Of who removes contents, or relies on those that are there. */
  contents: 0x68_6c_61_43,
  /** Of who copies a store into the database. */
  copying: 0x68_6c_61_63,
} as const

/** @returns whether it was free */
export async function tryLock(client: Client, lock: keyof typeof DATABASE_LOCKS): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_lock(${DATABASE_LOCKS[lock]}) AS free`
  const { rows } = await client.query<{ free: boolean }>(sql)
  return rows[0]?.free === true
}

/** @throws {HlaError} io — somebody has it */
export async function lockSharedContents(client: Client): Promise<void> {
  if (await tryLock(client, 'contents')) return
  throw new HlaError('io', 'a backup, a check or a clean-up is at work in the store of this database')
}

/** The same, with a connection of its own. */
export async function holdSharedContents(url: string): Promise<Lock> {
  const client = await connect(url, { isLong: true }, () => undefined)
  const release = () => void client.end().catch(() => undefined)
  try {
    await lockSharedContents(client)
    return { release }
  } catch (error) {
    release()
    throw error
  }
}
