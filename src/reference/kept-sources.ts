/** The published files of an installed release and MAC list, as they were installed.  [disk] */
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { HlaError } from '../errors.ts'
import type { Sources } from './citations.ts'
import { sourcePath } from './store/location.ts'
import type { InstalledMacList } from './store/mac-lists.ts'
import type { ReleaseManifest } from './store/manifest.ts'

/** Read when they are asked for; the caller keeps what it needs again. They throw no-data for a file that was removed since. */
export function keptSources(
  folder: string,
  { files }: ReleaseManifest,
  list: InstalledMacList | undefined,
): Sources {
  return (name) => {
    const file = files.find((one) => basename(one.name) === name)
    if (file !== undefined) return readKept(sourcePath(folder, file.name), name, 'utf8')
    if (list === undefined || list.manifest.source.name !== name) return undefined
    return readKept(list.path.replace(/\.bin$/, '.txt'), name, 'latin1')
  }
}

function readKept(path: string, name: string, encoding: 'utf8' | 'latin1'): string {
  if (existsSync(path)) return readFileSync(path, encoding)
  throw new HlaError('no-data', `${name} was installed as ${path}, which is gone`, {
    offending: name,
    hint: 'hla data install --force installs a release again, hla data mac the MAC list',
  })
}
