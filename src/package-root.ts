/** Where this package lies: the sources, the compiled library and the bundle stand at different depths.  [disk] */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

let root: string | undefined

export function packagePath(...parts: string[]): string {
  root ??= findRoot(import.meta.dirname)
  return join(root, ...parts)
}

/** Version of this package, from its own package.json. */
export function packageVersion(): string {
  // our own file, shipped beside the code
  return (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version
}

function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'data/tables'))) return folder
    if (dirname(folder) === folder) throw new Error(`no package found above ${from}`)
  }
}
