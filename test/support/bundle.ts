/** Bundles a test script for threads and processes: Node 20 cannot run TypeScript.  [disk] */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

/**
 * `script` is relative to the project's root `root`. The caller removes the folder, which is where Node can resolve
 * packages.
 */
export function bundleScript(
  root: string,
  script: string,
): { readonly folder: string; readonly file: string } {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'bundled-'))
  const file = join(folder, 'script.mjs')
  buildSync({
    absWorkingDir: root,
    entryPoints: [script],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return { folder, file }
}
