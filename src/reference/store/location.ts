/** Where installed data stand: the user's own directory, and one the machine's administrator may have filled. Pure. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface DataDirs {
  /** Read and written. */
  readonly own: string
  /** Searched second, never written. */
  readonly system: string
}

/** `--data-dir`, else `HLA_DATA_DIR`, else `$XDG_DATA_HOME/hla`, else `~/.local/share/hla`. */
export function locateData(dataDir?: string, env: NodeJS.ProcessEnv = process.env): DataDirs {
  const home = env['XDG_DATA_HOME'] || join(homedir(), '.local/share')
  return {
    own: dataDir || env['HLA_DATA_DIR'] || join(home, 'hla'),
    system: env['HLA_SYSTEM_DATA_DIR'] || '/usr/share/hla',
  }
}

/** Of a release's folder: everything in it but `src/` and the manifest can be made again. */
export function compiledPath(folder: string): string {
  return join(folder, 'compiled.bin')
}

/** The published file as it was installed; `name` as in the manifest. */
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
