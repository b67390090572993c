/** Runs commands, each in a savepoint, and commits those of a group in one transaction. */
import { isStorageFailure } from '../model/failure.ts'
import type { Answer, Asked, Commands } from './command.ts'
import type { Connection } from './connection.ts'
import type { Transaction } from './database.ts'
import { type LaterStatements, laterStatements, takenBack } from './later-statements.ts'
import { diskFull, notWriting } from './not-writing.ts'
import { SQLITE, sqliteCode } from './sqlite.ts'
import { STORE_COMMANDS } from './sweep.ts'

export interface CommandGroup {
  /** Begins a transaction with the first command. Never throws what a command throws. */
  readonly run: (asked: Asked) => void
  readonly size: () => number
  /** Of all of them, in the order asked: good when `commit` says so. Nothing more can be run before that. */
  readonly answers: () => readonly Answer[]
  /** Undefined: what was run is on disk. Otherwise none of it is, for this reason. */
  readonly commit: () => Error | undefined
  /** What went wrong with the disk or the database itself: nothing may be written from then on. */
  readonly broken: () => Error | undefined
  /** Rows written since the last call: how much a checkpoint has to do. */
  readonly takeWritten: () => number
}

export function commandGroup(connection: Connection, given: Commands): CommandGroup {
  const commands = { ...given, ...STORE_COMMANDS }
  const state = {
    answers: [] as Answer[],
    lost: undefined as unknown,
    broken: undefined as Error | undefined,
    written: 0,
  }
  const later = laterStatements()
  const transaction = transactionOf(connection, later, (changes) => (state.written += changes + 1))
  const lose = (error: unknown) => {
    state.lost = error
    if (isBroken(error)) state.broken = asError(error)
    later.drop()
    tryRollback(connection)
  }
  const outcome = { later, lose, forget: transaction.forget }
  const run = (asked: Asked) => {
    if (state.answers.length === 0) {
      // others may have written since
      transaction.forget()
      state.lost = state.broken
      if (state.lost === undefined) attempt(() => connection.run('BEGIN IMMEDIATE'), lose)
    }
    // a group that is lost answers every one of its commands by why
    if (state.lost !== undefined) state.answers.push({ error: state.lost })
    else state.answers.push(runOne(connection, () => call(commands, transaction, asked), outcome))
    if (later.isMuch()) attempt(later.run, lose)
  }
  const answers = () => {
    if (state.lost === undefined) attempt(later.run, lose)
    return state.answers
  }
  const commit = () => {
    if (state.lost === undefined) attempt(() => connection.run('COMMIT'), lose)
    state.answers = []
    return state.lost === undefined ? undefined : refusalOf(state.lost)
  }
  return {
    run,
    answers,
    commit,
    size: () => state.answers.length,
    broken: () => state.broken,
    takeWritten() {
      const { written } = state
      state.written = 0
      return written
    },
  }
}

interface GroupTransaction extends Transaction {
  readonly forget: () => void
  /** A command begins. */
  readonly begin: (command: string) => void
}

function transactionOf(
  connection: Connection,
  later: LaterStatements,
  wrote: (changes: number) => void,
): GroupTransaction {
  // the clock may be set back between two runs of the service, too
  let now = connection.get<{ at: number }>('SELECT at FROM changes ORDER BY seq DESC LIMIT 1')?.at ?? 0
  let [alike, running] = [{}, '']
  return {
    all: connection.all,
    get: connection.get,
    each: connection.each,
    run(sql, ...values) {
      const written = connection.run(sql, ...values)
      wrote(written.changes)
      return written
    },
    runLater(sql, ...values) {
      const run = connection.prepared(sql, ...values)
      later.add(() => wrote(run().changes), values)
    },
    trial: (work) => later.without(() => takenBack(connection, work)),
    get now() {
      return now
    },
    get alike() {
      return alike
    },
    forget: () => void (alike = {}),
    begin(command) {
      now = Math.max(now, Date.now())
      if (command !== running) alike = {}
      running = command
    },
  }
}

function call(commands: Commands, transaction: GroupTransaction, asked: Asked): unknown {
  const command = commands[asked.command]
  if (command === undefined) throw new Error(`there is no command ${asked.command}`)
  transaction.begin(asked.command)
  // whoever asked knows what the command takes
  return command(transaction, asked.caller, asked.input as never)
}

interface Outcome {
  readonly later: LaterStatements
  readonly lose: (error: unknown) => void
  readonly forget: () => void
}

/** A failure takes back its own command only; one of the disk takes the group with it. */
function runOne(connection: Connection, run: () => unknown, { later, lose, forget }: Outcome): Answer {
  try {
    connection.run('SAVEPOINT command')
    const result = run()
    if (result instanceof Promise) throw new TypeError('a command waits for nothing')
    connection.run('RELEASE command')
    later.settle(true)
    return { result }
  } catch (error) {
    later.settle(false)
    forget()
    if (isOfDisk(error)) lose(error)
    else connection.exec('ROLLBACK TO command; RELEASE command')
    return { error }
  }
}

function attempt(step: () => unknown, lose: (error: unknown) => void): void {
  try {
    step()
  } catch (error) {
    lose(error)
  }
}

/** SQLite takes a transaction back itself after some errors and not after others. */
function tryRollback(connection: Connection): void {
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

function refusalOf(error: unknown): Error {
  if (isStorageFailure(error)) return error
  return sqliteCode(error) === SQLITE.full ? diskFull(error) : notWriting(error)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
