/** Timestamps of changes. They never go backwards, and never far ahead because of a wrongly set system clock. */
import { type StorageFailure, tryAgain } from '../../contract/failure.ts'
import type { Database, Transaction } from './database.ts'
import type { RowCheck } from '../upkeep/row-checks.ts'

/** Maximum ms by which the system clock may gain on elapsed time. */
const FAR = 86_400_000
/** Maximum ms between the last change of a store and its opening. */
const LONG = 366 * FAR

export interface ClockSource {
  /** System clock: ms since 1970. */
  readonly wall: () => number
  /** Monotonic clock: ms since an arbitrary start. */
  readonly since: () => number
}

const SYSTEM: ClockSource = { wall: () => Date.now(), since: () => performance.now() }

/** Latest recorded time: of the last change, or accepted by an operator. 0 for an empty store. */
function lastRecordedTime(db: Database): number {
  const at = db.get<{ at: number }>('SELECT at FROM changes ORDER BY seq DESC LIMIT 1')?.at ?? 0
  const accepted = db.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'clock'`)?.value ?? 0
  return Math.max(at, Number(accepted))
}

/** Returns ms since 1970. Throws 503 after a jump of the clock: changes written then would keep a wrong time forever. */
export function makeClock(db: Database, { wall, since }: ClockSource = SYSTEM): () => number {
  // the system clock may also be set back between two runs of the service
  let now = lastRecordedTime(db)
  const begun = wall()
  let [lastWall, lastSince] = [now > 0 && begun - now > LONG ? now : begun, since()]
  return () => {
    const [time, passed] = [wall(), since()]
    if (time - Math.max(now, lastWall + passed - lastSince) > FAR) throw jumped()
    lastWall = time
    lastSince = passed
    now = Math.max(now, time)
    return now
  }
}

function jumped(): StorageFailure {
  const text =
    'The clock of the service has jumped ahead: nothing is written until it is set right, or its operator starts it with --accept-clock.'
  return tryAgain(60, text)
}

/** An operator confirms that the system clock is right. */
export function acceptClock(connection: Pick<Transaction, 'run'>): void {
  connection.run(`INSERT OR REPLACE INTO settings(name, value) VALUES ('clock', ?)`, String(Date.now()))
}

/** Columns with times set by the service. Times that a client may set are corrected only on items changed in that period. */
const TIMES: readonly (readonly [table: string, ...columns: string[]])[] = [
  ['blobs', 'created'],
  ['comments', 'created', 'modified'],
  ['replies', 'created', 'modified'],
  ['grants', 'created'],
  ['tokens', 'created'],
  ['uploads', 'touched'],
  ['user_state', 'viewed_at', 'modified_at', 'shared_at'],
  ['files', 'trashed_at'],
]
const OF_FILES = `UPDATE files SET created = min(created, ?1), modified = min(modified, ?1)
  WHERE pk IN (SELECT item FROM changes WHERE at > ?2)`
const OF_REVISIONS = `UPDATE revisions SET modified = min(modified, ?1)
  WHERE file IN (SELECT item FROM changes WHERE at > ?2)`

/** Finds times ahead of the clock, left by a clock that was once wrong, and sets them to now. */
export const FUTURE_TIMES: RowCheck = {
  find(db) {
    const latest = db.get<{ at: number | null }>('SELECT max(at) AS at FROM changes')?.at ?? 0
    if (latest <= Date.now() + FAR) return []
    return [{ key: 0, what: `changes are dated ahead of the clock, up to ${new Date(latest).toISOString()}` }]
  },
  mend(tx) {
    const [now, far] = [Date.now(), Date.now() + FAR]
    tx.run(OF_FILES, now, far)
    tx.run(OF_REVISIONS, now, far)
    for (const [table, ...columns] of TIMES)
      for (const column of columns) tx.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} > ?`, now, far)
    tx.run('UPDATE changes SET at = ? WHERE at > ?', now, far)
    tx.run(`DELETE FROM settings WHERE name = 'clock' AND CAST(value AS INTEGER) > ?`, far)
  },
}
