/** Where a file is that a provenance file names: it was named from the folder of the run.  [disk] */
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

/** From here, or beside the provenance file; undefined: it is nowhere. */
export function findFile(name: string, provenance: string): string | undefined {
  const beside = resolve(dirname(provenance), basename(name))
  return [name, beside].find((one) => existsSync(one))
}
