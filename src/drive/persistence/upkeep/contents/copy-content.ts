/** Copies contents from one store's folder to another's: whole, verified, on disk.  [disk] */
import { constants, copyFile, link, open } from 'node:fs/promises'
import { join } from 'node:path'
import { HlaError } from '../../../../errors.ts'
import { type BlobFiles, blobFiles, isCode, openIfThere } from '../../contents/blob-files.ts'
import type { BlobRow } from '../../contents/blob-rows.ts'
import type { Database } from '../../database/database.ts'
import { digestFile } from '../../contents/staging.ts'
import type { StoreFolder } from '../../folder.ts'

export interface CopiedContents {
  readonly count: number
  readonly bytes: number
}

/** How a file gets to its new place beside that of others; `missing`: by copying, where it is not there yet with its bytes. */
export type Copying = 'link' | 'copy' | 'missing'

/**
 * All that `rows` names. Linking takes no space on the same disk, and what is damaged there later is damaged in both.
 * @throws {HlaError} data-differs — a content is not what its name says
 */
export async function copyContents(
  from: StoreFolder,
  to: StoreFolder,
  rows: Database,
  copying: Copying,
): Promise<CopiedContents> {
  const [source, target] = [blobFiles(from.blobs), blobFiles(to.blobs)]
  const there = { target, staging: to.staging, copying }
  return eachContent(rows, (row) => copyOne(source.pathOf(row.sha256), there, row))
}

/** Several at once: each waits for the disk or the network. */
const AT_ONCE = 8

/** Every content in a file that `rows` names. @returns how many, and their bytes */
export async function eachContent(
  rows: Database,
  work: (row: BlobRow) => Promise<void>,
): Promise<CopiedContents> {
  let [count, bytes] = [0, 0]
  const named = rows.each<BlobRow>(
    `SELECT pk, sha256, size, place FROM blobs WHERE place = 'file' ORDER BY sha256`,
  )
  // a lane that fails ends what is named, and so the others
  const lane = async () => {
    for (const row of named) {
      count++
      bytes += row.size
      await work(row)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return { count, bytes }
}

interface Target {
  readonly target: BlobFiles
  readonly staging: string
  readonly copying: Copying
}

async function copyOne(source: string, { target, staging, copying }: Target, row: BlobRow): Promise<void> {
  const { sha256, size } = row
  if (copying === 'missing' && (await hasContent(target.pathOf(sha256), row))) return
  const staged = join(staging, `part-${sha256}`)
  if (copying === 'link' && (await linkOrNot(source, staged))) {
    await verify(staged, size)
  } else {
    await copyThere(source, staged)
    await verify(staged, size, sha256)
  }
  await target.move(staged, sha256)
}

/** False where the two are on different disks, or the file system knows no links. */
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
  try {
    // file systems that can share blocks until one of the two changes do
    await copyFile(source, target, constants.COPYFILE_FICLONE)
  } catch (error) {
    throw missing(error, source)
  }
  const file = await open(target, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Whether there is a file with these bytes. */
export async function hasContent(
  path: string,
  { size, sha256 }: Pick<BlobRow, 'size' | 'sha256'>,
): Promise<boolean> {
  const file = await openIfThere(path, 'r')
  if (file === undefined) return false
  try {
    return (await file.stat()).size === size && (await digestFile(file, size)).sha256 === sha256
  } finally {
    await file.close()
  }
}

function missing(error: unknown, path: string): unknown {
  if (!isCode(error, 'ENOENT')) return error
  return new HlaError('data-differs', `the content ${path} is missing`, {
    offending: path,
    hint: 'hla drive fsck tells what else is',
    cause: error,
  })
}

/** Without a digest only the length: the bytes are the very same. */
async function verify(path: string, size: number, sha256?: string): Promise<void> {
  const file = await openIfThere(path, 'r')
  if (file === undefined) throw new Error(`${path} is gone`)
  try {
    const found = (await file.stat()).size
    if (found !== size)
      throw new HlaError('data-differs', `the content ${path} has ${found} bytes instead of ${size}`, {
        offending: path,
      })
    if (sha256 === undefined) return
    const digest = (await digestFile(file, size)).sha256
    if (digest !== sha256)
      throw new HlaError('data-differs', `the content ${sha256} has other bytes than were stored`, {
        offending: path,
      })
  } finally {
    await file.close()
  }
}
