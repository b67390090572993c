/** Notices that somebody else has written to a server's copy: by SQLite, or to the bytes of its files.  [disk] */
import { statSync } from 'node:fs'
import type { Connection } from '../database/connection.ts'
import { CopyDiffers } from './replica.ts'

export interface CopyGuard {
  /** Anywhere in a transaction or outside. @throws {CopyDiffers} */
  readonly check: () => void
  /** Outside of a transaction: of the write-ahead log, too. @throws {CopyDiffers} */
  readonly checkAll: () => void
  /** A transaction of this server has ended. */
  readonly wrote: () => void
  /** Runs a checkpoint. @throws {CopyDiffers} */
  readonly during: <Result>(checkpoint: () => Result) => Result
}

/** `connection`: the only one that writes to `file`. */
export function guardCopy(connection: Connection, file: string): CopyGuard {
  const wal = `${file}-wal`
  // another number when another connection has written: https://www.sqlite.org/pragma.html#pragma_data_version
  const readVersion = () => connection.get<{ data_version: number }>('PRAGMA data_version')?.data_version
  const version = readVersion()
  let [inDatabase, inWal] = [stamp(file), stamp(wal)]
  const check = () => {
    if (readVersion() !== version) throw changed('another program has written to it')
    if (stamp(file) !== inDatabase) throw changed(`another program has written to ${file}`)
  }
  return {
    check,
    checkAll() {
      check()
      if (stamp(wal) !== inWal) throw changed(`another program has written to ${wal}`)
    },
    wrote: () => void (inWal = stamp(wal)),
    during(checkpoint) {
      check()
      const result = checkpoint()
      ;[inDatabase, inWal] = [stamp(file), stamp(wal)]
      return result
    },
  }
}

function changed(reason: string): CopyDiffers {
  return new CopyDiffers(`the copy of the store was changed: ${reason}`)
}

/** File and time of its last write; the clock of a file system has ticks of some milliseconds. */
function stamp(path: string): string {
  // Windows notes the time of a write when the file is closed
  if (process.platform === 'win32') return ''
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`
}
