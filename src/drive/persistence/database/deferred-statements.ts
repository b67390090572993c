/**
 * Statements deferred to the end of a group. A full-text index writes a new segment whenever a savepoint is opened.
 * Within the commands this would cost as much as everything else together.
 */
import type { Transaction, Value, Written } from './database.ts'

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
const MUCH = 1 << 18

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
    isMuch: () => size > MUCH,
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
