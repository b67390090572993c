/** Bundles a script of the tests, for threads and processes of their own: Node 20 reads no TypeScript.  [disk] */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

/** `script` from the project's root `root`. The folder of the answer is for whoever asks to remove: it lies where packages are found. */
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
