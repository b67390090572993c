/** Files that are either complete or absent, whoever else writes at the same time. [disk] */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isSystemError } from './system-error.ts'

/** The folder must exist. System errors (a read-only folder, a full disk) are left to the caller. */
export function writeAtomically(path: string, bytes: Uint8Array | string): void {
  const part = nameSibling(path, 'part')
  naming(path, () => {
    try {
      writeDurably(part, bytes)
      renameSync(part, path)
    } catch (error) {
      rmSync(part, { force: true })
      throw error
    }
  })
  syncFolder(dirname(path))
}

/** A hidden name next to `path` that no other process uses, to be renamed when it is whole. */
export function nameSibling(path: string, ending: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.${ending}`)
}

/** Writes and waits until the bytes are on the disk. */
export function writeDurably(path: string, bytes: Uint8Array | string, mode = 0o666): void {
  naming(path, () => {
    const file = openSync(path, 'w', mode)
    try {
      writeFileSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  })
}

/** A system error of `run` names this file: errors of writes, as on a full disk, come without a path. */
export function naming<T>(path: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (isSystemError(error)) error.path = path
    throw error
  }
}

/** Makes renames in a folder durable. Windows cannot open folders; there the rename itself has to do. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** A folder that cannot be written is no reason not to answer: what was made is made anew at the next start then. */
export function keepIfAllowed(path: string, bytes: Uint8Array): void {
  try {
    writeAtomically(path, bytes)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!['EACCES', 'EROFS', 'EPERM', 'ENOSPC'].includes(code)) throw error
  }
}
