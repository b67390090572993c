/**
 * Transaction through which the commands of all groups write. It lives as long as the writer. Statements may be deferred
 * to the end of a group: a full-text index writes a new segment whenever a savepoint is opened, which would cost as much
 * as everything else together.
 */
import { makeClock } from './clock.ts'
import type { Connection } from './connection.ts'
import type { Transaction, Value, Written } from './database.ts'

export interface GroupTransaction extends Transaction {
  readonly forget: () => void
  /** Call at the start of a transaction. Clears the cache if another connection has written. */
  readonly open: () => void
  /** Call at the start of a command. */
  readonly begin: (command: string) => void
  /** True if the command may have written. */
  readonly hasWritten: () => boolean
}

export function groupTransaction(
  connection: Connection,
  later: DeferredStatements,
  wrote: (changes: number) => void,
): GroupTransaction {
  const groupCache = new Map<string, unknown>()
  const clock = makeClock(connection)
  let now = 0
  let [running, hasWritten] = ['', false]
  let version = readDataVersion(connection)
  return {
    all: connection.all,
    get: connection.get,
    each: connection.each,
    run(sql, ...values) {
      hasWritten = true
      const written = connection.run(sql, ...values)
      wrote(written.changes)
      return written
    },
    runDeferred(sql, ...values) {
      const run = connection.prepared(sql, ...values)
      later.add(() => wrote(run().changes), values)
    },
    trial(work) {
      // a failed trial leaves its savepoint open
      hasWritten = true
      later.without(() => runAndRollBack(connection, work))
    },
    get now() {
      return now
    },
    memory: connection.memory,
    groupCache,
    forget: () => groupCache.clear(),
    open() {
      const next = readDataVersion(connection)
      if (next !== version) groupCache.clear()
      version = next
    },
    begin(command) {
      now = clock()
      if (command !== running) groupCache.clear()
      running = command
      hasWritten = false
    },
    hasWritten: () => hasWritten,
  }
}

/** Changes when another connection writes: https://www.sqlite.org/pragma.html#pragma_data_version */
function readDataVersion(connection: Connection): number | undefined {
  return connection.get<{ data_version: number }>('PRAGMA data_version')?.data_version
}

export interface DeferredStatements {
  readonly add: (run: () => void, values: readonly Value[]) => void
  /** Drops statements added during `work`. */
  readonly without: (work: () => void) => void
  /** Keeps or drops the statements of the current command. */
  readonly settle: (isDone: boolean) => void
  /** True if the waiting statements take so much memory that they must run now, without a savepoint. */
  readonly isMuch: () => boolean
  readonly run: () => void
  readonly drop: () => void
}

/** Characters and bytes waiting in memory. */
const MAX_WAITING_LENGTH = 1 << 18

export function deferredStatements(): DeferredStatements {
  const waiting: (() => void)[] = []
  const ofCommand: (() => void)[] = []
  let size = 0
  return {
    add(run, values) {
      ofCommand.push(run)
      for (const value of values) if (isLong(value)) size += value.length
    },
    without(work) {
      const before = ofCommand.length
      work()
      ofCommand.length = before
    },
    settle(isDone) {
      if (isDone) for (const run of ofCommand) waiting.push(run)
      ofCommand.length = 0
    },
    isMuch: () => size > MAX_WAITING_LENGTH,
    run() {
      size = 0
      for (const run of waiting.splice(0)) run()
    },
    drop() {
      size = 0
      ofCommand.length = 0
      waiting.length = 0
    },
  }
}

interface Runner {
  readonly run: (sql: string) => Written
}

/** @throws errors of `work`; the savepoint is then still open */
export function runAndRollBack(connection: Runner, work: () => void): void {
  connection.run('SAVEPOINT trial')
  work()
  connection.run('ROLLBACK TO trial')
  connection.run('RELEASE trial')
}

/** Implementation for a transaction without deferred statements: they run at once. */
export function immediateStatements(
  connection: Pick<Transaction, 'run'>,
): Pick<Transaction, 'runDeferred' | 'trial'> {
  return { runDeferred: connection.run, trial: (work) => runAndRollBack(connection, work) }
}

function isLong(value: Value): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array
}
