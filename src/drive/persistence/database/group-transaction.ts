/** What the commands of a group write through: one object for as long as the writer lives. */
import { makeClock } from './clock.ts'
import type { Connection } from './connection.ts'
import type { Transaction } from './database.ts'
import { type DeferredStatements, takenBack } from './deferred-statements.ts'

export interface GroupTransaction extends Transaction {
  readonly forget: () => void
  /** A transaction begins: others may have written since the one before. */
  readonly open: () => void
  /** A command begins. */
  readonly begin: (command: string) => void
  /** It may have written something. */
  readonly hasWritten: () => boolean
}

export function groupTransaction(
  connection: Connection,
  later: DeferredStatements,
  wrote: (changes: number) => void,
): GroupTransaction {
  const clock = makeClock(connection)
  let now = 0
  const groupCache = new Map<string, unknown>()
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
      // when it fails its savepoint stays open
      hasWritten = true
      later.without(() => takenBack(connection, work))
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

/** Another number when another connection has written: https://www.sqlite.org/pragma.html#pragma_data_version */
function readDataVersion(connection: Connection): number | undefined {
  return connection.get<{ data_version: number }>('PRAGMA data_version')?.data_version
}
