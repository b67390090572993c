/** Tests of the `system` project run what is built: with HLA_TEST_NO_BUILD a source that is newer than its bundle fails them.  [disk] */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

function newest(folder: string): { readonly file: string; readonly changed: number } {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  const dated = files.map((name) => ({
    file: join(folder, name),
    changed: statSync(join(ROOT, folder, name)).mtimeMs,
  }))
  return dated.reduce((one, other) => (other.changed > one.changed ? other : one), { file: '', changed: 0 })
}

/** A sentence; empty where the build is of these sources. */
export function staleBuild(): string {
  const source = [newest('src'), newest('data')].reduce((one, other) =>
    other.changed > one.changed ? other : one,
  )
  const built = statSync(join(ROOT, 'dist/hla.script'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return source.changed <= built ? '' : `the build is older than ${source.file}: run "npm run build"`
}
