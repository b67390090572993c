/** Published files in a folder. [disk] */
import { open, readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { HlaError } from '../../errors.ts'
import { type FileAccess, MAX_FILE_BYTES } from './file-access.ts'

export function openFolder(folder: string): FileAccess {
  return {
    from: folder,
    prefix: folder.endsWith(sep) ? folder : folder + sep,
    isRemote: false,
    read: (path) => unlessMissing(readWhole(join(folder, path))),
    readStart: (path, size) => unlessMissing(readFirst(join(folder, path), size)),
    has: async (path) => (await unlessMissing(stat(join(folder, path))))?.isFile() ?? false,
    close: () => undefined,
  }
}

/** A path through something that is not a folder counts as missing. */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (MISSING.has((error as NodeJS.ErrnoException).code ?? '')) return undefined // node:fs rejects with system errors
    throw error
  }
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])

/**
 * Reads a file unless it is too large; a sparse one takes no room on the disk.
 * @throws {HlaError} bad-release-file; errors of node:fs
 */
export async function readWhole(path: string): Promise<Buffer> {
  const { size } = await stat(path)
  if (size <= MAX_FILE_BYTES) return readFile(path)
  throw new HlaError('bad-release-file', `${path} is too large (${size} bytes)`, { offending: path })
}

/** First `size` bytes, or all. @throws errors of node:fs */
export async function readFirst(path: string, size: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
