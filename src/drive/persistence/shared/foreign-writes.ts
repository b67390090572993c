/** Detects writes by other programs to a server's copy, through SQLite or directly to its files.  [disk] */
import { statSync } from 'node:fs'
import type { Connection } from '../database/connection.ts'
import { CopyDiffers } from './server-copy.ts'

export interface CopyGuard {
  /** Works inside and outside a transaction. @throws {CopyDiffers} */
  readonly check: () => void
  /** Also checks the write-ahead log. Call it outside a transaction. @throws {CopyDiffers} */
  readonly checkAll: () => void
  /** Call it after each transaction of this server. */
  readonly wrote: () => void
  /** Runs a checkpoint. @throws {CopyDiffers} */
  readonly during: <Result>(checkpoint: () => Result) => Result
}

/** `connection` is the only one that writes to `file`. */
export function guardCopy(connection: Connection, file: string): CopyGuard {
  const wal = `${file}-wal`
  // changes when another connection writes: https://www.sqlite.org/pragma.html#pragma_data_version
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

/** Inode, size and modification time. Clocks of file systems tick every few milliseconds. */
function stamp(path: string): string {
  // Windows updates the modification time only when the file is closed
  if (process.platform === 'win32') return ''
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`
}
