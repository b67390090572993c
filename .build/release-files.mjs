/**
 * `npm run release:files`: writes the npm package, the tarball, the Debian package and the single files of this
 * checkout, with checksums, into dist/release. It checks and publishes nothing; `npm run release:check` does the
 * checks.  [disk, network, process]
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'dist/release'
process.env.HLA_RELEASE_FOLDER = FOLDER
const { RELEASE, ROOT } = await import('./description.mjs')
const run = (program, ...words) => execFileSync(program, words, { cwd: ROOT, stdio: 'inherit' })

try {
  rmSync(RELEASE, { recursive: true, force: true })
  run('npm', 'run', '--silent', 'build')
  mkdirSync(RELEASE, { recursive: true })
  run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', RELEASE)
  run('node', '.build/packages/make.mjs', 'tar', 'debian')
  run('node', '.build/single/build.mjs')
  const sums = readdirSync(RELEASE)
    .sort()
    .map((file) => `${createHash('sha256').update(readFileSync(join(RELEASE, file))).digest('hex')}  ${file}\n`)
  writeFileSync(join(RELEASE, 'SHA256SUMS'), sums.join(''))
  process.stdout.write(`${FOLDER}: ${sums.length} files and SHA256SUMS\n`)
} catch (error) {
  // the failed program has already printed its error
  process.stderr.write(`release: ${error.message}\n`)
  process.exitCode = 1
}
