/** Bundles a script of the tests, for threads and processes of their own: Node 20 reads no TypeScript.  [disk] */
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** `script` from the project's root. The bundle lies where it finds packages, until the tests of the file have run. */
export function bundled(script: string): string {
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'bundled-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const outfile = join(folder, 'script.mjs')
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: [script],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return outfile
}
