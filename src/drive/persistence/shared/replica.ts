/** A server's own copy of a shared store: a database that follows the log, and says how far it has come.  [disk] */
import { errorMessage } from '../../../errors.ts'
import type { Connection } from '../database/connection.ts'
import { setPosition } from '../database/log-position.ts'
import { decodeEntry, replay } from './commit-entry.ts'
import type { LogEntry } from './commit-log.ts'

/** The copy is another database than the one that the entries were written on. */
export class CopyDiffers extends Error {}

/** All of them, or none. @throws {CopyDiffers} */
export function follow(connection: Connection, entries: readonly LogEntry[], from: number): number {
  let number = from
  const [last] = entries.slice(-1)
  if (last === undefined) return from
  connection.run('BEGIN IMMEDIATE')
  try {
    for (const entry of entries) {
      if (entry.number !== number + 1) throw new Error(`the log goes on from ${number} with ${entry.number}`)
      replay(connection, decodeEntry(entry.bytes))
      number = entry.number
    }
    setPosition(connection, number, last.bytes)
    connection.run('COMMIT')
    return number
  } catch (error) {
    connection.exec('ROLLBACK')
    throw new CopyDiffers(`the copy of the store cannot follow its log (${errorMessage(error)})`, {
      cause: error,
    })
  }
}
