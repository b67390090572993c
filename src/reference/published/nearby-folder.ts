/** The folder beside a wrong one that has a release: the argument was one or two levels too deep or too high. [disk] */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isHlaError } from '../../errors.ts'
import type { ReleaseNumber } from '../release-number.ts'
import type { FileAccess } from './file-access.ts'
import { openFolder } from './folder-files.ts'
import { findHome, neededFiles } from './layout.ts'

/** Maximum number of folders to search. */
const MOST = 500

/** The nearest folder for which `has` is true: above first, then below; undefined: not found. */
export async function nearbyFolder(
  folder: string,
  has: (files: FileAccess) => Promise<boolean>,
): Promise<string | undefined> {
  const inside = foldersIn(folder)
  const candidates = [
    join(folder, '..'),
    join(folder, '..', '..'),
    ...inside,
    ...inside.slice(0, MOST).flatMap(foldersIn),
  ]
  for (const one of candidates.slice(0, MOST)) if (await has(openFolder(one))) return one
  return undefined
}

/** True when all files that an installation needs are there. */
export async function holdsRelease(files: FileAccess, release: ReleaseNumber): Promise<boolean> {
  try {
    const wanted = neededFiles(release, await findHome(files, release))
    for (const { paths } of wanted) if (!(await hasOne(files, paths))) return false
    return true
  } catch (error) {
    if (isHlaError(error)) return false
    throw error
  }
}

async function hasOne(files: FileAccess, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await files.has(path)) return true
  return false
}

/** Empty for a folder that cannot be read. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isDirectory() && !one.name.startsWith('.'))
      .map(({ name }) => join(folder, name))
      .sort()
  } catch {
    return []
  }
}
