/** Published files of an installed release and MAC list, as they were installed.  [disk] */
import { advice, command } from '../../advice.ts'
import type { InstalledMacList } from './manifest.ts'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { HlaError } from '../../errors.ts'
import type { Sources } from '../citations.ts'
import { sourcePath } from './location.ts'
import { type InstalledFile, type ReleaseManifest, sha256Of } from './manifest.ts'

/** Reads a file at each call; the caller caches. Calls throw no-data for a file that was removed since. */
export function keptSources(
  folder: string,
  { files }: ReleaseManifest,
  list: InstalledMacList | undefined,
): Sources {
  return (name) => {
    const file = files.find((one) => basename(one.name) === name)
    if (file !== undefined) return readSource(folder, file).toString('utf8')
    if (list === undefined || list.manifest.source.name !== name) return undefined
    return readAsInstalled(list.path.replace(/\.bin$/, '.txt'), list.manifest.source).toString('latin1')
  }
}

/**
 * Published file in a release's folder.
 * @throws {HlaError} no-data — it is missing; checksum-mismatch — it has changed since installation
 */
export function readSource(folder: string, file: InstalledFile): Buffer {
  return readAsInstalled(sourcePath(folder, file.name), file)
}

/** @throws {HlaError} no-data, checksum-mismatch */
export function readAsInstalled(path: string, { name, sha256 }: InstalledFile): Buffer {
  const hint = advice`${command('data install', { options: [{ option: 'force' }] })} installs a release again, ${command('data mac')} installs the MAC list again`
  if (!existsSync(path)) {
    const file = basename(name)
    throw new HlaError('no-data', `${file} should be at ${path}, but that file is missing`, {
      offending: file,
      hint,
    })
  }
  const bytes = readFileSync(path)
  if (sha256Of(bytes) === sha256) return bytes
  throw new HlaError('checksum-mismatch', `${path} is not as it was installed`, { offending: path, hint })
}
