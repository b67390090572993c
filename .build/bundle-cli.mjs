/** Bundles the command line into dist/hla.script, and keeps V8's compiled form of it beside it (docs/adr/0003). */
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

/** Parts of Node that take 0.5 to 5 ms to load: in the bundle each is loaded when something of it is first used. */
const LATE =
  /^node:(?:child_process|crypto|http|https|net|readline|stream|stream\/(?:consumers|promises)|tty|util|worker_threads|zlib)$/

const lateParts = {
  name: 'late-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: LATE }, ({ path, namespace, kind }) =>
      // what is imported when it is needed is late enough
      namespace === 'late' || kind === 'dynamic-import'
        ? { path, external: true }
        : { path, namespace: 'late' },
    )
    onLoad({ filter: LATE, namespace: 'late' }, ({ path }) => ({ contents: lateModule(path) }))
  },
}

/** One getter for each thing the part exports. */
function lateModule(path) {
  const names = Object.keys(createRequire(import.meta.url)(path))
  return `const load = () => require(${JSON.stringify(path)})
for (const name of ${JSON.stringify(names)}) Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] })`
}

// a compiled form of another bundle must never be found
for (const name of readdirSync(DIST)) if (name.endsWith('.v8cache')) rmSync(join(DIST, name))
await build({
  absWorkingDir: ROOT,
  entryPoints: ['src/cli/main.ts'],
  outfile: join(DIST, 'hla.script'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // a script whose value is the function that Node would put around a module
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
  define: { 'import.meta.dirname': '__dirname' },
  // a script from V8's compiled form cannot import() on Node 20: the bundle requires what it imports late
  supported: { 'dynamic-import': false },
  external: ['csv-parse', 'csv-stringify', 'fastify', 'undici', 'yauzl'],
  plugins: [lateParts],
})
execFileSync(process.execPath, [join(import.meta.dirname, 'write-code-cache.cjs')], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
