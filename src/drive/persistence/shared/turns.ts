/**
 * The writer's side of the log: it follows other servers' entries and appends those of its own commands. An entry takes
 * one round trip while no other server appends. Otherwise servers take turns
 * (docs/adr/shared-store.md#appending-an-entry).  [disk, network]
 */
import { isHlaError } from '../../../errors.ts'
import type { Connection } from '../database/connection.ts'
import { digestEntry, readPosition, readProof } from '../database/log-position.ts'
import type { ChangeTracker, StateDigest } from '../database/state-digest.ts'
import { encodeEntry } from './commit-entry.ts'
import {
  AppendUnknown,
  type CommitLog,
  databaseAway,
  type Following,
  type LogEntry,
  type Turn,
} from './commit-log.ts'
import { diskFull } from '../writer/not-writing.ts'
import type { CopyGuard } from './foreign-writes.ts'
import { CopyDiffers, followEntries, isUnproven, NoRoom, OtherLog } from './server-copy.ts'

export interface LogState {
  readonly connection: Connection
  readonly log: CommitLog
  /** Number of the last entry in the copy. */
  number: number
  /** Digest of the copy when `tracker` began, and when it was computed (next field). */
  digest: StateDigest
  summed: number
  readonly tracker: ChangeTracker
  readonly guard: CopyGuard
  /** Server of that entry. Undefined at entry 0. */
  author: string | undefined
  /** True if another server has appended since this one did. */
  isContended: boolean
  /** Called when the copy has reached an entry, so that waiting readers look again. Unless `isOwn`, cached reads are stale. */
  readonly told: (number: number, isOwn: boolean) => void
  /** Called at the end of the log. `hasMoved`: the copy has new entries. */
  readonly followed: (hasMoved: boolean) => void
  /** Called when the log is out of reach or the disk has no room for it. */
  readonly away: () => void
  /** Called when SQLite finds no space, to release the reserve. */
  readonly exhausted: () => void
}

/**
 * Number of the entry; 'late' if another server was faster; an error if it is not in the log; undefined if there was
 * nothing to write.
 */
export type AppendOutcome = number | 'late' | Error | undefined

/** @throws {CopyDiffers} the log was restored since this copy followed it to its end */
export async function readLogState(
  log: CommitLog,
  connection: Connection,
): Promise<Pick<LogState, 'log' | 'number' | 'digest' | 'author'>> {
  const { number, tail } = readPosition(connection) ?? { number: 0, tail: null }
  const digest = readProof(connection)
  // written by `catchUp` of prepare-copy.ts
  if (digest === undefined) throw isUnproven()
  if (number === 0) return { log, number, digest, author: undefined }
  const entry = await log.find(number)
  if (entry === undefined || digestEntry(entry.bytes) !== tail) throw otherLog(number, entry !== undefined)
  return { log, number, digest, author: entry.server }
}

/** Follows the log up to `last`, or to its end. `first` has the next entries if they were already read. */
export async function catchUp(state: LogState, last = Infinity, first?: Following): Promise<void> {
  const from = state.number
  try {
    for (let next = first; state.number < last; next = undefined) {
      const { author, entries } = next ?? (await state.log.after(state.number))
      requireSameAuthor(state, author)
      const newest = entries.at(-1)
      if (newest === undefined) break
      try {
        followInRoom(state, entries)
      } finally {
        // a transaction that was rolled back may have written to the log of SQLite, too
        state.guard.wrote()
      }
      state.author = newest.server
      state.told(state.number, false)
    }
  } catch (error) {
    // cached reads are stale even if the end was not reached
    if (state.number !== from) state.followed(true)
    throw error
  }
  state.followed(state.number !== from)
}

/** Retries with the space of the reserve if the disk is full. @throws as `followEntries` */
function followInRoom(state: LogState, entries: readonly LogEntry[]): void {
  try {
    followInto(state, entries)
  } catch (error) {
    if (!(error instanceof NoRoom)) throw error
    state.exhausted()
    followInto(state, entries)
  }
}

function followInto(state: LogState, entries: readonly LogEntry[]): void {
  const { number, digest, summed, tracker } = state
  try {
    Object.assign(state, followEntries(state.connection, entries, { number, digest, summed, tracker }))
  } catch (error) {
    if (error instanceof NoRoom) Object.assign(state, error.state)
    throw error
  }
}

/** `author` is the server of this entry in the log. @throws {CopyDiffers} the entry in the copy is another one */
function requireSameAuthor({ number, author: known }: LogState, author: string | undefined): void {
  if (author === known || number === 0) return
  throw otherLog(number, author !== undefined)
}

function otherLog(number: number, isThere: boolean): OtherLog {
  const problem = isThere ? 'not the one that this copy has' : 'missing'
  return new OtherLog(`entry ${number} of the log is ${problem}: the database was restored`)
}

/** Takes a turn and follows all earlier entries. `lasting` is passed to the log. */
export async function takeTurn(state: LogState, lasting?: number): Promise<Turn | Error> {
  let turn: Turn | undefined
  try {
    turn = await state.log.takeTurn(state.number, lasting)
    requireSameAuthor(state, turn.following.author)
    state.isContended = turn.last !== state.number
    await catchUp(state, turn.last, turn.following)
    if (state.number !== turn.last)
      throw new Error(`the log ends at ${turn.last}, this copy is at ${state.number}`)
    return turn
  } catch (error) {
    await turn?.giveBack()
    if (error instanceof CopyDiffers || isHlaError(error)) throw error
    return error instanceof NoRoom ? diskFull(error.cause) : databaseAway(error)
  }
}

/** `bytes` is the entry. If undefined, the group changed nothing; its answers count only if no other server has appended. */
export async function appendEntry(
  state: LogState,
  turn: Turn | undefined,
  bytes: Buffer | undefined,
): Promise<AppendOutcome> {
  const { log, number, author } = state
  try {
    if (bytes === undefined) {
      if (turn !== undefined) await turn.giveBack()
      else if ((await log.last()) !== number) return late(state)
      return undefined
    }
    if (turn !== undefined) await turn.append(bytes)
    else if (!(await log.appendNext(number + 1, bytes, author))) return late(state)
    return number + 1
  } catch (error) {
    if (error instanceof AppendUnknown && bytes !== undefined) return settleUnknown(state, error, bytes)
    await turn?.giveBack()
    return databaseAway(error)
  }
}

function late(state: LogState): 'late' {
  state.isContended = true
  return 'late'
}

/** ms after which the outcome of an entry is given up: by then most clients have left. */
const MAX_DOUBT = 60_000

/**
 * Resolves an unknown append before any answer: the entry of that number is this one, or another, and then this one
 * never gets there. After `MAX_DOUBT` the commands fail with an unknown outcome. If the entry appears later, the
 * copy follows it like any other.
 */
async function settleUnknown(
  state: LogState,
  { number, cause }: AppendUnknown,
  bytes: Buffer,
): Promise<number | Error> {
  const { log, away } = state
  const until = performance.now() + MAX_DOUBT
  for (let pause = 50; performance.now() < until; pause = Math.min(2 * pause, 2000)) {
    let turn: Turn | undefined
    try {
      turn = await log.takeTurn(state.number)
      requireSameAuthor(state, turn.following.author)
      // an append still in transit will find its number taken
      if (turn.last < number) await turn.append(encodeEntry([]))
      else await turn.giveBack()
      return (await log.holds(number, bytes)) === true ? number : databaseAway(cause)
    } catch (error) {
      await turn?.giveBack()
      if (error instanceof CopyDiffers) throw error
      away()
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return databaseAway(cause)
}
