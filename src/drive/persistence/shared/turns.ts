/**
 * How the writer of a copy goes on with the log: it follows what others have appended, and appends what its own commands did. While
 * nobody else appends, an entry is one round trip; where servers meet, they take turns (docs/adr/shared-store.md#appending-an-entry).  [disk, network]
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
import { CopyDiffers, follow, isUnproven, NoRoom, OtherLog } from './replica.ts'

/** A copy and its log. */
export interface Log {
  readonly connection: Connection
  readonly log: CommitLog
  /** Of the last entry that is in the copy. */
  number: number
  /** Of the copy when `tracker` began, and when that was. */
  digest: StateDigest
  summed: number
  readonly tracker: ChangeTracker
  readonly guard: CopyGuard
  /** Server of that entry; undefined: there is none. */
  author: string | undefined
  /** Another server has appended, since this one did last. */
  isContended: boolean
  /** Whoever waits for an entry may look whether it is there; what is remembered of the state before it is no good if others made it. */
  readonly told: (number: number, isOwn: boolean) => void
  /** The copy has come to the end of the log, and whether it was there. */
  readonly followed: (hasMoved: boolean) => void
  /** The log is out of reach, or the disk has no room for it. */
  readonly away: () => void
  /** SQLite found no space: the reserve is given up. */
  readonly exhausted: () => void
}

/** Number of the entry; that another server was faster; why it is not in the log; undefined: there was nothing to write. */
export type Outcome = number | 'late' | Error | undefined

/** @throws {CopyDiffers} it has been restored since this copy was brought to its end */
export async function beginIn(
  log: CommitLog,
  connection: Connection,
): Promise<Pick<Log, 'log' | 'number' | 'digest' | 'author'>> {
  const { number, tail } = readPosition(connection) ?? { number: 0, tail: null }
  const digest = readProof(connection)
  // `catchUp` of prepare-copy.ts writes it
  if (digest === undefined) throw isUnproven()
  if (number === 0) return { log, number, digest, author: undefined }
  const entry = await log.find(number)
  if (entry === undefined || digestEntry(entry.bytes) !== tail) throw otherLog(number, entry !== undefined)
  return { log, number, digest, author: entry.server }
}

/** Up to the end of the log, as far as `last` is known. `first`: what comes next, as far as it is at hand. */
export async function catchUp(state: Log, last = Infinity, first?: Following): Promise<void> {
  const from = state.number
  try {
    for (let next = first; state.number < last; next = undefined) {
      const { author, entries } = next ?? (await state.log.after(state.number))
      mustGoOn(state, author)
      const newest = entries.at(-1)
      if (newest === undefined) break
      followInRoom(state, entries)
      state.guard.wrote()
      state.author = newest.server
      state.told(state.number, false)
    }
  } catch (error) {
    // what was remembered is of the state before, whether or not the end was reached
    if (state.number !== from) state.followed(true)
    throw error
  }
  state.followed(state.number !== from)
}

/** On a full disk with the room of the reserve. @throws as `follow` */
function followInRoom(state: Log, entries: readonly LogEntry[]): void {
  try {
    followInto(state, entries)
  } catch (error) {
    if (!(error instanceof NoRoom)) throw error
    state.exhausted()
    followInto(state, entries)
  }
}

function followInto(state: Log, entries: readonly LogEntry[]): void {
  const { number, digest, summed, tracker } = state
  try {
    Object.assign(state, follow(state.connection, entries, { number, digest, summed, tracker }))
  } catch (error) {
    if (error instanceof NoRoom) Object.assign(state, error.state)
    throw error
  }
}

/** `author`: of the entry of this number in the log. @throws {CopyDiffers} it is another than the one that is in the copy */
function mustGoOn({ number, author: known }: Log, author: string | undefined): void {
  if (author === known || number === 0) return
  throw otherLog(number, author !== undefined)
}

function otherLog(number: number, isThere: boolean): OtherLog {
  const problem = isThere ? 'not the one that this copy has' : 'missing'
  return new OtherLog(`entry ${number} of the log is ${problem}: the database was restored`)
}

/** With all before it in the copy. `lasting`: as for the log's. */
export async function takeTurn(state: Log, lasting?: number): Promise<Turn | Error> {
  let turn: Turn | undefined
  try {
    turn = await state.log.takeTurn(state.number, lasting)
    mustGoOn(state, turn.following.author)
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

/** `bytes`: the entry; undefined: what was asked has changed nothing, and is answered only if nobody else has either. */
export async function put(state: Log, turn: Turn | undefined, bytes: Buffer | undefined): Promise<Outcome> {
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

function late(state: Log): 'late' {
  state.isContended = true
  return 'late'
}

/** ms until what became of an entry is no longer asked for: by then hardly anybody waits for the answer. */
const LONGEST_DOUBT = 60_000

/**
 * Nobody is answered before it is known: the entry of that number is this one, or another, and then it never will be. After a long
 * time they are told that it is not known, and the copy stays without it: if it comes, it is followed as those of others.
 */
async function settleUnknown(
  state: Log,
  { number, cause }: AppendUnknown,
  bytes: Buffer,
): Promise<number | Error> {
  const { log, away } = state
  const until = performance.now() + LONGEST_DOUBT
  for (let pause = 50; performance.now() < until; pause = Math.min(2 * pause, 2000)) {
    let turn: Turn | undefined
    try {
      turn = await log.takeTurn(state.number)
      mustGoOn(state, turn.following.author)
      // what was sent may arrive yet, and finds its number taken
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
