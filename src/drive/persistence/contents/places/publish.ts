/** Brings a content from a file of this server into the place of all, and says what its row has to know.  [disk, network] */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Staged } from '../blob-rows.ts'
import type { Database } from '../../database/database.ts'
import type { StoreFolder } from '../../folder.ts'
import type { HeadFiles } from './heads.ts'
import type { ContentPlace } from './place.ts'
import { lastWithdrawal } from './withdrawals.ts'

interface Publishing {
  readonly place: ContentPlace
  readonly read: Database
  readonly heads: HeadFiles | undefined
}

/** @throws {StorageFailure} 503 — the place is out of reach, or a clean-up is removing the same content */
export async function published(
  { place, read, heads }: Publishing,
  path: string,
  content: Staged,
): Promise<Staged> {
  const { contents } = place
  if (contents.pathOf !== undefined) {
    await contents.publish(path, content)
    return { ...content, path: contents.pathOf(content.sha256) }
  }
  // before the bytes go: what is removed from now on is found by whoever writes the row
  const withdrawal = lastWithdrawal(read, content.sha256)
  await contents.publish(path, content)
  await heads?.keep(path, content.sha256)
  return { ...content, withdrawal }
}

/** For what arrives at this server alone. Nothing in it outlives the service. */
export function emptySpool({ path }: StoreFolder): string {
  const spool = join(path, 'spool')
  rmSync(spool, { recursive: true, force: true })
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  return spool
}
