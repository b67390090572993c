/** A folder for one test file, removed when its tests have run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export function tempFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'hla-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return (name) => join(folder, name)
}
