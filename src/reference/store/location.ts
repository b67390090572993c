/**
 * Locations of installed data: the user's own directory and the system's, which an administrator may have filled; the
 * default release and MAC list: `active.json`. [disk]
 */
import { join } from 'node:path'
import { statSync } from 'node:fs'
import { makeFolderDurably, writeAtomically } from '../../io/atomic-write.ts'
import { homeFolder } from '../../package-root.ts'
import { readIfPresent, isRecord, readJson, toJson } from './manifest.ts'

export interface DataDirs {
  /** Read and written. */
  readonly own: string
  /** Searched second, never written. */
  readonly system: string
}

/** `--data-dir`, else `HLA_DATA_DIR`, else `$XDG_DATA_HOME/hla`, else `~/.local/share/hla`. */
export function locateData(dataDir?: string, env: NodeJS.ProcessEnv = process.env): DataDirs {
  const home = () => env['XDG_DATA_HOME'] || join(homeFolder(), '.local/share')
  return {
    own: dataDir || env['HLA_DATA_DIR'] || join(home(), 'hla'),
    system: env['HLA_SYSTEM_DATA_DIR'] || '/usr/share/hla',
  }
}

/** Compiled file of a release's folder: everything there but `src/` and the manifest can be rebuilt. */
export function compiledPath(folder: string): string {
  return join(folder, 'compiled.bin')
}

/** Published file as installed; `name` as in the manifest. */
export function sourcePath(folder: string, name: string): string {
  return join(folder, 'src', name)
}

export function manifestPath(folder: string): string {
  return join(folder, 'manifest.json')
}

export function releasesFolder(dir: string): string {
  return join(dir, 'releases')
}

export function macFolder(dir: string): string {
  return join(dir, 'mac')
}

export function activePath(dir: string): string {
  return join(dir, 'active.json')
}

export interface Active {
  /** Name of an installed release: `3.58.0`. */
  readonly release?: string
  /** Name of an installed MAC list: `2020-07-11-3f2a…`. */
  readonly mac?: string
}

/** The user's choice takes precedence over the administrator's. */
export function readActive(dirs: DataDirs): Active {
  return { ...readChoice(dirs.system), ...readChoice(dirs.own) }
}

/** Changes the user's own choice; `undefined` removes one. */
export function writeActive(
  dirs: DataDirs,
  change: { release?: string | undefined; mac?: string | undefined },
): void {
  makeFolderDurably(dirs.own)
  writeAtomically(activePath(dirs.own), toJson({ ...readChoice(dirs.own), ...change }))
}

function readChoice(dir: string): Active {
  const path = activePath(dir)
  const value = isAbsent(path) ? undefined : readIfPresent(readJson, path)
  if (!isRecord(value)) return {}
  const { release, mac } = value
  return { ...(typeof release === 'string' && { release }), ...(typeof mac === 'string' && { mac }) }
}

/**
 * Checks first, since most machines have only one of the two files: an error takes as long to make as the other file to
 * read.
 */
function isAbsent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    // reading it reports the reason
    return false
  }
}
