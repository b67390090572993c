/**
 * Runs the library's commands on a separate store, each in a savepoint and without disk writes, for long histories.  [disk]
 */
import { afterAll, beforeEach } from 'vitest'
import { immediateStatements } from '../../src/drive/persistence/database/group-transaction.ts'
import { COMMANDS, type CommandName, OPERATOR } from '../../src/drive/domain/commands.ts'
import { addClient } from '../../src/drive/domain/accounts/clients.ts'
import { setUp } from '../../src/drive/domain/upkeep/row-checks.ts'
import { addUser } from '../../src/drive/domain/accounts/users.ts'
import type { Caller } from '../../src/drive/contract/failure.ts'
import type { Connection } from '../../src/drive/persistence/database/connection.ts'
import type { Database, Transaction } from '../../src/drive/persistence/database/database.ts'
import { makeFolder, storeFolder } from '../../src/drive/persistence/folder.ts'
import { openForWriting } from '../../src/drive/persistence/database/open-database.ts'

type Run<Name extends CommandName> = (typeof COMMANDS)[Name]

export interface Library {
  readonly db: Database
  /** Two users with one program each. */
  readonly callers: readonly [Caller, Caller]
  /** @throws the command's error; its changes are rolled back */
  readonly run: <Name extends CommandName>(
    name: Name,
    caller: Caller,
    input: Parameters<Run<Name>>[2],
  ) => ReturnType<Run<Name>>
  /** ms since 1970 */
  readonly now: () => number
  /** Advances the clock by so many ms. */
  readonly wait: (time: number) => void
  /** Rolls back to the opening of the library. */
  readonly reset: () => void
  readonly close: () => void
}

/** A library for the tests of a file, each of which finds it as it was opened. */
export async function libraryOfFile(path: string): Promise<Library> {
  const library = await openLibrary(path)
  beforeEach(() => library.reset())
  afterAll(() => library.close())
  return library
}

export async function openLibrary(path: string): Promise<Library> {
  const folder = storeFolder(path)
  makeFolder(folder)
  const connection = await openForWriting(folder.database)
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') }
  const tx: Transaction = {
    all: connection.all,
    get: connection.get,
    each: connection.each,
    memory: connection.memory,
    run: connection.run,
    ...immediateStatements(connection),
    get now() {
      return clock.now
    },
  }
  connection.exec('BEGIN')
  const callers = makeCallers(tx)
  connection.exec('SAVEPOINT empty')
  return {
    db: connection,
    callers,
    run(name, caller, input) {
      clock.now += 1000
      // input and result have the types of the named command
      return inSavepoint(connection, () => COMMANDS[name](tx, caller, input as never)) as never
    },
    now: () => clock.now,
    wait: (time) => {
      clock.now += time
    },
    reset() {
      connection.exec('ROLLBACK TO empty')
    },
    close() {
      connection.exec('ROLLBACK')
      connection.close()
    },
  }
}

function makeCallers(tx: Transaction): [Caller, Caller] {
  setUp(tx, OPERATOR, { email: 'ada@example.org', digest: 'a' })
  const other = addUser(tx, OPERATOR, { email: 'bo@example.org' }).pk
  const client = addClient(tx, OPERATOR, { id: 'other' }).pk
  const first = tx.get<{ user: number; client: number }>('SELECT user, client FROM tokens')
  if (first === undefined) throw new Error('there is no token')
  return [
    { ...first, scopes: ['drive'] },
    { user: other, client, scopes: ['drive'] },
  ]
}

function inSavepoint<Result>(connection: Connection, work: () => Result): Result {
  connection.exec('SAVEPOINT command')
  try {
    const result = work()
    connection.exec('RELEASE command')
    return result
  } catch (error) {
    connection.exec('ROLLBACK TO command; RELEASE command')
    throw error
  }
}
