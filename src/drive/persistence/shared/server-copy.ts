/** A server's copy of a shared store: a database that follows the log and records its entry and the digest of its rows.  [disk] */
import { HlaError, errorMessage, isHlaError } from '../../../errors.ts'
import type { Connection } from '../database/connection.ts'
import { SQLITE, sqliteCode } from '../database/sqlite.ts'
import { readPosition, readProof, setPosition, setProof } from '../database/log-position.ts'
import {
  type ChangeTracker,
  digestState,
  type StateDigest,
  stateText,
  sumText,
  trackChanges,
} from '../database/state-digest.ts'
import { type CommitEntry, decodeEntry, replay, SCRIPT } from './commit-entry.ts'
import type { CommitLog, LogEntry } from './commit-log.ts'
import { rollBack } from '../writer/command-group.ts'

/** The copy differs from the database that the entries were written on. It is rebuilt from a snapshot and the log. */
export class CopyDiffers extends Error {
  override readonly name: string = 'CopyDiffers'
}

/** The log itself differs, because the database was restored. The server stops, and its operator restarts it. */
export class OtherLog extends CopyDiffers {
  override readonly name = 'OtherLog'
}

/** The disk has no room for entries of the log. The copy is unchanged. `state` has the sum of its rows, which the next entry verifies. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
  readonly state: CopyState

  constructor(state: CopyState, cause: unknown) {
    super('the disk has no room for the next entries of the log', { cause })
    this.state = state
  }
}

/** Tells whether a running server may rebuild its copy without its operator. The error may come from another thread. */
export function isCopyDiffering(error: unknown): boolean {
  return error instanceof Error && error.name === 'CopyDiffers'
}

/** Position and digest of a copy. */
export interface CopyState {
  readonly number: number
  /** Digest of the copy when `tracker` began. */
  readonly digest: StateDigest
  /** Time of that digest, by `performance.now`. */
  readonly summed: number
  readonly tracker: ChangeTracker
}

/** Called when the sum of an entry is not that of the copy. */
export type OnDisagreement = (reason: string) => void

/** Default of a copy in use: a differing sum means that the copy is wrong. @throws {CopyDiffers} */
export const trustLog: OnDisagreement = (reason) => {
  throw new CopyDiffers(reason)
}

/** @throws {HlaError} data-differs — a rebuilt copy could not follow the entry either */
function decodeLogged({ number, bytes }: LogEntry): CommitEntry {
  try {
    return decodeEntry(bytes)
  } catch (cause) {
    throw new HlaError(
      'data-differs',
      `entry ${number} of the log of the store cannot be read: ${errorMessage(cause)}`,
      {
        hint: 'run the latest version of hla that has served the store; if the entry is damaged, restore the database from a backup',
        cause,
      },
    )
  }
}

/** Applies all entries or none, and compares the last sum among them. @throws {CopyDiffers}, {NoRoom}; {HlaError} data-differs */
export function followEntries(
  connection: Connection,
  entries: readonly LogEntry[],
  from: CopyState,
  disagree: OnDisagreement = trustLog,
): CopyState {
  const [last] = entries.slice(-1)
  if (last === undefined) return from
  const decoded = entries.map((entry) => ({ ...entry, ...decodeLogged(entry) }))
  const summed = decoded.findLast(({ sum }) => sum !== undefined)
  let state = from
  connection.run('BEGIN IMMEDIATE')
  try {
    for (const { number, server, statements, sum } of decoded) {
      if (number !== state.number + 1)
        throw new Error(`the log has a gap: entry ${number} follows ${state.number}`)
      replay(connection, statements)
      state = { ...state, number }
      if (statements.some(({ changes }) => changes === SCRIPT))
        state = begunAnew(state, digestState(connection))
      if (sum === undefined || number !== summed?.number) continue
      state = begunAnew(state, state.tracker.digest(state.digest))
      const own = sumText(state.digest.rows)
      if (sum !== own)
        disagree(`after entry ${number} its rows have the digest ${own}, those of server ${server} ${sum}`)
    }
    setPosition(connection, state.number, last.bytes, summed === decoded.at(-1) ? state.digest : undefined)
    connection.run('COMMIT')
    return state
  } catch (error) {
    rollBack(connection)
    if (isHlaError(error) || error instanceof CopyDiffers) throw error
    // the tracker may have restarted within the transaction that was rolled back
    if (sqliteCode(error) === SQLITE.full) throw new NoRoom(begunAnew(from, digestState(connection)), error)
    throw new CopyDiffers(`the copy of the store cannot follow its log (${errorMessage(error)})`, {
      cause: error,
    })
  }
}

function begunAnew(state: CopyState, digest: StateDigest): CopyState {
  state.tracker.begin()
  return { ...state, digest, summed: performance.now() }
}

/** Sums wanted at certain entries, by number. `followLog` fills them in. */
export type WantedSums = Map<number, string | undefined>

/** Splits the entries into runs that end at a wanted entry or at the last one. */
function endingAt(entries: readonly LogEntry[], sums: WantedSums): LogEntry[][] {
  const pieces: LogEntry[][] = [[]]
  for (const entry of entries) {
    pieces.at(-1)?.push(entry)
    if (sums.has(entry.number)) pieces.push([])
  }
  return pieces.filter(({ length }) => length > 0)
}

/**
 * Follows the log to its end and records the digest. The copy is verified by its own digest or by the sum of a later
 * entry. A killed server leaves no digest for its last entries.
 * @throws {CopyDiffers} the copy differs from the log, or is not verified; {HlaError} io — the disk is full
 */
export async function followLog(
  log: CommitLog,
  connection: Connection,
  disagree?: OnDisagreement,
  sums: WantedSums = new Map(),
): Promise<CopyState> {
  const before = readPosition(connection)?.number ?? 0
  const known = readProof(connection)
  const digest = readDigest(connection)
  if (known !== undefined && stateText(known) !== stateText(digest))
    throw new CopyDiffers(`the rows of the copy of the store are not those of entry ${before} of its log`)
  const tracker = trackChanges(connection)
  let state: CopyState = { number: before, digest, summed: performance.now(), tracker }
  if (sums.has(before)) sums.set(before, sumText(digest.rows))
  let isProven = known !== undefined
  for (;;) {
    const { entries } = await log.after(state.number)
    if (entries.length === 0) break
    for (const piece of endingAt(entries, sums)) {
      state = roomily(() => followEntries(connection, piece, state, disagree))
      if (!sums.has(state.number)) continue
      state = begunAnew(state, tracker.digest(state.digest))
      sums.set(state.number, sumText(state.digest.rows))
    }
    isProven ||= entries.some(({ bytes }) => decodeEntry(bytes).sum !== undefined)
  }
  if (!isProven) throw isUnproven()
  return proveNow(connection, state)
}

/** Reports a full disk. Before the server answers, no other work could free space. */
function roomily(followed: () => CopyState): CopyState {
  try {
    return followed()
  } catch (error) {
    if (!(error instanceof NoRoom)) throw error
    throw new HlaError('io', `the disk of the copy of the store is full: ${error.message}`, {
      hint: 'free some space on it, and start again',
      cause: error,
    })
  }
}

/** Computes and records the digest, outside a transaction. */
export function proveNow(connection: Connection, state: CopyState): CopyState {
  const { tracker } = state
  const proven = begunAnew(state, tracker.digest(state.digest))
  setProof(connection, proven.digest)
  return proven
}

export function isUnproven(): CopyDiffers {
  return new CopyDiffers('the copy of the store has no digest of its rows, as when its server was killed')
}

/** @throws {CopyDiffers} the database has unreadable rows */
export function readDigest(connection: Connection): StateDigest {
  try {
    return digestState(connection)
  } catch (cause) {
    throw new CopyDiffers(`the rows of a copy of the store cannot be read (${errorMessage(cause)})`, {
      cause,
    })
  }
}
