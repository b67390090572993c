/** Puts contents of a store's folder into a place that is none: whole, verified, durable.  [disk, network] */
import { open } from 'node:fs/promises'
import { HlaError } from '../../../../errors.ts'
import { blobFiles } from '../../contents/blob-files.ts'
import type { BlobRow } from '../../contents/blob-rows.ts'
import type { ContentPlace, PlacedContents } from '../../contents/places/place.ts'
import type { Digests } from '../../contents/digest.ts'
import { digestFile } from '../../contents/staging.ts'
import type { Database } from '../../database/database.ts'
import type { StoreFolder } from '../../folder.ts'
import { type CopiedContents, eachContent } from './copy-content.ts'

/** All that `rows` names, but for what is there. @throws {HlaError} data-differs — one is lost or damaged; {StorageFailure} 503 */
export async function sendContents(
  from: StoreFolder,
  { contents }: ContentPlace,
  rows: Database,
): Promise<CopiedContents> {
  const source = blobFiles(from.blobs)
  // of a copy that was cut off some are there: each is asked for
  const hasSome = await hasContents(contents)
  const sendOne = async ({ sha256, size }: BlobRow) => {
    // whole or not there: its name is its digest
    if (hasSome && (await contents.find(sha256))?.size === size) return
    const path = source.pathOf(sha256)
    const found = await digestsOf(path, size)
    if (found.sha256 !== sha256) throw differs(`the content ${sha256} has other bytes`, path)
    await contents.publish(path, { ...found, size })
  }
  return eachContent(rows, sendOne)
}

export async function hasContents(contents: PlacedContents): Promise<boolean> {
  for await (const { size } of contents.list()) if (size >= 0) return true
  return false
}

/** @throws {HlaError} data-differs — it is not there, or not as long */
async function digestsOf(path: string, size: number): Promise<Digests> {
  const file = await open(path).catch((error: unknown) => {
    throw differs('a content cannot be read', path, error)
  })
  try {
    if ((await file.stat()).size !== size) throw differs('a content is not as long as its row says', path)
    return await digestFile(file, size)
  } finally {
    await file.close()
  }
}

function differs(message: string, offending: string, cause?: unknown): HlaError {
  return new HlaError('data-differs', message, {
    offending,
    hint: 'hla drive fsck tells what else is',
    cause,
  })
}
