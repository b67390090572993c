/**
 * Statements that wait for the end of a group. A full-text index writes what it was given, as a segment of its own, whenever a
 * savepoint is opened: written within the commands it costs as much as all the rest of them.
 */
import type { Transaction, Value, Written } from './database.ts'

export interface DeferredStatements {
  readonly add: (run: () => void, values: readonly Value[]) => void
  /** What is added while it works is dropped. */
  readonly without: (work: () => void) => void
  /** What the command added counts, or is dropped, as the command itself. */
  readonly settle: (isDone: boolean) => void
  /** So much waits that it is better run now, with no savepoint open. */
  readonly isMuch: () => boolean
  /** In the order added. */
  readonly run: () => void
  readonly drop: () => void
}

/** Characters and bytes: contents of texts wait in memory. */
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

/** @throws what `work` throws: then nothing is taken back yet */
export function takenBack(connection: Runner, work: () => void): void {
  connection.run('SAVEPOINT trial')
  work()
  connection.run('ROLLBACK TO trial')
  connection.run('RELEASE trial')
}

/** Of a transaction in which nothing waits. */
export function atOnce(connection: Pick<Transaction, 'run'>): Pick<Transaction, 'runDeferred' | 'trial'> {
  return { runDeferred: connection.run, trial: (work) => takenBack(connection, work) }
}

function isLong(value: Value): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array
}
