/** A place releases can be installed from: a folder, a zip or tar.gz file or a web address. [disk, network] */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { HlaError } from '../../errors.ts'
import type { ReleaseNumber } from '../release-number.ts'
import { type FetchProgress, fetchRelease } from './fetch-release.ts'
import type { FetchedFile } from './fetched-file.ts'
import type { FileAccess } from './file-access.ts'
import { findNewest, listOffered, type OfferedRelease } from './offered-releases.ts'
import type { Definitions } from './layout.ts'
import { openFolder, readFirst } from './folder-files.ts'
import { isAddress } from './read-bytes.ts'
import { isGzip, openTar } from './tar-files.ts'
import { download, openUrl } from './url-files.ts'
import { openZip } from './zip-files.ts'

export interface ReleaseSource {
  readonly from: string
  /**
   * Every file of a release that is there, needed ones first.
   * @throws {HlaError} not-found — the release, or a file it needs, is not there
   */
  fetch(
    release: ReleaseNumber,
    onProgress?: (progress: FetchProgress) => void,
    definitions?: Definitions,
  ): Promise<FetchedFile[]>
  /** The releases it offers, oldest first. */
  available(): Promise<OfferedRelease[]>
  /** The newest of them; undefined when there is none. */
  newest(): Promise<OfferedRelease | undefined>
  close(): Promise<void>
}

/** Branches are looked for here when nothing else is asked for; `HLA_DATA_URL` names a mirror. */
export const DEFAULT_RELEASE_URL = 'https://raw.githubusercontent.com/ANHIG/IMGTHLA/'

/** @throws {HlaError} not-found — when it is neither a folder, a zip or tar.gz file nor a web address */
export async function openSource(from: string): Promise<ReleaseSource> {
  return sourceOver(await openFiles(from))
}

function sourceOver(files: FileAccess): ReleaseSource {
  return {
    from: files.from,
    fetch: (release, onProgress, definitions) =>
      fetchRelease(files, release, onProgress ?? (() => undefined), definitions),
    available: () => listOffered(files),
    newest: () => findNewest(files),
    close: async () => files.close(),
  }
}

async function openFiles(from: string): Promise<FileAccess> {
  if (isAddress(from)) return openAddress(from)
  const path = from.startsWith('file:') ? fileURLToPath(from) : from
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new HlaError('not-found', `${from}: no such folder or file`, { offending: from })
  if (found.isDirectory()) return openFolder(path)
  return isGzip(await readFirst(path, 2)) ? openTar(path, createReadStream(path)) : openZip(path)
}

async function openAddress(from: string): Promise<FileAccess> {
  const { pathname } = new URL(from)
  if (/\.(?:tar\.gz|tgz)$/.test(pathname)) return openTar(from, Readable.from([await download(from)]))
  if (!pathname.endsWith('.zip')) return openUrl(from)
  return openZip(from, await download(from))
}
