/** Detects writes by other programs to a server's copy, through SQLite or directly to its files.  [disk] */
import { statSync } from 'node:fs'
import type { Connection } from '../database/connection.ts'
import { CopyDiffers } from './replica.ts'

export interface CopyGuard {
  /** Works inside and outside a transaction. @throws {CopyDiffers} */
  readonly check: () => void
  /** Also checks the write-ahead log. Call it outside a transaction. @throws {CopyDiffers} */
  readonly checkAll: () => void
  /** Call it after each transaction of this server. */
  readonly wrote: () => void
  /** Runs a checkpoint. @throws {CopyDiffers} */
  readonly during: (checkpoint: () => void) => void
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
    if (differ(stamp(file), inDatabase)) throw changed(`another program has written to ${file}`)
  }
  return {
    check,
    checkAll() {
      check()
      if (differ(stamp(wal), inWal)) throw changed(`another program has written to ${wal}`)
    },
    wrote: () => void (inWal = stamp(wal)),
    during(checkpoint) {
      check()
      checkpoint()
      ;[inDatabase, inWal] = [stamp(file), stamp(wal)]
    },
  }
}

function changed(reason: string): CopyDiffers {
  return new CopyDiffers(`the copy of the store was changed: ${reason}`)
}

type Stamp = readonly [inode: number, size: number, modified: number]

/** Clocks of file systems tick every few milliseconds, so numbers that lose some nanoseconds are enough. */
function stamp(path: string): Stamp | undefined {
  // Windows updates the modification time only when the file is closed
  if (process.platform === 'win32') return undefined
  const found = statSync(path, { throwIfNoEntry: false })
  return found && [found.ino, found.size, found.mtimeMs]
}

function differ(one: Stamp | undefined, other: Stamp | undefined): boolean {
  return one?.[0] !== other?.[0] || one?.[1] !== other?.[1] || one?.[2] !== other?.[2]
}
