/** What a service that was killed has left in the staging folder, and the contents that it had published without a row.  [disk] */
import { readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database/database.ts'
import type { StoreFolder } from '../folder.ts'
import { isCode, removeIfThere } from './blob-files.ts'
import type { Removals } from './removals.ts'
import { digestFile } from './staging.ts'

/** True for the file of an upload that can go on. */
export function isOpenUpload(read: Database, name: string): boolean {
  return read.get(`SELECT 1 FROM uploads WHERE staged = ? AND state = 'open'`, name) !== undefined
}

/** Call before the first request. @returns removes the files that are there now */
export function listLeftBehind(folder: StoreFolder): (read: Database, removals: Removals) => Promise<void> {
  const names = readdirSync(folder.staging)
  return async (read, removals) => {
    for (const name of names) {
      const path = join(folder.staging, name)
      await settlePublished(path, removals)
      if (!isOpenUpload(read, name)) await removeIfThere(path)
    }
  }
}

/** A file with a second name has been published: its content stays only if a row names it. */
async function settlePublished(path: string, removals: Removals): Promise<void> {
  try {
    const { size, nlink } = await stat(path)
    if (nlink < 2) return
    const { sha256 } = await digestFile(path, size)
    removals.arrive(sha256)
    await removals.settle({ sha256, size })
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}
