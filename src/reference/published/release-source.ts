/** Source of releases: a folder, a zip or tar.gz file or a web address. [disk, network] */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { HlaError } from '../../errors.ts'
import { type ReleaseNumber, branchNames, compareReleases, parseReleaseNumber } from '../release-number.ts'
import { type FetchProgress, fetchRelease } from './fetch-release.ts'
import { type FetchedFile, isLfsPointer } from './fetched-file.ts'
import type { FileAccess } from './file-access.ts'
import { type Definitions, HEADER_BYTES, UNNUMBERED_HOMES } from './layout.ts'
import { openFolder, readFirst } from './folder-files.ts'
import { isAddress } from './read-bytes.ts'
import { isGzip, openTar } from './tar-files.ts'
import { download, openUrl } from './url-files.ts'
import { openZip } from './zip-files.ts'
import { type FileHeader, readHeader } from '../sources/lines.ts'
import { LAST_MINOR, inParallel, upTo } from './in-parallel.ts'

export interface ReleaseSource {
  readonly from: string
  /**
   * All available files of a release, required ones first.
   * @throws {HlaError} not-found — the release, or a required file, is missing
   */
  fetch(
    release: ReleaseNumber,
    onProgress?: (progress: FetchProgress) => void,
    definitions?: Definitions,
  ): Promise<FetchedFile[]>
  /** Releases in the source, oldest first. */
  available(): Promise<OfferedRelease[]>
  /** Newest release in the source; undefined when there is none. */
  newest(): Promise<OfferedRelease | undefined>
  close(): Promise<void>
}

/** Default address, which contains the branches; `HLA_DATA_URL` names a mirror. */
export const DEFAULT_RELEASE_URL = 'https://raw.githubusercontent.com/ANHIG/IMGTHLA/'

/** @throws {HlaError} not-found — neither a folder, a zip or tar.gz file nor a web address */
export async function openSource(from: string): Promise<ReleaseSource> {
  return sourceOver(await openFiles(from))
}

export function sourceOver(files: FileAccess): ReleaseSource {
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
  const stats = await stat(path).catch(() => undefined)
  if (!stats) throw new HlaError('not-found', `${from}: no such folder or file`, { offending: from })
  if (stats.isDirectory()) return openFolder(path)
  return isGzip(await readFirst(path, 2)) ? openTar(path, createReadStream(path)) : openZip(path)
}

async function openAddress(from: string): Promise<FileAccess> {
  const { pathname } = new URL(from)
  if (/\.(?:tar\.gz|tgz)$/.test(pathname)) return openTar(from, Readable.from([await download(from)]))
  if (!pathname.endsWith('.zip')) return openUrl(from)
  return openZip(from, await download(from))
}

interface OfferedRelease {
  /** `3.58.0` */
  readonly label: string
  /** Date in its files: `2024-10-09`; undefined where they have none. */
  readonly date: string | undefined
}

/** Releases, oldest first. Reads only the first lines of one file of each. */
async function listOffered(files: FileAccess): Promise<OfferedRelease[]> {
  const numbered = await inParallel(upTo(LAST_MINOR), (minor) => numberedReleases(files, minor))
  const releases = new Map(
    [...(await unnumberedReleases(files)), ...numbered.flat()].map((release) => [release.label, release]),
  )
  return [...releases.values()].sort(byNumber)
}

/**
 * The last of `listOffered`, which over the network would request a hundred branches: there the newest is that of the
 * latest branch, or one of the next few numbers.
 */
async function findNewest(files: FileAccess): Promise<OfferedRelease | undefined> {
  const latest = files.isRemote ? (await unnumberedReleases(files)).at(-1) : undefined
  if (latest === undefined) return (await listOffered(files)).at(-1)
  const minor = Number(latest.label.split('.')[1])
  const later = upTo(MAX_AHEAD)
    .map((step) => minor + step)
    .filter((number) => number <= LAST_MINOR)
  const releases = await inParallel(later, (number) => numberedReleases(files, number))
  return [latest, ...releases.flat()].sort(byNumber).at(-1)
}

/** Numbers by which a latest branch, such as a mirror's, may be behind. */
const MAX_AHEAD = 8

function byNumber(one: OfferedRelease, other: OfferedRelease): number {
  return compareReleases(one.label, other.label)
}

/** Releases of a number with their corrections: 3.63.0 and 3.63.1. */
async function numberedReleases(files: FileAccess, minor: number): Promise<OfferedRelease[]> {
  const releases: OfferedRelease[] = []
  for (let patch = 0; patch <= LAST_PATCH; patch += 1) {
    const release = await numberedRelease(files, `3.${minor}.${patch}`)
    if (release === undefined) break
    releases.push(release)
    // 3.13.1 has the branch of 3.13.0
    if (minor === 13) break
  }
  return releases
}

const LAST_PATCH = 9

async function numberedRelease(files: FileAccess, label: string): Promise<OfferedRelease | undefined> {
  const release = parseReleaseNumber(label)
  for (const branch of branchNames(release)) {
    const header = await headerAt(files, `${branch}/wmda/hla_nom.txt`)
    if (header !== undefined) return { label: release.label, date: header.date }
  }
  return undefined
}

/** Oldest first. */
async function unnumberedReleases(files: FileAccess): Promise<OfferedRelease[]> {
  const releases = await inParallel(UNNUMBERED_HOMES, async ({ wmda }) => {
    const { version: label, date } = (await headerAt(files, `${wmda}hla_nom.txt`)) ?? {}
    return label === undefined ? undefined : { label, date }
  })
  return releases.sort(byNumber)
}

/** undefined when the file does not exist; without date and version when git-lfs has not fetched it. */
async function headerAt(files: FileAccess, path: string): Promise<Partial<FileHeader> | undefined> {
  const bytes = await files.readStart(path, HEADER_BYTES)
  if (bytes === undefined) return undefined
  return isLfsPointer(bytes) ? {} : readHeader(bytes.toString('latin1'))
}
