/** Bytes that each process of a run needs and one makes.  [disk] */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Outside of a run, and in a process that runs a changed program, they are made. */
export function madeOnce(name: string, make: () => Uint8Array): Uint8Array {
  const folder = process.env['HLA_TEST_RUN'] ?? ''
  if (folder === '') return make()
  const file = join(folder, name)
  if (existsSync(file)) return readFileSync(file)
  const bytes = make()
  writeFileSync(`${file}.${process.pid}`, bytes)
  renameSync(`${file}.${process.pid}`, file)
  return bytes
}
