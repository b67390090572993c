/** What the commands of a group write through: one object for as long as the writer lives. */
import { lastSaid, makeClock } from './clock.ts'
import type { Connection } from './connection.ts'
import type { Transaction } from './database.ts'
import { type DeferredStatements, takenBack } from './deferred-statements.ts'

export interface GroupTransaction extends Transaction {
  readonly forget: () => void
  /** Between groups: somebody else has changed the database by the same connection, perhaps by a clock that is ahead. */
  readonly changedElsewhere: () => void
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
  const groupCache = new Map<string, unknown>()
  const clock = followingClock(connection, groupCache)
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
    changedElsewhere: clock.changedElsewhere,
    open() {
      const next = readDataVersion(connection)
      if (next !== version) groupCache.clear()
      version = next
    },
    begin(command) {
      now = clock.read()
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

/** Others may have a clock that is ahead; nothing that was known of the database holds when they have written. */
function followingClock(connection: Connection, groupCache: Map<string, unknown>) {
  const own = makeClock(connection)
  let earliest = 0
  return {
    read: () => Math.max(own(), earliest),
    changedElsewhere: () => {
      groupCache.clear()
      connection.memory.clear()
      earliest = lastSaid(connection)
    },
  }
}
