/** Copies contents of a store into a folder, from a folder or a place that is none: whole, verified, durable.  [disk, network] */
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { HlaError } from '../../../../errors.ts'
import { blobFiles } from '../../contents/blob-files.ts'
import type { BlobRow } from '../../contents/blob-rows.ts'
import { type ContentPlace, LostObject } from '../../contents/places/place.ts'
import type { Database } from '../../database/database.ts'
import type { StoreFolder } from '../../folder.ts'
import type { ContentsOf } from './content-check.ts'
import { type CopiedContents, copyContents, type Copying, eachContent, hasContent } from './copy-content.ts'

/** From a folder, or from a place that is none. @throws as `copyContents` and `fetchContents` */
export function bringContents(
  { folder, place }: ContentsOf,
  to: StoreFolder,
  rows: Database,
  copying: Copying,
): Promise<CopiedContents> {
  return place === undefined ? copyContents(folder, to, rows, copying) : fetchContents(place, to, rows)
}

/** All that `rows` names, but for what is there. @throws {HlaError} data-differs — one is lost or damaged; {StorageFailure} 503 */
function fetchContents({ contents }: ContentPlace, to: StoreFolder, rows: Database): Promise<CopiedContents> {
  const target = blobFiles(to.blobs)
  const fetchOne = async (row: BlobRow) => {
    if (await hasContent(target.pathOf(row.sha256), row)) return
    const staged = join(to.staging, `part-${row.sha256}`)
    await pipeline(await contents.open(row), createWriteStream(staged, { mode: 0o600 })).catch(refuseLost)
    await synced(staged)
    if (!(await hasContent(staged, row))) throw differs(`the content ${row.sha256} has other bytes`)
    await target.move(staged, row.sha256)
  }
  return eachContent(rows, (row) => fetchOne(row).catch(refuseLost))
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

function refuseLost(error: unknown): never {
  throw error instanceof LostObject ? differs(error.message, error) : error
}

function differs(message: string, cause?: Error): HlaError {
  return new HlaError('data-differs', message, { hint: 'hla drive fsck tells what else is', cause })
}
