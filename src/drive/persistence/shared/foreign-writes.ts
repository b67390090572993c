/** Detects writes by other programs to a server's copy, through SQLite or directly to its files.  [disk] */
import { type Stats, statSync } from 'node:fs'
import type { Connection } from '../database/connection.ts'
import { readDataVersion } from '../database/group-transaction.ts'
import { CopyDiffers } from './server-copy.ts'

export interface CopyGuard {
  /** Checks the database. Within a transaction that writes it is true until the commit. @throws {CopyDiffers} */
  readonly check: () => void
  /** Checks the write-ahead log. Call it outside a transaction. @throws {CopyDiffers} */
  readonly checkLog: () => void
  /** Call it after each transaction of this server. */
  readonly wrote: () => void
  /** Runs a checkpoint. @throws {CopyDiffers} */
  readonly during: <Result>(checkpoint: () => Result) => Result
}

/** `connection` is the only one that writes to `file`. */
export function guardCopy(connection: Connection, file: string): CopyGuard {
  const wal = `${file}-wal`
  const version = readDataVersion(connection)
  let [inDatabase, inWal] = [stampOf(file), stampOf(wal)]
  const check = () => {
    if (readDataVersion(connection) !== version) throw changed('another program has written to it')
    if (isOther(stampOf(file), inDatabase)) throw changed(`another program has written to ${file}`)
  }
  return {
    check,
    checkLog() {
      if (isOther(stampOf(wal), inWal)) throw changed(`another program has written to ${wal}`)
    },
    wrote: () => void (inWal = stampOf(wal)),
    during(checkpoint) {
      check()
      const result = checkpoint()
      ;[inDatabase, inWal] = [stampOf(file), stampOf(wal)]
      return result
    },
  }
}

function changed(reason: string): CopyDiffers {
  return new CopyDiffers(`the copy of the store was changed: ${reason}`)
}

type Stamp = Pick<Stats, 'ino' | 'size' | 'mtimeMs'>

/** Clocks of file systems tick every few milliseconds. */
function stampOf(path: string): Stamp | undefined {
  // Windows updates the modification time only when the file is closed
  return process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false })
}

function isOther(one: Stamp | undefined, two: Stamp | undefined): boolean {
  return one?.mtimeMs !== two?.mtimeMs || one?.size !== two?.size || one?.ino !== two?.ino
}
