/** Bytes of one published file, from a path, a file URL or a web address. [disk, network] */
import { fileURLToPath } from 'node:url'
import { HlaError, errorReason } from '../../errors.ts'
import { refusePointer } from './fetched-file.ts'
import { readFirst, readWhole } from './folder-files.ts'
import { download, downloadStart } from './url-files.ts'

/** @throws {HlaError} not-found, remote, truncated-file, lfs-pointer */
export async function readPublishedBytes(from: string): Promise<Buffer> {
  const bytes = isAddress(from) ? await download(from) : await readLocal(from, readWhole)
  refusePointer(from, bytes)
  return bytes
}

/**
 * First `size` bytes, or all.
 * @throws {HlaError} not-found, remote, lfs-pointer
 */
export async function readPublishedStart(from: string, size: number): Promise<Buffer> {
  const bytes = isAddress(from)
    ? await downloadStart(from, size)
    : await readLocal(from, (path) => readFirst(path, size))
  refusePointer(from, bytes)
  return bytes
}

/** @throws {HlaError} usage — an unsupported kind of address */
export function isAddress(from: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(from)?.[1]?.toLowerCase()
  if (scheme === undefined || scheme === 'file') return false
  if (scheme === 'http' || scheme === 'https') return true
  throw new HlaError('usage', `${from} is an address of ${scheme}; only http and https are supported`, {
    offending: from,
    hint: 'download it with another program and give the folder or file',
  })
}

async function readLocal(from: string, read: (path: string) => Promise<Buffer>): Promise<Buffer> {
  try {
    return await read(from.startsWith('file:') ? fileURLToPath(from) : from)
  } catch (error) {
    if (error instanceof HlaError) throw error
    throw new HlaError('not-found', `cannot read ${from}: ${errorReason(error)}`, {
      offending: from,
      cause: error,
    })
  }
}
