/**
 * `npm run release:check`: builds all files of a release into release/, or prints the obstacles.  [disk, network,
 * process]
 * It publishes and tags nothing: see docs/releasing.md.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { checkHome, checkVersion, countUnreleased, notesOf } from './release-notes.mjs'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'release')
const PART = `${FOLDER}.part`

const shown = (program, ...words) => execFileSync(program, words, { cwd: ROOT, stdio: 'inherit' })
const printed = (program, ...words) =>
  execFileSync(program, words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 })
const step = (title) => process.stdout.write(`== ${title}\n`)

try {
  makeRelease()
} catch (error) {
  // the failed program has already printed its error
  process.stderr.write(`release: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(PART, { recursive: true, force: true })
}

function makeRelease() {
  const { name, version, homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  step(`${name} ${version}`)
  checkVersion(version, printed('git', 'tag', '--list', 'v*').split('\n').filter(Boolean))
  checkHome(homepage, filesWithPlaceholder())
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const notes = notesOf(changelog, version)
  const unreleased = countUnreleased(changelog)
  if (unreleased > 0)
    step(`${unreleased} entries of CHANGELOG.md are below "Unreleased": in this package, and not in its notes`)
  if (printed('git', 'status', '--porcelain') !== '')
    throw new Error('there are changes that are not committed')
  step('packages that users get: known vulnerabilities')
  // some registry mirrors have no audit; on one of those, run the audit elsewhere
  if (process.argv.includes('--no-audit')) step('not asked, by --no-audit: ask before you publish')
  else askForVulnerabilities()
  step('build, and what the package looks like from outside')
  shown('npm', 'run', '--silent', 'build')
  shown('npm', 'run', '--silent', 'package:check')
  for (const folder of [FOLDER, PART]) rmSync(folder, { recursive: true, force: true })
  mkdirSync(PART)
  step('package')
  // the build has just run
  shown('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', PART)
  step('the package, installed where nothing is')
  shown('bash', '.build/try-package.sh', join(PART, `${name}-${version}.tgz`))
  step('single files and packages')
  shown('node', '.build/single/build.mjs')
  shown('node', '.build/packages/make.mjs', 'tar', 'debian', 'bioconda', 'homebrew', 'environment')
  for (const file of readdirSync(FOLDER)) renameSync(join(FOLDER, file), join(PART, file))
  rmSync(FOLDER, { recursive: true })
  step('bill of materials, notes, checksums')
  writeFileSync(
    join(PART, `${name}-${version}.cdx.json`),
    printed('npm', 'sbom', '--omit=dev', '--sbom-format=cyclonedx'),
  )
  writeFileSync(join(PART, `${name}-${version}.md`), notes)
  writeFileSync(join(PART, 'SHA256SUMS'), filesIn(PART).map(sumLine).join(''))
  renameSync(PART, FOLDER)
  step('each file, installed where nothing is')
  shown('node', '.build/packages/try.mjs')
  step(`release/: ${readdirSync(FOLDER).join(', ')}`)
}

/** Files that users get or maintainers publish; examples of deployment keep the reserved domain. */
function filesWithPlaceholder() {
  const places = ['.', ':!docs/releasing.md', ':!docs/deploy', ':!test', ':!.build']
  try {
    return printed('git', 'grep', '-l', '--fixed-strings', 'hla.example.org', '--', ...places)
      .split('\n')
      .filter(Boolean)
  } catch (error) {
    // the status of a search that finds nothing
    if (error.status === 1) return []
    throw error
  }
}

function askForVulnerabilities() {
  try {
    shown('npm', 'audit', '--omit=dev')
  } catch {
    throw new Error(
      'packages have known vulnerabilities, or the registry does not know any: then ask another, and say -- --no-audit',
    )
  }
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}

function sumLine(file) {
  return `${createHash('sha256')
    .update(readFileSync(join(PART, file)))
    .digest('hex')}  ${file}\n`
}
