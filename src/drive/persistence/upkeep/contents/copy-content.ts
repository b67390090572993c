/** Copies contents from one place to another: complete, verified, durable.  [disk, network] */
import { createWriteStream } from 'node:fs'
import { constants, copyFile, link, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { HlaError } from '../../../../errors.ts'
import { isCode, removeIfThere, statIfThere, syncFile } from '../../contents/blob-files.ts'
import type { BlobRow } from '../../contents/blob-rows.ts'
import type { Database } from '../../database/database.ts'
import { digestFile } from '../../contents/staging.ts'
import { LostObject, type PlacedContents, type SizedContent } from '../../contents/places/place.ts'
import type { Digests } from '../../contents/digest.ts'

export interface CopiedContents {
  readonly count: number
  readonly bytes: number
}

/** Method of placing a file in a folder. */
export type Copying = 'link' | 'copy'

/**
 * Copies all contents that `rows` names: complete, verified, durable. Links take no space on the same disk, but later
 * damage affects both.
 * @throws {HlaError} data-differs — a content is not what its name says; {StorageFailure} 503
 */
export function copyContents(
  from: PlacedContents,
  to: PlacedContents,
  rows: Database,
  copying: Copying,
): Promise<CopiedContents> {
  return eachContent(rows, (row) => copyContent(from, to, row, copying === 'link'))
}

/** Copies in parallel: each waits for the disk or the network. */
const COPIES_AT_ONCE = 8

/** Calls `work` for every content in a file that `rows` names. @returns their count and bytes */
async function eachContent(rows: Database, work: (row: BlobRow) => Promise<void>): Promise<CopiedContents> {
  let [count, bytes] = [0, 0]
  const named = rows.each<BlobRow>(
    `SELECT pk, sha256, size, kind FROM blobs WHERE kind = 'file' ORDER BY sha256`,
  )
  // the lanes share one iterator, so a lane that fails ends the others
  const lane = async () => {
    for (const row of named) {
      count++
      bytes += row.size
      await work(row)
    }
  }
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, lane))
  return { count, bytes }
}

async function copyContent(
  from: PlacedContents,
  to: PlacedContents,
  row: BlobRow,
  isLinking: boolean,
): Promise<void> {
  const path = from.pathOf?.(row.sha256)
  if (path !== undefined && !isLinking) return putFile(path, to, row)
  if (to.arriving === undefined) throw new Error('contents get into a bucket from a folder')
  const staged = join(to.arriving.folder, `part-${row.sha256}`)
  if (path === undefined) {
    await fetchInto(staged, from, row)
    await verify(staged, row)
    // a link has the same bytes
  } else if (await linkOrNot(path, staged)) await requireSize(staged, row)
  else return putFile(path, to, row)
  await to.arriving.adopt(staged, row)
}

/** Copies a file of any name into a content place. @throws {HlaError} data-differs — it has other bytes; {StorageFailure} 503 */
export async function putFile(path: string, to: PlacedContents, row: SizedContent): Promise<void> {
  if (to.arriving === undefined) {
    await to.publish(path, { ...(await verify(path, row)), size: row.size })
    return
  }
  const staged = join(to.arriving.folder, `part-${row.sha256}`)
  // the sweep sets files aside under the same name
  if (path === staged) await syncFile(staged)
  else await copyThere(path, staged)
  await verify(staged, row)
  await to.arriving.adopt(staged, row)
}

async function fetchInto(path: string, from: PlacedContents, row: BlobRow): Promise<void> {
  try {
    await pipeline(await from.open(row), createWriteStream(path, { mode: 0o600, flush: true }))
  } catch (error) {
    throw error instanceof LostObject ? differs(error.message, { cause: error }) : error
  }
}

/** Returns false if the files are on different disks or the file system lacks links. */
async function linkOrNot(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target)
    return true
  } catch (error) {
    if (
      isCode(error, 'EXDEV') ||
      isCode(error, 'EPERM') ||
      isCode(error, 'ENOTSUP') ||
      isCode(error, 'EMLINK')
    )
      return false
    throw missing(error, source)
  }
}

async function copyThere(source: string, target: string): Promise<void> {
  // the leftover of an interrupted attempt may be a link
  await removeIfThere(target)
  try {
    // shares blocks on file systems with copy-on-write
    await copyFile(source, target, constants.COPYFILE_FICLONE)
  } catch (error) {
    throw missing(error, source)
  }
  await syncFile(target)
}

/** Tells whether there is a file with these bytes. */
export async function hasContent(
  path: string,
  { size, sha256 }: Pick<BlobRow, 'size' | 'sha256'>,
): Promise<boolean> {
  const found = await statIfThere(path)
  return found?.size === size && (await digestFile(path, size)).sha256 === sha256
}

function missing(error: unknown, path: string): unknown {
  if (!isCode(error, 'ENOENT')) return error
  return differs(`the content ${path} is missing`, { offending: path, cause: error })
}

function differs(
  message: string,
  details: { readonly offending?: string; readonly cause?: unknown },
): HlaError {
  return new HlaError('data-differs', message, {
    hint: 'hla drive fsck lists everything that differs',
    ...details,
  })
}

async function verify(path: string, content: SizedContent): Promise<Digests> {
  await requireSize(path, content)
  const digests = await digestFile(path, content.size)
  if (digests.sha256 === content.sha256) return digests
  throw differs(`the content ${content.sha256} has other bytes than were stored`, { offending: path })
}

async function requireSize(path: string, { size }: SizedContent): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw missing(error, path)
  })
  if (found.size !== size)
    throw differs(`the content ${path} has ${found.size} bytes instead of ${size}`, { offending: path })
}
