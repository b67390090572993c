/**
 * Files of this package, and the user's home folder. The package lies in a folder, at different depths for sources and
 * bundle; in the program itself, for a single file (docs/adr/packages.md#one-file); or in the library, which others
 * bundle (docs/adr/packages.md#library-in-a-bundle).  [disk]
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { PACKAGE_FILES } from './package-files.ts'

/** What the single file's launcher provides. */
interface SingleFile {
  /** `single file for linux-x64` */
  readonly build: string
  /** Script that a thread runs to become this program. */
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

/** undefined when the package has no such file. */
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

/** Version from package.json; cached, since each answer of the service names it. */
export function packageVersion(): string {
  // our own file, shipped beside the code
  version ??= (JSON.parse(packageText('package.json')) as { version: string }).version
  return version
}

/** Build of the program, unless built by npm. */
export function packageBuild(): string | undefined {
  return single?.build
}

/** `hla 1.0.0`, and how it was built where that is not by npm. */
export function versionLine(): string {
  const build = packageBuild()
  return `hla ${packageVersion()}${build === undefined ? '' : ` (${build}, node ${process.versions.node})`}`
}

export interface ThreadEntry {
  /** Path or, with `eval`, program text. */
  readonly file: string
  readonly argv: readonly string[]
  readonly eval?: boolean
}

/** Thread entry that runs this program with `argv`. */
export function programThread(...argv: readonly string[]): ThreadEntry {
  if (single !== undefined) return { file: single.threadSource, argv, eval: true }
  return { file: packagePath('bin/hla.cjs'), argv }
}

/** Options for a Node `Worker`. */
export function threadOptions({ argv = [], eval: isText = false }: Partial<ThreadEntry>): {
  argv: string[]
  eval: boolean
} {
  return { argv: [...argv], eval: isText }
}

/** Arguments for a child Node process that runs this program; the single file is its own interpreter. */
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

/**
 * Home folder, as `os.homedir` finds it. `node:os` takes as long to load as a release, so HOME is read first, except on
 * Windows.
 */
export function homeFolder(): string {
  return (process.platform !== 'win32' && process.env['HOME']) || homedir()
}
