/** Files of contents, named by SHA-256. A file appears under its name only when it is complete and synced.  [disk] */
import { type FileHandle, link, mkdir, open, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from '../database/database.ts'

export interface BlobFiles {
  readonly pathOf: (sha256: string) => string
  /** Moves a synced file to its final path. */
  readonly move: (from: string, sha256: string) => Promise<void>
  /** Links a synced file to its final path and keeps the original. An upload deletes its original once the row is written. */
  readonly share: (from: string, sha256: string) => Promise<void>
}

export function blobFiles(folder: string): BlobFiles {
  // one level of folders: with a second one, nearly every content of a small store would need a new folder and two
  // more syncs
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256)
  const ready = durableFolders(folder)
  const publish = async (put: (target: string) => Promise<void>, sha256: string) => {
    const target = pathOf(sha256)
    await ready(dirname(target))
    await put(target)
    await syncDirectory(dirname(target))
  }
  return {
    pathOf,
    move: (from, sha256) => publish((target) => rename(from, target), sha256),
    share: (from, sha256) => publish((target) => linkOver(from, target), sha256),
  }
}

/**
 * Creates folders durably. Each folder is synced once, and concurrent callers share that sync: a folder that exists may
 * not be on disk yet.
 */
function durableFolders(top: string): (folder: string) => Promise<void> {
  const known = new Map<string, Promise<void>>([[top, Promise.resolve()]])
  const make = async (folder: string) => {
    await ready(dirname(folder))
    await makeUnlessThere(folder)
    await syncDirectory(dirname(folder))
  }
  const ready = (folder: string): Promise<void> => {
    const started = known.get(folder)
    if (started !== undefined) return started
    const making = make(folder)
    known.set(folder, making)
    making.catch(() => known.delete(folder))
    return making
  }
  return ready
}

/** Without `recursive`, because Node then hides ENOSPC. */
async function makeUnlessThere(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
}

/**
 * Replaces an existing file, which may be damaged, while the new bytes have just been digested. Links to a temporary
 * name first, because only a rename replaces.
 */
async function linkOver(from: string, target: string): Promise<void> {
  const beside = `${from}.link`
  await removeIfThere(beside)
  await link(from, beside)
  await rename(beside, target)
  // a rename between two links of one file does nothing and keeps both names
  await removeIfThere(beside)
}

export function syncDirectory(folder: string): Promise<void> {
  return withFile(folder, 'r', (handle) => handle.sync())
}

export function syncFile(path: string): Promise<void> {
  return withFile(path, 'r+', (file) => file.datasync())
}

/** Opens the file for the duration of `work`. */
export async function withFile<Result>(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, flags)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

export async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

/** Size in bytes and age in ms. */
export async function statIfThere(
  path: string,
): Promise<{ readonly size: number; readonly age: number } | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    return { size, age: Date.now() - mtimeMs }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Tells whether a system call failed. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Includes an exhausted disk quota (EDQUOT). */
export function isDiskFull(error: unknown): boolean {
  return isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT')
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Tells whether a row names a content in a file. */
export function isNamed(read: Database, sha256: string): boolean {
  return read.get(`SELECT 1 FROM blobs WHERE sha256 = ? AND kind = 'file'`, sha256) !== undefined
}
