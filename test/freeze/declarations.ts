/** The library's public types: the declarations that `index.d.ts` reaches, without their file names.  [disk] */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { packagePath } from '../../src/package-root.ts'

/** Sorted, so that moving a file changes nothing. */
export function publicDeclarations(): string {
  const seen = new Set<string>()
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const text = readFileSync(path, 'utf8')
    for (const node of parseSync(path, text).program.body) {
      const source = 'source' in node ? node.source?.value : undefined
      if (source?.startsWith('.') === true) visit(join(dirname(path), source.replace(/\.[jt]s$/, '.d.ts')))
      const isExport = path.endsWith('/lib/index.d.ts')
      if (isExport || source === undefined)
        found.add(text.slice(node.start, node.end).replaceAll(/ from '\.[^']*'/g, ''))
    }
  }
  visit(packagePath('dist/lib/index.d.ts'))
  return `${[...found].toSorted((one, other) => (one < other ? -1 : 1)).join('\n')}\n`
}
