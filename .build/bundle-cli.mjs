/** Bundles the command line: dist/hla.script, and the late bundles beside it (docs/adr/start.md). */
import { createHash } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { notePackages, writeBundled } from './bundled.mjs'
import {
  borrowed,
  borrowedIn,
  exportsIn,
  firstEntry,
  lateEntry,
  lateImports,
  WRAPPER,
} from './late-bundles.mjs'
import { lateParts, shareParts } from './late-parts.mjs'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const MAIN = 'src/cli/main.ts'
/** Packages that are installed beside the program; all others are within the bundles. */
const EXTERNAL = ['@aws-sdk/credential-providers', '@photostructure/sqlite', 'aws4', 'csv-parse', 'csv-stringify', 'undici']

/** Text of a bundle, its inputs, and its late imports: name of bundle -> files. */
async function bundle(contents, plugins = []) {
  const late = new Map()
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    stdin: { contents, resolveDir: ROOT, loader: 'js' },
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    ...WRAPPER,
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
    define: { 'import.meta.dirname': '__dirname' },
    // a script run from V8's compiled form cannot import() on Node 20: the bundle requires its late imports
    supported: { 'dynamic-import': false },
    external: EXTERNAL,
    plugins: [lateParts, lateImports(ROOT, EXTERNAL, late), ...plugins],
  })
  notePackages(metafile, ROOT)
  const [{ inputs }] = Object.values(metafile.outputs)
  const files = Object.keys(inputs).filter(
    // plugins name their own modules with a colon
    (file) => inputs[file].bytesInOutput > 0 && !file.includes(':') && !file.startsWith('<'),
  )
  return { text: inAscii(shareParts(outputFiles[0].text)), files, late }
}

/** Bundles are read as one byte a character, but esbuild leaves regular expressions and raw templates unescaped. */
function inAscii(text) {
  return text.replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Builds late bundles until each one that is imported has been built with all the files requested of it. */
async function lateBundles(first) {
  const lendable = borrowed(ROOT, await exportsIn(ROOT, first.files))
  const wanted = new Map(first.late)
  const built = new Map()
  for (;;) {
    const missing = [...wanted].filter(([name, files]) => built.get(name)?.size !== files.size)
    if (missing.length === 0) return built
    for (const [name, files] of missing) {
      const { text, late } = await bundle(lateEntry(files), [lendable])
      built.set(name, { text, size: files.size })
      for (const [other, more] of late) wanted.set(other, new Set([...(wanted.get(other) ?? []), ...more]))
    }
  }
}

const late = await lateBundles(await bundle(firstEntry(MAIN, [])))
const lent = new Set([...late.values()].flatMap(({ text }) => borrowedIn(text)))
const first = await bundle(firstEntry(MAIN, [...lent].toSorted()))
// removes files of earlier builds
for (const name of readdirSync(DIST)) if (/\.(?:v8cache|script)$/.test(name)) rmSync(join(DIST, name))
for (const [name, { text }] of [...late, ['hla', first]])
  writeFileSync(join(DIST, `${name}.script`), `/*${digestOf(text)}*/${text}`)
writeBundled()

/** The digest that tells V8's compiled form of one bundle from that of another. */
function digestOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
