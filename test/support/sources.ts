/** The published files of a release and the MAC list as kept sources, for tests. */
import { existsSync, readFileSync } from 'node:fs'
import type { Sources } from '../../src/reference/citations.ts'
import { firstOfZip } from './releases.ts'
import { sharedPath } from './shared.ts'

/** Files of a release such as `3580`, files of the latest branch, and the MAC list. */
export function realSources(compact: string): Sources {
  const folders = [`${compact}/wmda`, 'Latest', 'Latest/allelelist']
  return (name) => {
    if (name === 'numer.v3.txt') return firstOfZip(readFileSync(sharedPath('upstream/mac/numer.v3.zip')))
    const paths = folders.map((folder) => sharedPath('upstream/IMGTHLA', folder, name))
    const path = paths.find((one) => existsSync(one))
    return path === undefined ? undefined : readFileSync(path, 'utf8')
  }
}
