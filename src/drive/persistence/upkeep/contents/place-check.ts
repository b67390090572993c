/** Whether contents are in a bucket as they were stored: found in its list, and asked for where that does not say so.  [network] */
import type { Readable } from 'node:stream'
import type { BlobRow } from '../../contents/blob-rows.ts'
import type { Digests } from '../../contents/digest.ts'
import { digesting } from '../../contents/digest-threads.ts'
import { isNamed } from '../../contents/blob-files.ts'
import { LostObject, type PlacedContent, type PlacedContents } from '../../contents/places/place.ts'
import type { Database } from '../../database/database.ts'

/** What is there; a text: why it cannot be read. */
export type InPlace = { readonly size: number; readonly digests: Digests | undefined } | string | undefined

/** Of contents that are asked for in the order of their digests. */
export function lookInPlace(contents: PlacedContents, isDeep: boolean): (row: BlobRow) => Promise<InPlace> {
  const listed = contents.list()[Symbol.asyncIterator]()
  let at: PlacedContent | undefined
  let isOver = false
  const find = async ({ sha256, size }: BlobRow) => {
    while (!isOver && (at === undefined || at.sha256 < sha256)) {
      const next = await listed.next()
      isOver = next.done === true
      if (!next.done) at = next.value
    }
    // a list may not have what was put a moment ago
    return at?.sha256 === sha256 && at.size === size ? at : contents.find(sha256)
  }
  return async (row) => {
    const found = await find(row)
    if (found === undefined || found.size !== row.size || !isDeep)
      return found && { size: found.size, digests: undefined }
    return readInPlace(contents, row)
  }
}

async function readInPlace(contents: PlacedContents, { sha256, size }: BlobRow): Promise<InPlace> {
  const digest = digesting()
  try {
    const bytes: Readable = await contents.open({ sha256, size })
    // nothing sets an encoding
    for await (const chunk of bytes as AsyncIterable<Uint8Array>) await digest.update(chunk)
  } catch (error) {
    digest.forget()
    if (error instanceof LostObject) return error.message
    throw error
  }
  return { size, digests: await digest.digests() }
}

/** That no row names, and that were put more than `grace` ms ago. */
export async function countPlacedLeftovers(
  contents: PlacedContents,
  read: Database,
  grace: number,
): Promise<number> {
  let count = 0
  for await (const { sha256, age } of contents.list()) if (age > grace && !isNamed(read, sha256)) count += 1
  return count
}
