/** Makes a later version of the build, with one more migration.  [disk] */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** @returns path of the script to run */
export function makeNextVersion(folder: string, migration: string): string {
  mkdirSync(folder, { recursive: true })
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  for (const name of ['data', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name))
  let changed = 0
  for (const name of readdirSync(join(folder, 'dist')).filter((one) => one.endsWith('.script'))) {
    const file = join(folder, 'dist', name)
    const text = readFileSync(file, 'latin1')
    const next = text.replace(
      /\bMIGRATIONS=\[BASELINE[^\]]*/,
      (list) => `${list},${JSON.stringify(migration)}`,
    )
    if (next === text) continue
    writeFileSync(file, next, 'latin1')
    changed += 1
  }
  if (changed === 0) throw new Error('no bundle has the migrations')
  return join(folder, 'bin/hla.cjs')
}
