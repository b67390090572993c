/** Atomic writes: a file is complete or absent, even when several processes write it.  [disk] */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isSystemError } from './system-error.ts'

/** The folder must exist. System errors (a read-only folder, a full disk) are left to the caller. */
export function writeAtomically(path: string, bytes: Uint8Array | string): void {
  const part = nameSibling(path, 'part')
  addErrorPath(path, () => {
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

/** A hidden name beside `path` that no other process uses; the complete file is renamed from it. */
export function nameSibling(path: string, ending: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.${ending}`)
}

/** Writes the file and synchronises it to the disk. */
export function writeDurably(path: string, bytes: Uint8Array | string, mode = 0o666): void {
  addErrorPath(path, () => {
    const file = openSync(path, 'w', mode)
    try {
      writeFileSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  })
}

/** Adds `path` to system errors of `run`: write errors, such as a full disk, come without one. */
export function addErrorPath<T>(path: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (isSystemError(error)) error.path = path
    throw error
  }
}

/** Creates the missing folders of a path, so that files synchronised in them survive a loss of power. */
export function makeFolderDurably(path: string): void {
  if (existsSync(path)) return
  makeFolderDurably(dirname(path))
  // another process may create it at the same time
  mkdirSync(path, { recursive: true })
  syncFolder(dirname(path))
}

/** Makes renames in a folder durable. Windows cannot open folders; there the rename alone must do. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Keeps a cache file if the folder can be written; otherwise the next start makes it again. */
export function keepIfAllowed(path: string, bytes: Uint8Array): void {
  try {
    writeAtomically(path, bytes)
  } catch (error) {
    if (!UNWRITABLE.has((error as NodeJS.ErrnoException).code)) throw error
  }
}

const UNWRITABLE: ReadonlySet<string | undefined> = new Set(['EACCES', 'EROFS', 'EPERM', 'ENOSPC'])
