/** Moves what was committed from the log into the database file, when there is much of it or nothing else to do. */
import type { Connection } from './connection.ts'
import { SQLITE, sqliteCode } from './sqlite.ts'

/** Rows written, about as many pages of the log at most. */
const MUCH = 20_000
/** Milliseconds without a command. */
const IDLE = 1000

/** Between groups; when nothing was asked for the time that was answered; before the connection is closed. */
export type Moment = 'between' | 'idle' | 'end'

/** Answers after how many milliseconds without a command it wants to be called again; undefined: not before there is one. */
export type Checkpoint = (moment: Moment) => number | undefined

export interface CheckpointOptions {
  readonly warn: (text: string) => void
  /** The disk has little room: the log must not grow. */
  readonly isShort: () => boolean
}

/** Errors that are not lack of space are thrown: the disk failed. */
export function checkpointer(
  connection: Connection,
  takeWritten: () => number,
  { warn, isShort }: CheckpointOptions,
): Checkpoint {
  let waiting = 0
  return (moment) => {
    waiting += takeWritten()
    const isDue = waiting > (moment === 'between' && !isShort() ? MUCH : 0)
    // the package closes a connection only when its statements are collected as garbage, so it must be done here
    if (isDue || moment === 'end') {
      moveInto(connection, moment === 'end' ? 'TRUNCATE' : 'PASSIVE', warn)
      waiting = 0
    }
    return waiting > 0 ? IDLE : undefined
  }
}

function moveInto(connection: Connection, kind: 'PASSIVE' | 'TRUNCATE', warn: (text: string) => void): void {
  try {
    connection.all(`PRAGMA wal_checkpoint(${kind})`)
  } catch (error) {
    const code = sqliteCode(error)
    // nothing is lost: the log holds it until there is space, or until nobody reads what it replaces
    if (code !== SQLITE.full && code !== SQLITE.busy) throw error
    warn(
      code === SQLITE.full
        ? 'the disk is full: changes stay in the log'
        : 'a long read keeps changes in the log',
    )
  }
}
