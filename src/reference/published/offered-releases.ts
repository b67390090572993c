/** Which releases a source offers, with their dates, and which of them is the newest. */
import { branchNames, compareReleases, parseReleaseNumber } from '../release-number.ts'
import { type FileHeader, readHeader } from '../sources/lines.ts'
import { isLfsPointer } from './fetched-file.ts'
import type { FileAccess } from './file-access.ts'
import { inParallel, LAST_MINOR, upTo } from './in-parallel.ts'
import { HEADER_BYTES, UNNUMBERED_HOMES } from './layout.ts'

export interface OfferedRelease {
  /** `3.58.0` */
  readonly label: string
  /** As its files say: `2024-10-09`; undefined where they do not. */
  readonly date: string | undefined
}

/** Oldest first. Only the first lines of one file of each are read. */
export async function listOffered(files: FileAccess): Promise<OfferedRelease[]> {
  const numbered = await inParallel(upTo(LAST_MINOR), (minor) => numberedReleases(files, minor))
  const found = new Map(
    [...(await unnumberedReleases(files)), ...numbered.flat()].map((one) => [one.label, one]),
  )
  return [...found.values()].sort(byNumber)
}

/**
 * The last of `listOffered`. Over the network that asks for a hundred branches: there the newest is what the latest branch
 * holds, or a number soon after it.
 */
export async function findNewest(files: FileAccess): Promise<OfferedRelease | undefined> {
  const latest = files.isRemote ? (await unnumberedReleases(files)).at(-1) : undefined
  if (latest === undefined) return (await listOffered(files)).at(-1)
  const minor = Number(latest.label.split('.')[1])
  const later = upTo(MOST_AHEAD)
    .map((step) => minor + step)
    .filter((one) => one <= LAST_MINOR)
  const known = await inParallel(later, (one) => numberedReleases(files, one))
  return [latest, ...known.flat()].sort(byNumber).at(-1)
}

/** Numbers that a latest branch may be behind, such as that of a mirror. */
const MOST_AHEAD = 8

function byNumber(one: OfferedRelease, other: OfferedRelease): number {
  return compareReleases(one.label, other.label)
}

/** With its corrections: 3.63.0 and 3.63.1. */
async function numberedReleases(files: FileAccess, minor: number): Promise<OfferedRelease[]> {
  const found: OfferedRelease[] = []
  for (let patch = 0; patch <= LAST_PATCH; patch += 1) {
    const one = await numberedRelease(files, `3.${minor}.${patch}`)
    if (one === undefined) break
    found.push(one)
    // 3.13.1 has the branch of 3.13.0
    if (minor === 13) break
  }
  return found
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
  const found = await inParallel(UNNUMBERED_HOMES, async ({ wmda }) => {
    const { version: label, date } = (await headerAt(files, `${wmda}hla_nom.txt`)) ?? {}
    return label === undefined ? undefined : { label, date }
  })
  return found.sort(byNumber)
}

/** Undefined when there is no such file; without a date and version when git-lfs has not fetched it. */
async function headerAt(files: FileAccess, path: string): Promise<Partial<FileHeader> | undefined> {
  const bytes = await files.readStart(path, HEADER_BYTES)
  if (bytes === undefined) return undefined
  return isLfsPointer(bytes) ? {} : readHeader(bytes.toString('latin1'))
}
