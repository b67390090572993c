/** Comparison of installed files with their installed state, or with what is published now. [disk] */
import type { InstalledMacList } from './manifest.ts'
import { readFileSync } from 'node:fs'
import { isHlaError } from '../../errors.ts'
import { verifyContainer } from '../format.ts'
import { type FetchedFile, isChecksumList } from '../published/fetched-file.ts'
import { type InstalledRelease, readReleaseManifest } from './installed.ts'
import { compiledPath, sourcePath } from './location.ts'
import { isMacListIntact } from './mac-lists.ts'
import { isMissing, sha256Of } from './manifest.ts'

export interface FileDifference {
  /** `wmda/rel_dna_ser.txt` */
  readonly name: string
  /** sha256 when it was installed. */
  readonly installed: string
  /** sha256 of the present file; undefined when there is none. */
  readonly found: string | undefined
}

/** Reads and hashes every installed file. */
export function findDamage(release: InstalledRelease): FileDifference[] {
  return differences(release, (name) => hashIfThere(sourcePath(release.folder, name)))
}

/** True when the compiled file is as written. One that is missing, or of another format, is rebuilt at the next use. */
export function isCompiledIntact({ folder }: InstalledRelease): boolean {
  try {
    verifyContainer(readFileSync(compiledPath(folder)))
    return true
  } catch (error) {
    if (isMissing(error)) return true
    if (isHlaError(error)) return error.code === 'unknown-format'
    throw error
  }
}

/** True when all data behind answers are as installed: the release's files, the compiled file, the codes. */
export function isSound(release: InstalledRelease, list: InstalledMacList | undefined): boolean {
  return (
    findDamage(release).length === 0 &&
    isCompiledIntact(release) &&
    (list === undefined || isMacListIntact(list))
  )
}

/** Compares with the files of another source. Optional files that only one of the two has do not count. */
export function compareWithSource(
  release: InstalledRelease,
  files: readonly FetchedFile[],
): FileDifference[] {
  const there = new Map(
    files.filter((file) => !isChecksumList(file)).map(({ name, bytes }) => [name, sha256Of(bytes)]),
  )
  return differences(release, (name) => there.get(name)).filter(({ found }) => found !== undefined)
}

function differences(
  release: InstalledRelease,
  hashOf: (name: string) => string | undefined,
): FileDifference[] {
  const compared = readReleaseManifest(release).files.map(({ name, sha256 }) => ({
    name,
    installed: sha256,
    found: hashOf(name),
  }))
  return compared.filter(({ installed, found }) => installed !== found)
}

function hashIfThere(path: string): string | undefined {
  try {
    return sha256Of(readFileSync(path))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
