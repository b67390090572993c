/** Opens installed data; rebuilds compiled files when sources or format changed.  [disk] */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isHlaError } from '../../errors.ts'
import { keepIfAllowed } from '../../io/atomic-write.ts'
import { type LateFile, openLate } from '../../io/late-file.ts'
import { isSystemError } from '../../io/system-error.ts'
import type { Sources } from '../citations.ts'
import { type FileCatalogueId, installedCatalogues, readCatalogue } from '../catalogues.ts'
import { compileFiles, isCompiledFrom } from '../compile/compile-files.ts'
import { type History, readHistory } from '../history/history.ts'
import { encodeHistoryFiles } from '../history/history-files.ts'
import { keptSources, readSource } from './kept-sources.ts'
import { lateMacTable, type MacTable } from '../mac-table.ts'
import { type Release, readRelease } from '../release.ts'
import { makeDataId } from './data-id.ts'
import type { CatalogueTable } from '../sources/catalogue-files.ts'
import { findRelease, type InstalledRelease } from './installed.ts'
import { compiledPath, type DataDirs, manifestPath, readActive } from './location.ts'
import { activeMacList, openMacList } from './mac-lists.ts'
import { sumBytes } from '../pages.ts'
import {
  isMissing,
  readManifest,
  type InstalledFile,
  type InstalledMacList,
  type ReleaseManifest,
} from './manifest.ts'

export interface OpenedData {
  readonly release: Release
  readonly mac: MacTable | undefined
  /** Computed on demand: a digest loads node:crypto, which takes as long as a short command. */
  readonly identity: () => {
    readonly id: string
    readonly sha256: string
    /** Nomenclature files by their published names. */
    readonly files: readonly { readonly name: string; readonly sha256: string }[]
    /** Names of files installed although they differ from the published ones. */
    readonly changed: readonly string[]
    /** Unusual or accepted findings at installation. */
    readonly warnings: readonly string[]
    readonly antigensBefore2026: boolean
  }
  readonly history: () => History | undefined
  readonly catalogue: (id: FileCatalogueId) => CatalogueTable | undefined
  readonly catalogues: () => readonly { readonly name: string; readonly sha256: string }[]
  /** Source files, for citations. */
  readonly sources: Sources
  /** Folder of the installation. */
  readonly folder: string
}

/** `all` reads everything at once; `late` reads on demand, for a process that answers little and ends. */
export type Reading = 'all' | 'late'

/**
 * `spelled` as for `-r`.
 * @throws {HlaError} unknown-release, no-data; bad-release-file — the kept sources are damaged
 */
export function openInstalled(dirs: DataDirs, spelled: string, reading: Reading = 'all'): OpenedData {
  const active = readActive(dirs)
  const installed = findRelease(dirs, spelled, active)
  const manifest = readManifest(manifestPath(installed.folder))
  const release = openCompiled(installed, manifest, reading)
  const list = activeMacList(dirs, active)
  return {
    release,
    mac: list === undefined ? undefined : openCodes(list, reading),
    identity() {
      const { label, hash } = makeDataId(installed.name, manifest, list?.manifest)
      return {
        id: label,
        sha256: hash,
        files: nomenclatureFiles(manifest),
        changed: changedFiles(manifest),
        warnings: manifest.warnings ?? [],
        antigensBefore2026: manifest.antigensBefore2026 ?? false,
      }
    },
    history: () => openHistory(installed, manifest, reading),
    catalogue: (id) => readCatalogue(dirs, id),
    catalogues: () => installedCatalogues(dirs),
    sources: keptSources(installed.folder, manifest, list),
    folder: installed.folder,
  }
}

function openCodes(list: InstalledMacList, reading: Reading): MacTable {
  return reading === 'late' ? lateMacTable(() => openMacList(list)) : openMacList(list)
}

function openCompiled(installed: InstalledRelease, manifest: ReleaseManifest, reading: Reading): Release {
  return openOrMake(compiledPath(installed.folder), reading, {
    open: ({ bytes, load }, remake) => readRelease(bytes, remake, load),
    isCurrent: (release) => isCompiledFrom(release.facts, manifest.files),
    make: () => compileFiles(readSources(installed, manifest, () => true)),
  })
}

/** The compiled history's name contains a sum of its sources: one of other sources is never opened. */
function openHistory(
  installed: InstalledRelease,
  manifest: ReleaseManifest,
  reading: Reading,
): History | undefined {
  const isSource = (name: string) => /^allelelist\/|^Allelelist_history|^Deleted_alleles/.test(name)
  const sources = manifest.files.filter(({ name }) => isSource(name))
  if (sources.length < 2) return undefined
  const path = join(installed.folder, `history-${sourceSum(sources)}.bin`)
  return openOrMake(path, reading, {
    open: ({ bytes, load }, remake) => readHistory(bytes, remake, load),
    isCurrent: () => true,
    make: () => {
      removeOthers(path, /^history-[\da-f]+\.bin$/)
      return encodeHistoryFiles(readSources(installed, manifest, isSource))
    },
  })
}

interface RemadeFile<T> {
  /** `remake` makes the file again, when a part of it that is read later is damaged. */
  readonly open: (file: Partial<LateFile> & Pick<LateFile, 'bytes'>, remake?: () => Uint8Array) => T
  readonly isCurrent: (value: T) => boolean
  readonly make: () => Uint8Array
}

function openOrMake<T>(path: string, reading: Reading, { open, isCurrent, make }: RemadeFile<T>): T {
  const remake = () => {
    const bytes = make()
    keepIfAllowed(path, bytes)
    return bytes
  }
  const found = tryOpen(path, reading, (file) => open(file, remake))
  return found !== undefined && isCurrent(found) ? found : open({ bytes: remake() })
}

/** undefined when the file is missing, cut short or of another version: it is then rebuilt. */
function tryOpen<T>(path: string, reading: Reading, open: RemadeFile<T>['open']): T | undefined {
  try {
    return open(reading === 'late' ? openLate(path) : { bytes: readFileSync(path) })
  } catch (error) {
    if (isMissing(error) || isHlaError(error)) return undefined
    throw error
  }
}

/** Removes files that `path` replaces. A folder of another user stays as it is. */
function removeOthers(path: string, pattern: RegExp): void {
  try {
    for (const name of readdirSync(dirname(path)))
      if (pattern.test(name) && name !== basename(path)) rmSync(join(dirname(path), name), { force: true })
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

function readSources(
  installed: InstalledRelease,
  manifest: ReleaseManifest,
  wanted: (name: string) => boolean,
) {
  const kept = manifest.files.filter(({ name }) => wanted(name))
  return kept.map((file) => ({ name: file.name, bytes: readSource(installed.folder, file) }))
}

/** 16 digits, of digests that are there: node:crypto takes longer to load than an answer to make. */
function sourceSum(files: readonly InstalledFile[]): string {
  const text = Buffer.from(files.map(({ name, sha256 }) => `${name} ${sha256}\n`).sort().join('')) // prettier-ignore
  return [0, 1].map((seed) => sumBytes(text, 0, text.length, seed).toString(16).padStart(8, '0')).join('')
}

function changedFiles({ md5 }: ReleaseManifest): string[] {
  return md5.differing.map((name) => basename(name))
}

function nomenclatureFiles({ files }: ReleaseManifest): { name: string; sha256: string }[] {
  const wmda = files.filter(({ name }) => name.startsWith('wmda/'))
  return wmda.map(({ name, sha256 }) => ({ name: basename(name), sha256 }))
}
