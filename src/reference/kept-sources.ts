/** The published files of an installed release and MAC list, as they were installed.  [disk] */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Sources } from './citations.ts'
import { sourcePath } from './store/location.ts'
import type { InstalledMacList } from './store/mac-lists.ts'
import type { ReleaseManifest } from './store/manifest.ts'

/** Read when they are asked for; the caller keeps what it needs again. */
export function keptSources(
  folder: string,
  { files }: ReleaseManifest,
  list: InstalledMacList | undefined,
): Sources {
  return (name) => {
    const file = files.find((one) => basename(one.name) === name)
    if (file !== undefined) return readFileSync(sourcePath(folder, file.name), 'utf8')
    if (list === undefined || list.manifest.source.name !== name) return undefined
    return readFileSync(list.path.replace(/\.bin$/, '.txt'), 'latin1')
  }
}
