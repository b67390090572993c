/** Runs commands, each wholly or not at all, and commits those of a group in one transaction. */
import { isStorageFailure } from '../../contract/failure.ts'
import type { CommandAnswer, CommandRequest, Commands } from '../database/database.ts'
import type { Connection } from '../database/connection.ts'
import { type GroupTransaction, groupTransaction } from '../database/group-transaction.ts'
import { type DeferredStatements, deferredStatements } from '../database/deferred-statements.ts'
import { diskFull, notWriting, roomNeeded } from './not-writing.ts'
import { type Room, roomIn } from './room.ts'
import { SQLITE, sqliteCode } from '../database/sqlite.ts'
import { STORE_COMMANDS } from '../upkeep/sweep.ts'

export interface CommandGroup {
  /** Begins a transaction with the first command. Never throws what a command throws. */
  readonly run: (asked: CommandRequest) => void
  readonly size: () => number
  /** While no command is there: what the others have left for the end is done meanwhile. */
  readonly catchUp: () => void
  /** Of all of them, in the order asked: good when `commit` says so. Nothing more can be run before that. */
  readonly answers: () => readonly CommandAnswer[]
  /** None of it will be on disk: SQLite may have taken back what was run before, and what comes is outside of a transaction. */
  readonly isLost: () => boolean
  /** Undefined: what was run is on disk. Otherwise none of it is, for this reason. */
  readonly commit: () => Error | undefined
  /** None of it is to be kept, for this reason: `commit` says so. */
  readonly abandon: (why: Error) => void
  /** Between groups: somebody else has changed the database by the same connection. */
  readonly changedElsewhere: () => void
  /** What went wrong with the disk or the database itself: nothing may be written from then on. */
  readonly broken: () => Error | undefined
  /** Rows written since the last call: how much a checkpoint has to do. */
  readonly takeWritten: () => number
}

export function commandGroup(
  connection: Connection,
  given: Commands,
  room: Room = roomIn(connection, undefined),
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
    isLost: () => state.lost !== undefined,
    commit() {
      if (state.lost === undefined) attempt(() => connection.run('COMMIT'), lose)
      Object.assign(state, { asked: [], answers: [], isApart: false })
      return state.lost === undefined ? undefined : toRefusal(state.lost)
    },
    size: () => state.answers.length,
    catchUp() {
      // with savepoints the index of words writes all it has been given whenever one is opened
      if (state.lost === undefined && !state.isApart) attempt(later.run, lose)
    },
    abandon: lose,
    changedElsewhere: transaction.changedElsewhere,
    broken: () => state.broken,
    takeWritten() {
      const written = rows
      rows = 0
      return written
    },
  }
}

interface GroupState {
  asked: CommandRequest[]
  /** To the same, in the same order. */
  answers: CommandAnswer[]
  /** Each command has a savepoint. */
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
    // a group that is lost answers every one of its commands by why
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

/** It failed in the middle, and what it wrote can only be taken back with all of its group. */
const TORN = 'torn'

/**
 * A failure takes back its own command only; one of the disk takes the group with it. Few commands fail when they have written
 * something: a savepoint for each, for which SQLite copies every page that is changed, is for groups that have had such a one.
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
  // whoever asked knows what the command takes
  return command(transaction, asked.caller, asked.input as never)
}

function attempt(step: () => unknown, lose: (error: unknown) => void): void {
  try {
    step()
  } catch (error) {
    lose(error)
  }
}

/** SQLite takes a transaction back itself after some errors and not after others. */
export function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK')
  } catch {
    // there was none left
  }
}

function isOfDisk(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === SQLITE.full || isBroken(error)
}

/** An fsync that failed must not be tried again: what it should have written may be forgotten by the system. */
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
