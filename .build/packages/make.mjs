/** `npm run package:<kind>`: packages of this version, into release/.  [disk, network, process] */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { name, RELEASE, ROOT, version } from '../description.mjs'
import { makeDebian } from './debian.mjs'
import { biocondaRecipe, environmentFile, homebrewFormula } from './recipes.mjs'
import { makeTree, packTar } from './tree.mjs'

const TARBALL = join(RELEASE, `${name}-${version}.tar.gz`)

const KINDS = {
  tar: () => makeTar(),
  debian: () => {
    const tree = inFolder('tree')
    makeTree(tree)
    const file = join(RELEASE, `${name}_${version}-1_all.deb`)
    makeDebian(tree, folder, file)
    return file
  },
  bioconda: () => write('bioconda/meta.yaml', biocondaRecipe(tarballSum())),
  homebrew: () => write('homebrew/hla.rb', homebrewFormula(tarballSum())),
  environment: () => write('environment.yml', environmentFile()),
  container: () => makeImage(),
}

const folder = mkdtempSync(join(tmpdir(), 'hla-package-'))
try {
  const kinds = process.argv.slice(2)
  const unknown = kinds.find((kind) => !Object.hasOwn(KINDS, kind))
  if (unknown !== undefined || kinds.length === 0)
    throw new Error(`no kind of package ${unknown ?? ''}: ${Object.keys(KINDS).join(', ')}`)
  mkdirSync(RELEASE, { recursive: true })
  for (const kind of kinds) {
    const file = KINDS[kind]()
    process.stdout.write(`${relative(ROOT, file)} ${(statSync(file).size / 1e6).toFixed(2)} MB\n`)
  }
} catch (error) {
  process.stderr.write(`package: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function makeTar() {
  const tree = inFolder(`${name}-${version}`)
  makeTree(tree)
  packTar(tree, TARBALL)
  return TARBALL
}

/** Checksum of the tarball, which recipes contain. */
function tarballSum() {
  if (!existsSync(TARBALL)) makeTar()
  return createHash('sha256').update(readFileSync(TARBALL)).digest('hex')
}

function write(file, text) {
  const path = join(RELEASE, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** An OCI archive, made by the installed container program; the base image comes from its registry. */
function makeImage() {
  const builder = ['buildah', 'podman'].find((one) => isThere(one))
  if (builder === undefined) throw new Error('neither buildah nor podman is here: no image')
  const file = join(RELEASE, `${name}-${version}.oci.tar`)
  const tag = `localhost/${name}:${version}`
  execFileSync(builder, ['build', '-f', 'docs/deploy/Containerfile', '-t', tag, '.'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  execFileSync(builder, ['push', tag, `oci-archive:${file}`], { stdio: 'inherit' })
  return file
}

function isThere(program) {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function inFolder(what) {
  const path = join(folder, what)
  rmSync(path, { recursive: true, force: true })
  return path
}
