/** Bundles the command line: dist/hla.script, and what it loads late beside it (docs/adr/0003, 0015, 0038). */
import { createHash } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import {
  borrowed,
  borrowedIn,
  exportsIn,
  firstEntry,
  lateEntry,
  lateImports,
  WRAPPER,
} from './late-bundles.mjs'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const MAIN = 'src/cli/main.ts'
const EXTERNAL = ['@photostructure/sqlite', 'csv-stringify', 'fastify', 'pg', 'undici', 'yauzl']

/** Parts of Node that take 0.5 to 5 ms to load: in a bundle each is loaded when something of it is first used. */
const LATE =
  /^node:(?:child_process|crypto|http|https|net|readline|stream|stream\/(?:consumers|promises)|tty|util|worker_threads|zlib)$/

/** `names`: what ES modules use of each part, for those where it is known. */
const lateParts = (names) => ({
  name: 'late-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: LATE }, ({ path, namespace, kind }) => {
      // what is imported when it is needed is late enough
      if (namespace.startsWith('late') || kind === 'dynamic-import') return { path, external: true }
      return { path, namespace: kind === 'import-statement' ? 'late' : 'late-whole' }
    })
    onLoad({ filter: LATE, namespace: 'late' }, ({ path }) => ({
      contents: lateModule(path, names.get(path) ?? allNames(path)),
    }))
    onLoad({ filter: LATE, namespace: 'late-whole' }, ({ path }) => ({ contents: lateModule(path, allNames(path)) }))
  },
})

function allNames(path) {
  return Object.keys(createRequire(import.meta.url)(path))
}

/** One getter for each thing of the part that is used. */
function lateModule(path, names) {
  // kept here: to ask Node for a part that it has loaded takes longer than most of what is asked of the part
  return `let part
const load = () => (part ??= require(${JSON.stringify(path)}))
for (const name of ${JSON.stringify([...names])}) Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] })`
}

/** What is read of each part in a bundle that has all names: to define some hundred that nobody reads takes a millisecond. */
function usedNames(text) {
  const used = new Map()
  for (const [, part, name] of text.matchAll(/\bimport_node_([a-z]+(?:_[a-z]+)*)\d*\b(?!=)(?:\.([\w$]+))?/g)) {
    const path = `node:${part}`
    if (!used.has(path)) used.set(path, new Set())
    // the whole of it
    if (name === undefined || name === 'default') allNames(path).forEach((one) => used.get(path).add(one))
    else used.get(path).add(name)
  }
  return used
}

/** Text of a bundle, what is in it, and what it imports late: name of bundle -> files. */
async function bundle(contents, plugins = []) {
  const whole = await bundleWith(contents, plugins, new Map())
  return bundleWith(contents, plugins, usedNames(whole.text))
}

async function bundleWith(contents, plugins, names) {
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
    // a script from V8's compiled form cannot import() on Node 20: the bundle requires what it imports late
    supported: { 'dynamic-import': false },
    external: EXTERNAL,
    plugins: [lateParts(names), lateImports(ROOT, EXTERNAL, late), ...plugins],
  })
  const [{ inputs }] = Object.values(metafile.outputs)
  const files = Object.keys(inputs).filter(
    // those with a colon are made here
    (file) => inputs[file].bytesInOutput > 0 && !file.includes(':') && !file.startsWith('<'),
  )
  return { text: outputFiles[0].text, files, late }
}

/** Late bundles are built until none imports another that is not built with all the files it is asked for. */
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
// nothing of another build may be found
for (const name of readdirSync(DIST)) if (/\.(?:v8cache|script)$/.test(name)) rmSync(join(DIST, name))
for (const [name, { text }] of [...late, ['hla', first]])
  writeFileSync(join(DIST, `${name}.script`), `/*${digestOf(text)}*/${text}`)

/** By it the form that V8 makes of a bundle is told from that of another one. */
function digestOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
