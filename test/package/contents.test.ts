/** Contents of the package: all that users need, and nothing of the development files. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

interface Packed {
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

function packed(): Packed {
  const text = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // npm 10 prints a list with one record for each package
  const [first] = Object.values(JSON.parse(text) as Record<string, Packed>)
  if (first === undefined) throw new Error(text)
  return first
}

/** Import statements of a built script: `import … from 'x'`, `export … from 'x'`, `import 'x'`, or `import('x')`. */
const IMPORTS = /^(?:import|export)\b(?:[^'"]*\bfrom)? '([^']+)'|\bimport\('([^']+)'\)/gm

const sizeOnDisk = (path: string) => statSync(join(ROOT, path)).size

const { files } = packed()
const paths = files.map(({ path }) => path)

test('holds nothing of how it is made', () => {
  const roots = [
    'bin/',
    'data/',
    'dist/',
    'docs/',
    'man/',
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'package.json',
  ]
  expect(paths.filter((path) => !roots.some((root) => path.startsWith(root)))).toEqual([])
  const made = /(?<!\.d)\.[mc]?ts$|\.test\.|tsconfig|\.tsbuildinfo$|(^|\/)\.|node_modules|\.part$/
  expect(paths.filter((path) => made.test(path))).toEqual([])
})

test('holds all that package.json names', () => {
  // our own file
  const {
    bin,
    man,
    exports,
    files: named,
  } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>
    readonly man: readonly string[]
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
    readonly files: readonly string[]
  }
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )
  const wanted = [...Object.values(bin), ...man, ...targets].map((path) => path.replace(/^\.\//, ''))
  expect(wanted.filter((path) => !paths.includes(path))).toEqual([])
  expect(named.filter((path) => !path.startsWith('!') && !existsSync(join(ROOT, path)))).toEqual([])
})

test('holds no published reference file', () => {
  const published = /hla_nom|rel_dna_ser|rel_ser_ser|Allelelist|numer\.v3|alpha\.v3|Deleted_alleles/i
  expect(paths.filter((path) => published.test(path))).toEqual([])
})

test('has types for everything it exports', () => {
  const scripts = paths.filter((path) => path.startsWith('dist/lib/') && path.endsWith('.js'))
  expect(scripts.filter((path) => !paths.includes(path.replace(/\.js$/, '.d.ts')))).toEqual([])
})

test('the library is what a program reaches that imports it, and needs no other package', () => {
  const reached = new Set<string>()
  const outside = new Set<string>()
  // the package's entry point, and the builder of the starter set, which runs in the build
  const open = ['dist/lib/index.js', 'dist/lib/reference/starter/starter-build.js']
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    const text = readFileSync(join(ROOT, path), 'utf8')
    for (const [, named, late] of text.matchAll(IMPORTS)) {
      const name = named ?? late ?? ''
      if (name.startsWith('.')) open.push(posix.join(dirname(path), name))
      else outside.add(name)
    }
  }
  expect([...outside].filter((name) => !name.startsWith('node:'))).toEqual([])
  const scripts = paths.filter((path) => path.startsWith('dist/lib/') && path.endsWith('.js'))
  // a file with only types compiles to little more than its comment
  const others = scripts.filter((path) => !reached.has(path) && sizeOnDisk(path) > 200)
  expect(others).toEqual([])
})

test('stays small', () => {
  const sizeOf = (folder: string) =>
    files.reduce((sum, { path, size }) => (path.startsWith(folder) ? sum + size : sum), 0)
  // 0.3 MB of the programs are files that the library embeds, so that it works in a bundle
  expect(sizeOf('dist/')).toBeLessThan(9.5e6)
  expect(sizeOf('')).toBeLessThan(11e6)
})
