/** Checks that every content is in its place, unchanged.  [network] */
import type { Readable } from 'node:stream'
import { isNamed } from '../../contents/blob-files.ts'
import type { BlobRow } from '../../contents/blob-rows.ts'
import type { Database } from '../../database/database.ts'
import { type Digests, digestBytes } from '../../contents/digest.ts'
import { digesting } from '../../contents/digest-threads.ts'
import { type ContentPlace, LostObject, type PlacedContents } from '../../contents/places/place.ts'
import type { Finding } from '../row-checks.ts'

export interface ContentRow extends BlobRow, Digests {}

/** A missing or changed content. */
export interface BadContent extends ContentRow {
  readonly found: Pick<Finding, 'problem' | 'what'>
}

export interface ContentCheck {
  readonly bad: readonly BadContent[]
  readonly contents: number
  readonly bytes: number
}

/** If `isDeep`, all bytes are read and digested. */
export async function checkContents(
  { name, contents: placed }: ContentPlace,
  read: Database,
  isDeep: boolean,
): Promise<ContentCheck> {
  const find = placed.finder()
  const bad: BadContent[] = []
  let [contents, bytes] = [0, 0]
  const check = async (row: ContentRow, found: Found | Promise<Found>) => {
    contents++
    bytes += row.size
    const wrong = await found
    if (wrong !== undefined) bad.push({ ...row, found: wrong })
  }
  const checkPlaced = async (row: ContentRow): Promise<Found> => {
    const found = await find(row)
    if (found === undefined)
      return { problem: 'lost-content', what: `content ${row.sha256} is not in ${name}` }
    if (found.size !== row.size) return wrongSize(row, found.size)
    return isDeep ? checkBytes(placed, row) : undefined
  }
  for (const row of read.each<ContentRow>(PLACED)) await check(row, checkPlaced(row))
  for (const row of read.each<ContentRow>(INLINE)) await check(row, checkInline(read, row, isDeep))
  return { bad: bad.toSorted((one, other) => one.pk - other.pk), contents, bytes }
}

const PLACED = `SELECT pk, sha256, sha1, md5, size, place FROM blobs WHERE place = 'file' ORDER BY sha256`
const INLINE = `SELECT pk, sha256, sha1, md5, size, place FROM blobs WHERE place = 'inline' ORDER BY pk`

type Found = Pick<Finding, 'problem' | 'what'> | undefined

async function checkBytes(contents: PlacedContents, row: ContentRow): Promise<Found> {
  const digest = digesting()
  try {
    const bytes: Readable = await contents.open(row)
    // the stream has no encoding set, so its chunks are bytes
    for await (const chunk of bytes as AsyncIterable<Uint8Array>) await digest.update(chunk)
  } catch (error) {
    digest.forget()
    if (error instanceof LostObject) return { problem: 'damaged-content', what: error.message }
    throw error
  }
  return compare(row, await digest.digests())
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

/** Counts contents that no row names and that were stored more than `grace` ms ago. */
export async function countLeftovers(
  contents: PlacedContents,
  read: Database,
  grace: number,
): Promise<number> {
  let count = 0
  for await (const { sha256, age } of contents.list()) if (age > grace && !isNamed(read, sha256)) count += 1
  return count
}
