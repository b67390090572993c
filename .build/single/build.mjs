/**
 * `npm run package:single`: the program as one file for each platform, into release/ (docs/adr/packages.md#one-file).
 * [disk, network, process]
 * The same sources and the same Node give the same bytes. `HLA_PLATFORMS` selects platforms.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { name, RELEASE, ROOT, version } from '../description.mjs'
import { mainText } from './main-text.mjs'
import { nodeFor, PLATFORMS } from './nodes.mjs'

/** The platform of this machine, which also builds the files of the others. */
const HERE = `${process.platform}-${process.arch}`
/** Files and folders of the package that the program reads. */
const HELD = ['data', 'dist', 'man', 'package.json', 'LICENSE']
/**
 * Commands whose compiled form is in the file; others write theirs to the user's cache, as an npm installation does.
 */
const FORMED = [
  ['--version'],
  ['version', '-r', 'starter'],
  ['redux', '-r', 'starter', '-m', 'G', 'A*01:01:01:01'],
  // a command line that is not plain
  ['redux', '-r', 'starter', '-m', 'G', '-o', '-', 'A*01:01:01:01'],
  ['validate', '-r', 'starter', 'A*01:01'],
  ['mac', '-r', 'starter', 'A*01:AB'],
  ['explain', '-r', 'starter', '-m', 'G', 'A*01:01:01:01'],
  ['pipe', '-r', 'starter'],
  ['man', 'redux'],
]

const folder = mkdtempSync(join(tmpdir(), 'hla-single-'))
try {
  await makeFiles(RELEASE)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function makeFiles(to) {
  mkdirSync(to, { recursive: true })
  const assets = { ...heldFiles(), ...(await packages()) }
  const platforms = process.env.HLA_PLATFORMS?.split(',') ?? Object.keys(PLATFORMS)
  for (const platform of platforms) {
    const output = join(to, `${name}-${version}-${platform}`)
    // V8 accepts a compiled form only on the platform, and from the exact Node, that made it
    makeFile({ ...assets, ...(platform === HERE ? compiledForms() : {}) }, platform, output)
    process.stdout.write(`${relative(ROOT, output)} ${(statSync(output).size / 1e6).toFixed(1)} MB\n`)
  }
}

/** Name -> file. */
function heldFiles() {
  const files = HELD.flatMap((held) => {
    const path = join(ROOT, held)
    if (!statSync(path).isDirectory()) return [held]
    return (
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
        // only other programs import the library
        .filter((file) => !file.startsWith(join('dist', 'lib')))
    )
  })
  return Object.fromEntries(files.toSorted().map((file) => [file, join(ROOT, file)]))
}

/** npm packages outside the bundles, each as a script of its own. */
async function packages() {
  const scripts = readdirSync(join(ROOT, 'dist')).filter((file) => file.endsWith('.script'))
  const asked = scripts.flatMap((file) => {
    const text = readFileSync(join(ROOT, 'dist', file), 'latin1')
    return [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, one]) => one)
  })
  // this Node has built-in SQLite
  const wanted = [...new Set(asked)].filter((one) => !/^node:|^stream$|sqlite/.test(one)).toSorted()
  const made = {}
  for (const one of wanted) {
    const file = join(folder, `${one.replaceAll('/', '-')}.script`)
    await build({
      absWorkingDir: ROOT,
      stdin: { contents: `module.exports = require(${JSON.stringify(one)})`, resolveDir: ROOT, loader: 'js' },
      outfile: file,
      bundle: true,
      platform: 'node',
      target: 'node24',
      format: 'cjs',
      banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
      footer: { js: '})' },
      minifyWhitespace: true,
      minifySyntax: true,
      logLevel: 'error',
      external: ['pg-native'],
    })
    made[`packages/${one}.script`] = file
  }
  return made
}

function makeFile(assets, platform, output) {
  writeFileSync(join(folder, 'main.cjs'), mainText(platform))
  const config = join(folder, 'config.json')
  const asked = {
    // the main script's name in the file
    main: 'main.cjs',
    output,
    executable: nodeFor(platform),
    disableExperimentalSEAWarning: true,
    // the main script is a few lines; the long scripts have their own compiled forms
    useCodeCache: false,
    assets: { ...assets, 'threads.cjs': join(folder, 'main.cjs') },
  }
  writeFileSync(config, JSON.stringify(asked))
  execFileSync(nodeFor(HERE), ['--build-sea', config], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Compiled forms as the program writes them for a user (docs/adr/start.md#compiled-form): each is stored twice. */
function compiledForms() {
  const cache = join(folder, 'cache')
  const alike = ['--hash-seed=1', '--no-sparkplug', '--no-profile-guided-optimization']
  const program = ['--require', join(import.meta.dirname, 'usual-flags.cjs'), join(ROOT, 'bin/hla.cjs')]
  for (const words of FORMED)
    execFileSync(nodeFor(HERE), [...alike, ...program, ...words], {
      env: { XDG_CACHE_HOME: cache, PATH: process.env.PATH },
      input: '',
      stdio: ['pipe', 'ignore', 'inherit'],
    })
  const forms = {}
  for (const file of readdirSync(join(cache, 'hla')).toSorted()) {
    const [, bundle, command] = /^(.+)-[0-9a-f]{16}-v.*-([a-z]+)\.v8cache$/.exec(file)
    const bytes = readFileSync(join(cache, 'hla', file))
    const path = join(folder, `${bundle}-${command}.form`)
    writeFileSync(path, bytes.subarray(0, bytes.length / 2))
    forms[`forms/${bundle}-${command}`] = path
  }
  return forms
}
