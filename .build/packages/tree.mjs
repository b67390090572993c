/** The installed program without npm, shared by the tarball, Debian, conda and Homebrew.  [disk, network, process] */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ROOT } from '../description.mjs'

/** Build time for packaging tools: the day of the last commit, for reproducible builds. */
export const EPOCH =
  process.env.SOURCE_DATE_EPOCH ??
  execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim()

/** `bin/hla`, `lib/hla`, `share`: the folder can be moved. */
export function makeTree(to) {
  const lib = join(to, 'lib/hla')
  mkdirSync(lib, { recursive: true })
  for (const one of ['package.json', 'package-lock.json', 'bin', 'data', 'dist', 'man', 'LICENSE'])
    cpSync(join(ROOT, one), join(lib, one), { recursive: true })
  // the library is for programs that import it, and those use npm
  rmSync(join(lib, 'dist/lib'), { recursive: true })
  // the dependency versions of the tests; Node before 22.16 has no SQLite, and `hla drive serve` names the command
  execFileSync(
    'npm',
    ['ci', '--silent', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'],
    {
      cwd: lib,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  for (const made of ['package-lock.json', 'node_modules/.package-lock.json', 'node_modules/.bin'])
    rmSync(join(lib, made), { recursive: true, force: true })
  removeUnused(join(lib, 'node_modules'))
  mkdirSync(join(to, 'bin'))
  symlinkSync('../lib/hla/bin/hla.cjs', join(to, 'bin/hla'))
  linkManual(join(lib, 'man'), join(to, 'share/man'))
  writeCompletions(join(to, 'bin/hla'), join(to, 'share'))
}

/** Removes documentation and tests of dependencies; licences stay. */
function removeUnused(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    // its folder is already removed
    if (!existsSync(path)) continue
    const isUnused = entry.isDirectory()
      ? /^(?:tests?|benchmarks?|docs|examples|integration|scripts)$|^\./.test(entry.name)
      : /\.(?:map|[cm]?ts|tsbuildinfo|ya?ml|html|sh)$|^\.|(?<!^licen[cs]e)\.md$/i.test(entry.name)
    if (isUnused) rmSync(path, { recursive: true, force: true })
    // some packages are published with every file executable
    else if (entry.isFile()) chmodSync(path, 0o644)
  }
}

/** Links the manual pages for man(1); `hla man` reads those in the package. */
function linkManual(from, to) {
  for (const page of readdirSync(from)) {
    const section = `man${page.at(-1)}`
    mkdirSync(join(to, section), { recursive: true })
    symlinkSync(`../../../lib/hla/man/${page}`, join(to, section, page))
  }
}

function writeCompletions(program, share) {
  const files = {
    bash: 'bash-completion/completions/hla',
    zsh: 'zsh/vendor-completions/_hla',
    fish: 'fish/vendor_completions.d/hla.fish',
  }
  for (const [shell, file] of Object.entries(files)) {
    mkdirSync(dirname(join(share, file)), { recursive: true })
    writeFileSync(join(share, file), execFileSync(process.execPath, [program, 'completion', shell]))
  }
}

/** The same files give the same bytes. */
export function packTar(folder, file) {
  const tar = execFileSync(
    'tar',
    [
      '--sort=name',
      `--mtime=@${EPOCH}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u=rwX,go=rX',
      '-cf',
      '-',
      basename(folder),
    ],
    { cwd: dirname(folder), maxBuffer: 1 << 30 },
  )
  writeFileSync(file, execFileSync('gzip', ['-9n'], { input: tar, maxBuffer: 1 << 30 }))
}
