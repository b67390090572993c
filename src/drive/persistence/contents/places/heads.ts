/** First bytes of contents in a bucket, cached in files of this server: commands cannot wait for the network.  [disk] */
import { randomBytes } from 'node:crypto'
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { removeIfThere } from '../blob-files.ts'
import type { StoreFolder } from '../../folder.ts'
import { LostObject, type PlacedContents } from './place.ts'

export interface HeadFiles {
  /** Caches the head of a content from a local file. */
  readonly keep: (path: string, sha256: string) => Promise<void>
  /** Caches the head of a placed content. Writes an empty file if the content is lost. @throws {StorageFailure} 503 */
  readonly bring: (
    contents: PlacedContents,
    content: { readonly sha256: string; readonly size: number },
  ) => Promise<void>
}

/** Bytes of each head. Commands need no more. */
export const HEAD = 1 << 20
/** Maximum number of files. Beyond that the oldest half is removed. */
const MOST = 128

export function headFiles(folder: Pick<StoreFolder, 'path'>): HeadFiles {
  const heads = join(folder.path, 'heads')
  rmSync(heads, { recursive: true, force: true })
  mkdirSync(heads, { recursive: true, mode: 0o700 })
  const kept = new Set<string>()
  const write = async (sha256: string, bytes: Readable | Buffer) => {
    const beside = join(heads, `${sha256}.${randomBytes(8).toString('hex')}`)
    try {
      await writeFile(beside, bytes, { mode: 0o600 })
    } finally {
      // writeFile does not destroy the stream if the file cannot be opened
      if (!Buffer.isBuffer(bytes)) bytes.destroy()
    }
    await rename(beside, join(heads, sha256))
    kept.delete(sha256)
    kept.add(sha256)
    if (kept.size <= MOST) return
    for (const old of [...kept].slice(0, MOST / 2)) {
      kept.delete(old)
      await removeIfThere(join(heads, old))
    }
  }
  return {
    keep: (path, sha256) => write(sha256, createReadStream(path, { end: HEAD - 1 })),
    async bring(contents, { sha256, size }) {
      const range = { start: 0, end: Math.min(size, HEAD) - 1 }
      try {
        await write(sha256, await contents.open({ sha256, size }, range))
      } catch (error) {
        if (!(error instanceof LostObject)) throw error
        await write(sha256, Buffer.alloc(0))
      }
    },
  }
}

export function headPath({ path }: Pick<StoreFolder, 'path'>, sha256: string): string {
  return join(path, 'heads', sha256)
}
