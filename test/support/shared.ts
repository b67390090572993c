/** Location of the published reference files, registry files and recorded answers, if available. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { noteSkipped } from './skipped.ts'

const ROOT = process.env['HLA_SHARED'] ?? join(import.meta.dirname, '../../../shared')

export const hasShared = existsSync(join(ROOT, 'upstream/IMGTHLA'))

if (!hasShared) noteSkipped(`tests on published data need ${ROOT}`)

/** Path of a file below the shared folder. */
export function sharedPath(...parts: string[]): string {
  return join(ROOT, ...parts)
}
