/** The installed program without npm: what the tar file, Debian, conda and Homebrew have in common.  [disk, network, process] */
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

/** For tools that ask when something was made: the day of what is committed, as reproducible builds have it. */
export const EPOCH =
  process.env.SOURCE_DATE_EPOCH ??
  execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim()

/** `bin/hla`, `lib/hla`, `share`: below a folder that may be moved. */
export function makeTree(to) {
  const lib = join(to, 'lib/hla')
  mkdirSync(lib, { recursive: true })
  for (const one of ['package.json', 'package-lock.json', 'bin', 'data', 'dist', 'man', 'LICENSE'])
    cpSync(join(ROOT, one), join(lib, one), { recursive: true })
  // for programs that import it, who have npm
  rmSync(join(lib, 'dist/lib'), { recursive: true })
  // of the versions that the tests ran with; Node before 22.16 has no SQLite, and `hla drive serve` says so
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

/** What programmers read and tests, not what runs. Licences stay. */
function removeUnused(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    // its folder is gone
    if (!existsSync(path)) continue
    const isUnused = entry.isDirectory()
      ? /^(?:tests?|benchmarks?|docs|examples|integration|scripts)$|^\./.test(entry.name)
      : /\.(?:map|[cm]?ts|tsbuildinfo|ya?ml|html|sh)$|^\.|(?<!^licen[cs]e)\.md$/i.test(entry.name)
    if (isUnused) rmSync(path, { recursive: true, force: true })
    // some packages are published with all rights to execute
    else if (entry.isFile()) chmodSync(path, 0o644)
  }
}

/** For man(1): `hla man` has those of the package. */
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

/** The same bytes for the same files. */
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
