/** Installs a release in the data directory, completely or not at all. [disk] */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HlaError } from '../../errors.ts'
import { makeFolderDurably, nameSibling, syncFolder, writeDurably } from '../../io/atomic-write.ts'
import { type CheckReport, checkFiles, isFarFewer, readFileHeader } from '../checks.ts'
import { type FetchedFile, isChecksumList } from '../published/fetched-file.ts'
import { type ReleaseNumber, compareReleases } from '../release-number.ts'
import { type InstalledRelease, listInstalled, readReleaseManifest } from './installed.ts'
import { type DataDirs, compiledPath, manifestPath, releasesFolder, sourcePath } from './location.ts'
import {
  CITATION,
  type InstalledFile,
  type ReleaseManifest,
  readIfPresent,
  isMissing,
  readManifest,
  sha256Of,
  toJson,
} from './manifest.ts'

export interface InstallRequest {
  readonly release: ReleaseNumber
  readonly files: readonly FetchedFile[]
  /** Origin of the files, for the manifest. */
  readonly from: string
  /** Use the files of `wmda/pre2026` where they exist. */
  readonly antigensBefore2026?: boolean
  /** Replace an installation of the same name. */
  readonly force?: boolean
  /**
   * Install files that differ from the published ones, or break a promise of the publisher; the manifest records them.
   */
  readonly acceptChanged?: boolean
  compile(files: readonly FetchedFile[]): Uint8Array
}

export interface InstallOutcome {
  readonly installed: InstalledRelease
  readonly manifest: ReleaseManifest
  /** True when the same files were already installed. */
  readonly unchanged: boolean
  /** Number of names in hla_nom.txt that the allele list lacks. */
  readonly notPublic: number
}

/**
 * Installs under `release.name`, always in the user's own directory, without making it active.
 * @throws {HlaError} as checkFiles and compile; data-differs — other files are installed under the name
 * @throws {HlaError} checksum-mismatch — files differ from the published list, unless accepted
 */
export function installRelease(dirs: DataDirs, request: InstallRequest): InstallOutcome {
  const { release, files, from } = request
  const accepting = request.acceptChanged === true
  const report = checkFiles(files, release, { accepting })
  if (!accepting) refuseChanged(report, from)
  const kept = files.filter((file) => !isChecksumList(file))
  const fewer = report.isVouched ? undefined : sayFewer(dirs, release, report)
  if (fewer !== undefined && !accepting) throw fewerError(fewer, release)
  const { notPublic } = report
  const warnings = [...report.warnings, ...(fewer === undefined ? [] : [fewer])]
  const manifest = describe(kept, request, { ...report, warnings })
  const folder = join(releasesFolder(dirs.own), release.name)
  const installed: InstalledRelease = { name: release.name, folder, readOnly: false }
  if (!request.force && isThere(folder, manifest, from))
    return { installed, manifest, unchanged: true, notPublic }
  const compiled = request.compile(kept)
  makeFolderDurably(dirname(folder))
  const part = nameSibling(folder, 'part')
  try {
    writeAll(part, kept, compiled, manifest)
    replaceFolder(part, folder, () => !request.force && isThere(folder, manifest, from))
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
  syncFolder(dirname(folder))
  return { installed, manifest, unchanged: false, notPublic }
}

function describe(
  files: readonly FetchedFile[],
  { release, from, antigensBefore2026 = false }: InstallRequest,
  report: CheckReport,
): ReleaseManifest {
  const { date, alleles, md5, warnings } = report
  return {
    release: release.label,
    date,
    alleles,
    from,
    files: files.map(describeFile),
    md5: { listed: md5.matching.length + md5.differing.length, differing: md5.differing },
    ...(warnings.length > 0 && { warnings }),
    ...(antigensBefore2026 && { antigensBefore2026 }),
    citation: CITATION,
  }
}

function refuseChanged({ md5: { matching, differing } }: CheckReport, from: string): void {
  if (differing.length === 0) return
  const names = differing.map((name) => basename(name)).join(', ')
  throw new HlaError(
    'checksum-mismatch',
    `files from ${from} differ from the published checksums: ${names} (${differing.length} of ${matching.length + differing.length})`,
    {
      offending: differing[0],
      hint: 'fetch them again; if they were corrected after md5checksum.txt, --accept-changed installs them, and "hla version" says so',
    },
  )
}

function describeFile(file: FetchedFile): InstalledFile {
  const { date } = readFileHeader(file)
  const { name, bytes } = file
  return { name, sha256: sha256Of(bytes), size: bytes.length, ...(date !== undefined && { date }) }
}

/** @throws {HlaError} data-differs */
function isThere(folder: string, manifest: ReleaseManifest, from: string): boolean {
  const installed = readIfPresent(readManifest, manifestPath(folder))
  if (!installed) return false
  const there = new Map(installed.files.map(({ name, sha256 }) => [name, sha256]))
  const differing = manifest.files.filter(({ name, sha256 }) => there.get(name) !== sha256)
  if (differing.length === 0) return true
  const { release } = manifest
  throw new HlaError('data-differs', `${release} is installed with other files than ${from} has (${differing.map(({ name }) => name).slice(0, 3).join(', ')})`, { offending: release, hint: `--as ${release}-r2 keeps both, --force replaces the installed one` }) // prettier-ignore
}

function writeAll(
  folder: string,
  files: readonly FetchedFile[],
  compiled: Uint8Array,
  manifest: ReleaseManifest,
): void {
  const folders = new Set([folder, ...files.map(({ name }) => dirname(sourcePath(folder, name)))])
  for (const one of folders) makeFolderDurably(one)
  for (const { name, bytes } of files) writeDurably(sourcePath(folder, name), bytes)
  writeDurably(compiledPath(folder), compiled)
  writeDurably(manifestPath(folder), toJson(manifest))
  for (const one of folders) syncFolder(one)
}

/** Warns when a release has far fewer alleles than the one before it. */
function sayFewer(
  dirs: DataDirs,
  { label: release }: ReleaseNumber,
  { alleles }: CheckReport,
): string | undefined {
  // another process may just have removed a release that it replaces
  const others = listInstalled(dirs).flatMap(
    (one) => readIfPresent(() => readReleaseManifest(one), one.folder) ?? [],
  )
  const previous = others.find((other) => compareReleases(other.release, release) < 0)
  if (!previous || !isFarFewer(alleles, previous.alleles)) return undefined
  return `${release} has ${alleles} alleles, ${previous.release} has ${previous.alleles}`
}

function fewerError(fewer: string, { label: release }: ReleaseNumber): HlaError {
  return new HlaError('bad-release-file', `${fewer}: its files are not complete`, {
    offending: release,
    hint: 'fetch them again; if that is how they are published, --accept-changed installs them',
  })
}

/**
 * Replaces a folder; one cannot be renamed onto another, so the old one is moved first. `isDone` accepts the present
 * folder: of concurrent installations, the first then stays.
 */
function replaceFolder(part: string, folder: string, isDone: () => boolean): void {
  for (let tries = 0; ; tries += 1) {
    const old = nameSibling(folder, 'old')
    if (existsSync(folder) && isDone()) return
    if (existsSync(folder)) moveAway(folder, old)
    try {
      renameSync(part, folder)
      return
    } catch (error) {
      // restore the old folder, unless another process has put its copy there meanwhile
      const isContended = isOccupied(error) || existsSync(folder)
      if (!isContended && existsSync(old)) renameSync(old, folder)
      if (!isContended || tries === MAX_TRIES) throw error
    } finally {
      rmSync(old, { recursive: true, force: true })
    }
  }
}

function moveAway(folder: string, old: string): void {
  try {
    renameSync(folder, old)
  } catch (error) {
    // decided by the error: the process that moved it away may have put its own copy there since
    if (!isMissing(error)) throw error
  }
}

const MAX_TRIES = 10

/** True when another process's copy was there at our attempt, whether or not it still is. */
function isOccupied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')
}
