/** Installed releases: find, choose, remove. [disk] */
import { advice, command, optionLike } from '../../advice.ts'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { HlaError } from '../../errors.ts'
import { nameSibling } from '../../io/atomic-write.ts'
import { compareReleases, parseReleaseNumber } from '../release-number.ts'
import {
  type Active,
  readActive,
  writeActive,
  type DataDirs,
  manifestPath,
  releasesFolder,
} from './location.ts'
import { type ReleaseManifest, isMissing, readManifest } from './manifest.ts'

export interface InstalledRelease {
  /** `3.58.0`, or `3.58.0-r2` for a second copy. */
  readonly name: string
  readonly folder: string
  /** True in the system's directory. */
  readonly readOnly: boolean
}

/** Newest first. A release in the user's own directory hides one of the same name in the system's. */
export function listInstalled(dirs: DataDirs): InstalledRelease[] {
  const ownReleases = namesIn(dirs.own).map((name) => at(dirs.own, name, false))
  const ownNames = new Set(ownReleases.map(({ name }) => name))
  const system = namesIn(dirs.system).filter((name) => !ownNames.has(name)).map((name) => at(dirs.system, name, true)) // prettier-ignore
  return [...ownReleases, ...system].sort((a, b) => compareReleases(b.name, a.name))
}

/**
 * `spelled` as for `-r`: `3.58.0`, `3.58`, `3580` or `active`.
 * @throws {HlaError} unknown-release — not a release number
 * @throws {HlaError} no-data — the release, or any at all, is not installed
 */
export function findRelease(dirs: DataDirs, spelled: string, active?: Active): InstalledRelease {
  const name = spelled === 'active' ? (active ?? readActive(dirs)).release : parseReleaseNumber(spelled).name
  if (name === undefined) throw noneActive(dirs)
  const installed = findInstalled(dirs, name)
  if (installed) return installed
  throw new HlaError('no-data', `IPD-IMGT/HLA ${name} is not installed`, { offending: spelled, hint: advice`${command('data install', { args: [name] })}${FROM}${others(dirs)}` }) // prettier-ignore
}

export function findInstalled(dirs: DataDirs, name: string): InstalledRelease | undefined {
  for (const [dir, readOnly] of [
    [dirs.own, false],
    [dirs.system, true],
  ] as const) {
    const release = at(dir, name, readOnly)
    if (existsSync(manifestPath(release.folder))) return release
  }
  return undefined
}

export function readReleaseManifest({ folder }: InstalledRelease): ReleaseManifest {
  return readManifest(manifestPath(folder))
}

/** @throws {HlaError} unknown-release, no-data */
export function useRelease(dirs: DataDirs, spelled: string): InstalledRelease {
  const release = findRelease(dirs, spelled)
  writeActive(dirs, { release: release.name })
  return release
}

/** @throws {HlaError} unknown-release, no-data; io — it is in the system's directory */
export function removeRelease(dirs: DataDirs, spelled: string): InstalledRelease {
  const release = findRelease(dirs, spelled)
  if (release.readOnly)
    throw new HlaError('io', `${release.folder} belongs to the system: an administrator must remove it`, {
      offending: release.name,
    })
  if (readActive(dirs).release === release.name) writeActive(dirs, { release: undefined })
  // moved away at once, so that no process opens a partly removed release
  const old = nameSibling(release.folder, 'old')
  renameSync(release.folder, old)
  rmSync(old, { recursive: true, force: true })
  return release
}

function at(dir: string, name: string, readOnly: boolean): InstalledRelease {
  return { name, folder: join(releasesFolder(dir), name), readOnly }
}

/** Names of installed releases; hidden folders are installations in progress. */
function namesIn(dir: string): string[] {
  try {
    const names = readdirSync(releasesFolder(dir)).filter((name) => !name.startsWith('.'))
    return names.filter((name) => existsSync(manifestPath(at(dir, name, false).folder)))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function noneActive(dirs: DataDirs): HlaError {
  const [newest] = listInstalled(dirs)
  if (newest)
    return new HlaError('no-data', 'no release is active', {
      hint: command('data use', { args: [newest.name] }),
    })
  return new HlaError('no-data', 'no nomenclature data installed', {
    hint: advice`${command('data install', { args: ['latest'] })}${FROM}     (${command('help data')})`,
  })
}

/** Other sources of a release than the published one. */
const FROM = advice`, or with ${optionLike('from', 'FOLDER')} from a folder, a zip file or a URL`

function others(dirs: DataDirs): string {
  const names = listInstalled(dirs).map(({ name }) => name)
  return names.length > 0 ? `; installed: ${names.join(', ')}` : ''
}
