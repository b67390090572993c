/** A copy of the program without one of its bundles, to show what does not need it.  [disk] */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { packagePath } from '../../src/package-root.ts'

/** The copy is removed after the test. */
export function programWithout(bundle: RegExp): { readonly folder: string; readonly program: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bundles-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['bin', 'dist']) mkdirSync(join(folder, name))
  for (const name of ['package.json', 'data', 'node_modules'])
    symlinkSync(packagePath(name), join(folder, name))
  cpSync(packagePath('bin/hla.cjs'), join(folder, 'bin/hla.cjs'))
  for (const name of readdirSync(packagePath('dist')))
    if (!bundle.test(name)) symlinkSync(packagePath(`dist/${name}`), join(folder, 'dist', name))
  return { folder, program: join(folder, 'bin/hla.cjs') }
}
