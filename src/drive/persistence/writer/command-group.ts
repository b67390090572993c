/** Runs commands atomically and commits each group in one transaction. */
import { isStorageFailure } from '../../contract/failure.ts'
import type { CommandAnswer, CommandRequest, Commands } from '../database/database.ts'
import type { Connection } from '../database/connection.ts'
import {
  type DeferredStatements,
  deferredStatements,
  type GroupTransaction,
  groupTransaction,
} from '../database/group-transaction.ts'
import { diskFull, notWriting, roomNeeded } from './not-writing.ts'
import { type Room, openRoom } from '../disk-reserve.ts'
import { SQLITE, sqliteCode } from '../database/sqlite.ts'
import { STORE_COMMANDS } from '../upkeep/sweep.ts'

export interface CommandGroup {
  /** Begins a transaction with the first command. Errors of commands become answers and are not thrown. */
  readonly run: (asked: CommandRequest) => void
  readonly size: () => number
  /** Runs deferred statements while no command is waiting. */
  readonly catchUp: () => void
  /** Answers in the order of the commands. They count only if `commit` succeeds. No command may run between the two. */
  readonly answers: () => readonly CommandAnswer[]
  /** Returns undefined if the group is on disk, otherwise the reason why none of it is. */
  readonly commit: () => Error | undefined
  /** True if the committed group left contents to remove. */
  readonly hasRemovals: () => boolean
  /** Failure of the disk or the database. Nothing may be written afterwards. */
  readonly broken: () => Error | undefined
  /** Rows written since the last call, which a checkpoint must move. */
  readonly takeWritten: () => number
}

/** Maximum commands of a group, and maximum ms that it runs. */
export const [MAX_COMMANDS, MAX_GROUP_MS] = [256, 20]

/** Expectation for the next group, from the previous one. */
export interface GroupExpectation {
  /** Expected number of commands. */
  readonly size: number
  /** Total ms to wait for them. */
  readonly patience: number
}

/** Share of the previous commit's duration. Waiting that long for more commands costs less than a commit of their own. */
const WAIT_SHARE = 0.5

/** `since` is the beginning of the commit of the previous group, by `performance.now`. */
export function expectNext(size: number, since: number): GroupExpectation {
  return { size, patience: Math.min(MAX_GROUP_MS, WAIT_SHARE * (performance.now() - since)) }
}

export function commandGroup(
  connection: Connection,
  given: Commands,
  room: Room = openRoom(connection, undefined),
): CommandGroup {
  const commands = { ...given, ...STORE_COMMANDS }
  const state: GroupState = { asked: [], answers: [], isApart: false, lost: undefined, broken: undefined }
  let rows = 0
  const later = deferredStatements()
  const transaction = groupTransaction(connection, later, (changes) => (rows += changes + 1))
  const lose = (error: unknown) => {
    state.lost = error
    if (isBroken(error)) state.broken = asError(error)
    if (sqliteCode(error) === SQLITE.full) room.exhausted()
    transaction.forget()
    later.drop()
    rollBack(connection)
  }
  return {
    run: makeRunner({ connection, commands, room, transaction, later, lose }, state),
    answers() {
      if (state.lost === undefined) attempt(later.run, lose)
      return state.answers
    },
    commit() {
      if (state.lost === undefined) attempt(() => connection.run('COMMIT'), lose)
      Object.assign(state, { asked: [], answers: [], isApart: false })
      return state.lost === undefined ? undefined : toRefusal(state.lost)
    },
    size: () => state.answers.length,
    catchUp() {
      // not while commands use savepoints: the word index writes a segment whenever one is opened
      if (state.lost === undefined && !state.isApart) attempt(later.run, lose)
    },
    hasRemovals: () => state.lost === undefined && connection.get(NEW_REMOVAL) !== undefined,
    broken: () => state.broken,
    takeWritten() {
      const written = rows
      rows = 0
      return written
    },
  }
}

const NEW_REMOVAL = 'SELECT 1 FROM removals WHERE is_held = 0 LIMIT 1'

interface GroupState {
  asked: CommandRequest[]
  /** Answers in the order of `asked`. */
  answers: CommandAnswer[]
  /** True if each command has a savepoint. */
  isApart: boolean
  lost: unknown
  broken: Error | undefined
}

interface Running {
  readonly connection: Connection
  readonly commands: Commands
  readonly room: Room
  readonly transaction: GroupTransaction
  readonly later: DeferredStatements
  readonly lose: (error: unknown) => void
}

function makeRunner(running: Running, state: GroupState): CommandGroup['run'] {
  const { connection, room, transaction, later, lose } = running
  const begin = () => {
    attempt(() => {
      room.begin()
      connection.run('BEGIN IMMEDIATE')
      transaction.open()
    }, lose)
  }
  const answer = (asked: CommandRequest): boolean => {
    // every command of a lost group fails with the same reason
    const found = state.lost === undefined ? runOne(running, asked, state.isApart) : { error: state.lost }
    if (found === TORN) return false
    state.answers.push(found)
    if (later.isMuch()) attempt(later.run, lose)
    return true
  }
  const startAgain = () => {
    rollBack(connection)
    later.drop()
    transaction.forget()
    Object.assign(state, { answers: [], isApart: true })
    begin()
    for (const asked of state.asked) answer(asked)
  }
  return (asked) => {
    if (state.asked.length === 0) {
      state.lost = state.broken
      if (state.lost === undefined) begin()
    }
    state.asked.push(asked)
    if (!answer(asked)) startAgain()
  }
}

/** A command failed after writing, so the whole group must be rolled back. */
const TORN = 'torn'

/**
 * A failed command is rolled back alone; a failure of the disk loses the whole group. Savepoints are costly, because
 * SQLite copies every changed page for each, and few commands fail after writing. So only a group with such a failure
 * is rerun with savepoints.
 */
function runOne(running: Running, asked: CommandRequest, isApart: boolean): CommandAnswer | typeof TORN {
  const { connection, transaction, later, lose } = running
  try {
    if (isApart) connection.run('SAVEPOINT command')
    const result = call(running, asked)
    if (result instanceof Promise) throw new TypeError('a command waits for nothing')
    if (isApart) connection.run('RELEASE command')
    later.settle(true)
    return { result }
  } catch (error) {
    later.settle(false)
    transaction.forget()
    if (isOfDisk(error)) lose(error)
    else if (isApart) connection.exec('ROLLBACK TO command; RELEASE command')
    else if (transaction.hasWritten() || sqliteCode(error) !== undefined) return TORN
    return { error }
  }
}

function call({ commands, room, transaction }: Running, asked: CommandRequest): unknown {
  const command = commands[asked.command]
  if (!room.admits(asked)) throw roomNeeded()
  transaction.begin(asked.command)
  if (command === undefined) throw new Error(`there is no command ${asked.command}`)
  // input type known to the caller
  return command(transaction, asked.caller, asked.input as never)
}

function attempt(step: () => unknown, lose: (error: unknown) => void): void {
  try {
    step()
  } catch (error) {
    lose(error)
  }
}

/** SQLite rolls back itself after some errors only. */
function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK')
  } catch {
    // no transaction is open
  }
}

function isOfDisk(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === SQLITE.full || isBroken(error)
}

/** A failed fsync must not be retried: the system may have discarded the data. */
function isBroken(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== undefined && BREAKING.has(code)
}

const BREAKING: ReadonlySet<number> = new Set([
  SQLITE.io,
  SQLITE.corrupt,
  SQLITE.notADatabase,
  SQLITE.cannotOpen,
  SQLITE.readOnly,
])

function toRefusal(error: unknown): Error {
  if (isStorageFailure(error)) return error
  return sqliteCode(error) === SQLITE.full ? diskFull(error) : notWriting(error)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
