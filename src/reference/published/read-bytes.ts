/** The bytes of one published file, from a path, a file URL or a web address. [disk, network] */
import { fileURLToPath } from 'node:url'
import { HlaError, errorReason } from '../../errors.ts'
import { refusePointer } from './fetched-file.ts'
import { readWhole } from './folder-files.ts'
import { download } from './url-files.ts'

/** @throws {HlaError} not-found, remote, truncated-file, lfs-pointer */
export async function readPublishedBytes(from: string): Promise<Buffer> {
  const bytes = /^https?:\/\//i.test(from) ? await download(from) : await readLocal(from)
  refusePointer(from, bytes)
  return bytes
}

async function readLocal(from: string): Promise<Buffer> {
  try {
    return await readWhole(from.startsWith('file:') ? fileURLToPath(from) : from)
  } catch (error) {
    if (error instanceof HlaError) throw error
    throw new HlaError('not-found', `cannot read ${from}: ${errorReason(error)}`, {
      offending: from,
      cause: error,
    })
  }
}
