/** A bundled script for one test file, removed when its tests have run.  [disk] */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { bundleScript } from './bundle.ts'

/** `script` is relative to the project's root. */
export function bundled(script: string): string {
  const { folder, file } = bundleScript(join(import.meta.dirname, '../..'), script)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return file
}
