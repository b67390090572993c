/** A copy of the program without one of its bundles, or without installed packages, to show what does not need them.  [disk] */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { packagePath } from '../../src/package-root.ts'

/** `part` matches a file of dist, or `node_modules`. The copy is removed after the test. */
export function programWithout(part: RegExp): { readonly folder: string; readonly program: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bundles-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['bin', 'dist']) mkdirSync(join(folder, name))
  for (const name of ['package.json', 'data', 'node_modules'])
    if (!part.test(name)) symlinkSync(packagePath(name), join(folder, name))
  cpSync(packagePath('bin/hla.cjs'), join(folder, 'bin/hla.cjs'))
  for (const name of readdirSync(packagePath('dist')))
    if (!part.test(name)) symlinkSync(packagePath(`dist/${name}`), join(folder, 'dist', name))
  return { folder, program: join(folder, 'bin/hla.cjs') }
}
