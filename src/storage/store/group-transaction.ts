/** What the commands of a group write through: one object for as long as the writer lives. */
import type { Connection } from './connection.ts'
import type { Transaction } from './database.ts'
import { type LaterStatements, takenBack } from './later-statements.ts'

export interface GroupTransaction extends Transaction {
  readonly forget: () => void
  /** A command begins. */
  readonly begin: (command: string) => void
  /** It may have written something. */
  readonly hasWritten: () => boolean
}

export function groupTransaction(
  connection: Connection,
  later: LaterStatements,
  wrote: (changes: number) => void,
): GroupTransaction {
  // the clock may be set back between two runs of the service, too
  let now = connection.get<{ at: number }>('SELECT at FROM changes ORDER BY seq DESC LIMIT 1')?.at ?? 0
  let [alike, running, hasWritten] = [{}, '', false]
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
    runLater(sql, ...values) {
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
    get alike() {
      return alike
    },
    forget: () => void (alike = {}),
    begin(command) {
      now = Math.max(now, Date.now())
      if (command !== running) alike = {}
      running = command
      hasWritten = false
    },
    hasWritten: () => hasWritten,
  }
}
