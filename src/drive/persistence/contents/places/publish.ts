/** Moves a content from a local file into the place of the contents. Returns the data for its row.  [disk, network] */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { removeIfThere } from '../blob-files.ts'
import type { Staged } from '../blob-rows.ts'
import type { Database } from '../../database/database.ts'
import type { StoreFolder } from '../../folder.ts'
import type { Staging } from '../staging.ts'
import type { HeadFiles } from './heads.ts'
import type { ContentPlace, PlacedContents } from './place.ts'
import { lastWithdrawal } from './withdrawals.ts'

interface Publishing {
  readonly place: ContentPlace
  readonly read: Database
  /** Head cache, for a place whose contents commands cannot read. */
  readonly heads: HeadFiles | undefined
}

/** @throws {StorageFailure} 503 — the place is out of reach, or a clean-up is removing the same content */
export function publishing({ place, read, heads }: Publishing): Pick<Staging, 'move' | 'share'> {
  const { pathOf, publish, arriving } = place.contents
  const placed = async (put: PlacedContents['publish'], path: string, content: Staged): Promise<Staged> => {
    if (pathOf !== undefined) {
      await put(path, content)
      return { ...content, path: pathOf(content.sha256) }
    }
    // read before the put, so the command that writes the row detects any later withdrawal
    const withdrawal = lastWithdrawal(read, content.sha256)
    await put(path, content)
    await heads?.keep(path, content.sha256)
    return { ...content, withdrawal }
  }
  return {
    share: (path, content) => placed(publish, path, content),
    async move(path, content) {
      const moved = await placed(arriving?.adopt ?? publish, path, content)
      if (arriving === undefined) await removeIfThere(path)
      return moved
    },
  }
}

/** Folder for bytes in transit at this server. It is emptied at every start. */
export function emptySpool({ path }: StoreFolder): string {
  const spool = join(path, 'spool')
  rmSync(spool, { recursive: true, force: true })
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  return spool
}
