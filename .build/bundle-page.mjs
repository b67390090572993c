/** Makes dist/page, what the service shows in a browser: two scripts, a style sheet and two documents. */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { METHOD_NAMES, METHODS } from '../dist/lib/engine/reduce/methods.js'

const ROOT = join(import.meta.dirname, '..')
const [FROM, TO] = [join(ROOT, 'src/service/page'), join(ROOT, 'dist/page')]

rmSync(TO, { recursive: true, force: true })
mkdirSync(TO, { recursive: true })
for (const name of ['index.html', 'docs.html', 'page.css']) cpSync(join(FROM, name), join(TO, name))
await build({
  absWorkingDir: FROM,
  entryPoints: ['page.ts', 'docs.ts'],
  outdir: TO,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'warning',
  // the page has no list of methods of its own
  define: {
    HLA_METHODS: JSON.stringify(METHOD_NAMES.map((name) => ({ name, summary: METHODS[name].summary }))),
  },
})
