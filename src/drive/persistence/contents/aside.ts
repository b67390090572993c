/** Contents that an earlier version was about to remove when it crashed lie aside; one of them may be wanted again.  [disk] */
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { blobFiles } from './blob-files.ts'
import type { Database } from '../database/database.ts'
import type { StoreFolder } from '../folder.ts'

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
