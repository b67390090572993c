/** Tests of the `system` project run the build, which must be as new as what it is made of. [disk] */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** What the build is made of. A folder is dated by files that came or went. */
const FOLDERS = ['src', 'data', '.build']
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json']

interface Dated {
  readonly file: string
  readonly changed: number
}

function newestSource(): Dated {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  return [...FILES, ...FOLDERS, ...inFolders]
    .map((file): Dated => ({ file, changed: statSync(join(ROOT, file)).mtimeMs }))
    .reduce((one, other) => (other.changed > one.changed ? other : one))
}

/** An error message; empty if the build is up to date. */
export function staleBuild(): string {
  const source = newestSource()
  const built = statSync(join(ROOT, 'dist/hla.script'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return source.changed <= built ? '' : `the build is older than ${source.file}: run "npm run build"`
}
