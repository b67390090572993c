/** Transaction through which the commands of all groups write. It lives as long as the writer. */
import { lastRecordedTime, makeClock } from './clock.ts'
import type { Connection } from './connection.ts'
import type { Transaction } from './database.ts'
import { type DeferredStatements, runAndRollBack } from './deferred-statements.ts'

export interface GroupTransaction extends Transaction {
  readonly forget: () => void
  /** Call between groups after entries of other servers were applied on this connection. Their clock may be ahead. */
  readonly changedElsewhere: () => void
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

/** Changes when another connection writes: https://www.sqlite.org/pragma.html#pragma_data_version */
function readDataVersion(connection: Connection): number | undefined {
  return connection.get<{ data_version: number }>('PRAGMA data_version')?.data_version
}

/** Clock that never falls behind other servers' clocks. Their writes also invalidate all caches. */
function followingClock(connection: Connection, groupCache: Map<string, unknown>) {
  const own = makeClock(connection)
  let earliest = 0
  return {
    read: () => Math.max(own(), earliest),
    changedElsewhere: () => {
      groupCache.clear()
      connection.memory.clear()
      earliest = lastRecordedTime(connection)
    },
  }
}
