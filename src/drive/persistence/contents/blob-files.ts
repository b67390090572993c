/** Contents as files named by their SHA-256, each in its place only when whole and on disk.  [disk] */
import { type FileHandle, link, mkdir, open, opendir, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from '../database/database.ts'
import type { StoreFolder } from '../folder.ts'

export interface BlobFiles {
  readonly pathOf: (sha256: string) => string
  /** Moves a synced file into its place. */
  readonly move: (from: string, sha256: string) => Promise<void>
  /** The same, and leaves it where it is as well: an upload is given up when its row is written. */
  readonly share: (from: string, sha256: string) => Promise<void>
}

export function blobFiles(folder: string): BlobFiles {
  // one level: with two nearly every content of a small store would need a new folder, and two more syncs
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256)
  const ready = durableFolders(folder)
  const publish = async (place: (target: string) => Promise<void>, sha256: string) => {
    const target = pathOf(sha256)
    await ready(dirname(target))
    await place(target)
    await syncDirectory(dirname(target))
  }
  return {
    pathOf,
    move: (from, sha256) => publish((target) => rename(from, target), sha256),
    share: (from, sha256) => publish((target) => linkOver(from, target), sha256),
  }
}

/**
 * Makes folders so that their names are on disk, too. One that another request has just made may not be: each is
 * synced once, and everybody waits for that.
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

/** Not `recursive`: Node then hides that the disk is full. */
async function makeUnlessThere(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
}

/**
 * Takes the place of a file that is there: that one may be damaged, while these bytes have just been digested. Beside it first,
 * since only a rename replaces.
 */
async function linkOver(from: string, target: string): Promise<void> {
  const beside = `${from}.link`
  await removeIfThere(beside)
  await link(from, beside)
  await rename(beside, target)
  // of two names of one file the rename leaves both
  await removeIfThere(beside)
}

export async function syncDirectory(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

/** The file, or undefined when there is none. */
export async function openIfThere(path: string, flags: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, flags)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** A call of the system failed. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Also where a quota of the system is used up. */
export function isDiskFull(error: unknown): boolean {
  return isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT')
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

const ASIDE = /^aside-([0-9a-f]{64})$/

export function isNamed(read: Database, sha256: string): boolean {
  return read.get(`SELECT 1 FROM blobs WHERE sha256 = ? AND place = 'file'`, sha256) !== undefined
}

/** Puts back what a row names. */
export async function restoreAside(folder: StoreFolder, read: Database): Promise<void> {
  for await (const { name } of await opendir(folder.staging)) {
    const sha256 = ASIDE.exec(name)?.[1]
    if (sha256 !== undefined && isNamed(read, sha256))
      await blobFiles(folder.blobs).move(join(folder.staging, name), sha256)
  }
}
