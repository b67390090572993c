/** Whether every content is on disk as it was stored.  [disk] */
import { opendir, stat } from 'node:fs/promises'
import { blobFiles, isNamed, openIfThere } from '../../contents/blob-files.ts'
import type { BlobRow } from '../../contents/blob-rows.ts'
import type { Database } from '../../database/database.ts'
import { type Digests, digestBytes } from '../../contents/digest.ts'
import type { Finding } from '../row-checks.ts'
import type { ContentPlace } from '../../contents/places/place.ts'
import type { StoreFolder } from '../../folder.ts'
import { countPlacedLeftovers, lookInPlace } from './place-check.ts'
import { digestFile } from '../../contents/staging.ts'

export interface ContentRow extends BlobRow, Digests {}

/** A content that is not as it was stored. */
export interface BadContent extends ContentRow {
  readonly found: Pick<Finding, 'problem' | 'what'>
}

export interface ContentCheck {
  readonly bad: readonly BadContent[]
  readonly contents: number
  readonly bytes: number
}

/** Deep: all bytes are read and digested again. */
export async function checkContents(
  { folder, place }: ContentsOf,
  read: Database,
  isDeep: boolean,
): Promise<ContentCheck> {
  const checkPlaced = place === undefined ? inFolder(folder, isDeep) : inPlace(place, isDeep)
  const bad: BadContent[] = []
  let [contents, bytes] = [0, 0]
  const rows = read.each<ContentRow>(place === undefined ? BY_KEY : BY_DIGEST)
  for (const row of rows) {
    contents++
    bytes += row.size
    const found = row.place === 'file' ? await checkPlaced(row) : checkInline(read, row, isDeep)
    if (found !== undefined) bad.push({ ...row, found })
  }
  return { bad, contents, bytes }
}

/** Of a store: in its folder, unless they are in a bucket. */
export interface ContentsOf {
  readonly folder: StoreFolder
  readonly place?: ContentPlace | undefined
}

const BY_KEY = 'SELECT pk, sha256, sha1, md5, size, place FROM blobs ORDER BY pk'
const BY_DIGEST = 'SELECT pk, sha256, sha1, md5, size, place FROM blobs ORDER BY sha256'

type CheckPlaced = (row: ContentRow) => Promise<Found>

function inFolder({ blobs }: StoreFolder, isDeep: boolean): CheckPlaced {
  const { pathOf } = blobFiles(blobs)
  return (row) => checkFile(pathOf(row.sha256), row, isDeep)
}

function inPlace({ name, contents }: ContentPlace, isDeep: boolean): CheckPlaced {
  const look = lookInPlace(contents, isDeep)
  return async (row) => {
    const found = await look(row)
    if (found === undefined)
      return { problem: 'lost-content', what: `content ${row.sha256} is not in ${name}` }
    if (typeof found === 'string') return { problem: 'damaged-content', what: found }
    if (found.size !== row.size) return wrongSize(row, found.size)
    return found.digests && compare(row, found.digests)
  }
}

type Found = Pick<Finding, 'problem' | 'what'> | undefined

async function checkFile(path: string, row: ContentRow, isDeep: boolean): Promise<Found> {
  const file = await openIfThere(path, 'r')
  if (file === undefined) return { problem: 'lost-content', what: `content ${row.sha256} is not on disk` }
  try {
    const { size } = await file.stat()
    if (size !== row.size) return wrongSize(row, size)
    return isDeep ? compare(row, await digestFile(file, size)) : undefined
  } finally {
    await file.close()
  }
}

function checkInline(read: Database, row: ContentRow, isDeep: boolean): Found {
  const { pk, size } = row
  if (!isDeep) {
    const found = read.get<{ size: number }>('SELECT length(data) AS size FROM blob_data WHERE blob = ?', pk)
    if (found === undefined) return withoutBytes(row)
    return found.size === size ? undefined : wrongSize(row, found.size)
  }
  const data = read.get<{ data: Uint8Array }>('SELECT data FROM blob_data WHERE blob = ?', pk)?.data
  return data === undefined ? withoutBytes(row) : compare(row, digestBytes(data))
}

function withoutBytes({ sha256 }: ContentRow): Found {
  return { problem: 'lost-content', what: `content ${sha256} has no bytes` }
}

function wrongSize({ sha256, size }: ContentRow, found: number): Found {
  return { problem: 'damaged-content', what: `content ${sha256} has ${found} bytes instead of ${size}` }
}

function compare(row: ContentRow, found: Digests): Found {
  const wrong = (['sha256', 'sha1', 'md5'] as const).find((name) => row[name] !== found[name])
  return (
    wrong && {
      problem: 'damaged-content',
      what: `content ${row.sha256} has another ${wrong} than was stored`,
    }
  )
}

/** That no row names, and that are older than `grace` ms. */
export async function countLeftovers(
  { folder, place }: ContentsOf,
  read: Database,
  grace: number,
): Promise<number> {
  if (place !== undefined) return countPlacedLeftovers(place.contents, read, grace)
  const before = Date.now() - grace
  let count = 0
  for await (const entry of await opendir(folder.blobs, { recursive: true })) {
    if (!entry.isFile() || isNamed(read, entry.name)) continue
    const { mtimeMs } = await stat(`${entry.parentPath}/${entry.name}`)
    if (mtimeMs < before) count++
  }
  return count
}
