/**
 * Tests of the `system` project run the build: with HLA_TEST_NO_BUILD they fail if a source is newer than its bundle.
 * [disk]
 */
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

/** An error message; empty if the build is up to date. */
export function staleBuild(): string {
  const source = [newest('src'), newest('data')].reduce((one, other) =>
    other.changed > one.changed ? other : one,
  )
  const built = statSync(join(ROOT, 'dist/hla.script'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return source.changed <= built ? '' : `the build is older than ${source.file}: run "npm run build"`
}
