/**
 * What this package holds, and the folder of whoever runs it. The package lies in a folder, at different depths for the sources and the bundle; within
 * the program, where that is a single file (docs/adr/packages.md#one-file); or in the library itself, which others bundle (docs/adr/packages.md#library-in-a-bundle).  [disk]
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { PACKAGE_FILES } from './package-files.ts'

/** What the launcher of a single file leaves for the program. */
interface SingleFile {
  /** `single file for linux-x64` */
  readonly build: string
  /** What a thread runs to be this program. */
  readonly threadSource: string
  bytes(name: string): Buffer | undefined
}

const single = Reflect.get(globalThis, Symbol.for('hla.single-file')) as SingleFile | undefined
let root: string | undefined
let version: string | undefined

export function packagePath(...parts: string[]): string {
  root ??= findRoot(import.meta.dirname)
  return join(root, ...parts)
}

/** undefined: the package has no such file. */
export function packageFile(...parts: string[]): Buffer | undefined {
  const held = PACKAGE_FILES[parts.join('/')]
  if (held !== undefined) return Buffer.from(held, 'base64')
  if (single !== undefined) return single.bytes(parts.join('/'))
  const path = packagePath(...parts)
  return existsSync(path) ? readFileSync(path) : undefined
}

/** @throws {Error} the package is damaged */
export function packageText(...parts: string[]): string {
  const bytes = packageFile(...parts)
  if (bytes === undefined) throw new Error(`${parts.join('/')} is missing from the package`)
  return bytes.toString('utf8')
}

/** Version of this package, from its own package.json; read once: each answer of the service names it. */
export function packageVersion(): string {
  // our own file, shipped beside the code
  version ??= (JSON.parse(packageText('package.json')) as { version: string }).version
  return version
}

/** How the program was built, where that is another way than by npm. */
export function packageBuild(): string | undefined {
  return single?.build
}

export interface ThreadEntry {
  /** A path, or with `eval` the text of a program. */
  readonly file: string
  readonly argv: readonly string[]
  readonly eval?: boolean
}

/** A thread that runs this program with these words. */
export function programThread(...argv: readonly string[]): ThreadEntry {
  if (single !== undefined) return { file: single.threadSource, argv, eval: true }
  return { file: packagePath('bin/hla.cjs'), argv }
}

/** For a `Worker` of Node. */
export function threadOptions({ argv = [], eval: isText = false }: Partial<ThreadEntry>): {
  argv: string[]
  eval: boolean
} {
  return { argv: [...argv], eval: isText }
}

/** What a process of Node, started from this one, is given to be this program: the single file is its own interpreter. */
export function programWords(...argv: readonly string[]): [string, ...string[]] {
  const [first = '', ...more] = argv
  return single === undefined ? [packagePath('bin/hla.cjs'), ...argv] : [first, ...more]
}

function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'data/tables'))) return folder
    if (dirname(folder) === folder) throw new Error(`no package found above ${from}`)
  }
}

/** The user's, as node:os says it, which takes as long to load as a release: the variable is what it looks at first, but on Windows. */
export function homeFolder(): string {
  return (process.platform !== 'win32' && process.env['HOME']) || homedir()
}
