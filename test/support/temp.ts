/** A folder for one test file, removed when its tests have run. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAtEnd } from './end-of-file.ts'

export function tempFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'hla-test-'))
  removeAtEnd(folder)
  return (name) => join(folder, name)
}
