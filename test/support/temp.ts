/** A folder for one test file, removed when its tests have run. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export function tempFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'hla-test-'))
  // a server being killed may still write: unlike rmSync, each retry lists the folder again
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return (name) => join(folder, name)
}
