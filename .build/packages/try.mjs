/**
 * `npm run package:try`: installs each package of release/ in an empty folder and prints a table: file, size, processor
 * time of a start relative to `node -e 0`, and how it was tried.  [disk, process]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { name, RELEASE, ROOT, version } from '../description.mjs'
import { nodeFor } from '../single/nodes.mjs'

const STARTS = 15
const folder = mkdtempSync(join(tmpdir(), 'hla-try-'))
const here = `${process.platform}-${process.arch}`

/**
 * File -> function that installs it below a folder and returns the path of its program and, if it needs one, its Node.
 */
const INSTALLED = {
  [`${name}-${version}.tgz`]: (file, to) => {
    run('npm', ['install', '--silent', '--global', '--prefix', to, '--omit=dev', file])
    return join(to, 'bin/hla')
  },
  [`${name}-${version}-${here}`]: (file, to) => {
    run('install', ['-m', '755', file, join(to, 'hla')])
    return join(to, 'hla')
  },
  [`${name}-${version}.tar.gz`]: (file, to) => {
    run('tar', ['-xzf', file, '-C', to])
    return join(to, `${name}-${version}/bin/hla`)
  },
  [`${name}_${version}-1_all.deb`]: (file, to) => {
    mkdirSync(join(to, 'var/lib/dpkg/info'), { recursive: true })
    mkdirSync(join(to, 'var/lib/dpkg/updates'))
    run('touch', [join(to, 'var/lib/dpkg/status')])
    // the root has no Node, so this machine's Node runs it
    run('dpkg', [`--root=${to}`, '--force-depends', '--force-not-root', '--log=/dev/null', '-i', file])
    return join(to, 'usr/bin/hla')
  },
}

/** Packages that only their own checkers try. */
const CHECKED = {
  [`${name}-${version}-linux-arm64`]: (file) =>
    /AArch64/.test(run('readelf', ['-h', file])) && 'its header; not run',
  'homebrew/hla.rb': (file) => isThere('ruby') && run('ruby', ['-c', file]) && 'ruby -c; its sum',
  'bioconda/meta.yaml': (file) => namesTarball(file) && 'its sum; not built: no conda here',
  'environment.yml': (file) => readFileSync(file, 'utf8').includes(`${name}=${version}`) && 'its version',
}

try {
  const rows = [...installedRows(), ...checkedRows()]
  process.stdout.write(['file\tMB\tstart\ttried', ...rows.map((row) => row.join('\t')), ''].join('\n'))
} catch (error) {
  process.stderr.write(`package: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function* installedRows() {
  for (const [file, install] of Object.entries(INSTALLED)) {
    const path = join(RELEASE, file)
    if (!existsSync(path)) continue
    const to = join(folder, file)
    mkdirSync(to)
    const program = install(path, to)
    const answers = tryTutorial(program, to)
    // a single file contains its own Node
    const node = basename(program) === 'hla' && file.endsWith(here) ? nodeFor(here) : process.execPath
    const start = `${startRatio(program, node, to)} (Node ${run(node, ['--version']).trim().slice(1)})`
    yield [file, megabytes(path), start, `installed; ${answers} answers of the tutorial, a table, a service`]
  }
}

function* checkedRows() {
  for (const [file, check] of Object.entries(CHECKED)) {
    const path = join(RELEASE, file)
    if (!existsSync(path)) continue
    yield [file, megabytes(path), '-', check(path) || 'not tried: its checker is not here']
  }
}

/** The first three answers of the tutorial, and the files that it creates for them. */
function tryTutorial(program, to) {
  const page = readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8')
  const blocks = page.matchAll(/^```sh\n(.*?)^```$(?:\n+^```text\n(.*?)^```$)?/gms)
  const work = join(to, 'work')
  mkdirSync(join(work, 'bin'), { recursive: true })
  run('ln', ['-s', program, join(work, 'bin/hla')])
  let answers = 0
  for (const [, command, answer] of blocks) {
    if (answers === 3) break
    const { stdout, stderr, status } = spawnSync('sh', ['-c', command], {
      cwd: work,
      env: environment(work),
      encoding: 'utf8',
    })
    if (status !== 0 || (answer !== undefined && stdout !== answer))
      throw new Error(`${program}: ${command}${stdout}${stderr}`)
    if (answer !== undefined) answers += 1
  }
  if (answers < 3) throw new Error(`the tutorial has ${answers} answers`)
  tryTable(work)
  tryService(work)
  return answers
}

/** A table of some megabytes. */
function tryTable(work) {
  const script = `{ echo id,A_1; yes '1,A*01:01:01:01' | head -n 60000; } > many.csv
hla redux -q -r starter -m G -i many.csv -o out.csv && grep -c '^1,A\\*01:01:01:01,A\\*01:01:01G$' out.csv`
  const { stdout } = spawnSync('sh', ['-c', script], { cwd: work, env: environment(work), encoding: 'utf8' })
  if (stdout !== '60000\n') throw new Error(`rows of a table: ${stdout}`)
}

function tryService(work) {
  const script = `hla serve -r starter --port 0 --workers 2 --access-log off 2> serve.log & server=$!
for _ in $(seq 100); do url=$(grep -o -m 1 'http://[0-9.:]*' serve.log) && break; sleep 0.1; done
hla redux -q --remote "$url" -m G 'A*01:01:01:01'; kill $server; wait $server`
  const { stdout } = spawnSync('sh', ['-c', script], {
    cwd: work,
    env: environment(work),
    encoding: 'utf8',
    timeout: 60_000,
  })
  if (stdout !== 'A*01:01:01G\n') throw new Error(`the answer of a service: ${stdout}`)
}

/** An empty home, and no settings of ours. */
function environment(work) {
  return { PATH: `${join(work, 'bin')}:${process.env.PATH}`, HOME: work, LANG: 'C.UTF-8' }
}

/** Least processor time of `hla --version` divided by that of `node -e 0`, measured alternately. */
function startRatio(program, node, to) {
  const env = { ...environment(join(to, 'work')), PATH: `${join(node, '..')}:${process.env.PATH}` }
  const [own, bare] = [[], []]
  for (let start = 0; start <= STARTS; start += 1) {
    own.push(processorTime(program, ['--version'], env))
    bare.push(processorTime(node, ['-e', '0'], env))
  }
  // the first run writes the caches that the others read
  return (Math.min(...own.slice(1)) / Math.min(...bare.slice(1))).toFixed(2)
}

/** Seconds, user and system. */
function processorTime(program, words, env) {
  const { stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null', 'bash', program, ...words],
    {
      env,
      encoding: 'utf8',
    },
  )
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return user + system
}

function namesTarball(file) {
  const sum = createHash('sha256')
    .update(readFileSync(join(RELEASE, `${name}-${version}.tar.gz`)))
    .digest('hex')
  return readFileSync(file, 'utf8').includes(sum)
}

function isThere(program) {
  return spawnSync(program, ['--version']).status === 0
}

function run(program, words) {
  return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function megabytes(file) {
  return (statSync(file).size / 1e6).toFixed(2)
}
