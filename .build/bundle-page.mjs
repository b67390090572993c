/** Builds the pages of both services, dist/page and dist/drive-page: scripts, style sheets and documents. */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { notePackages, writeBundled } from './bundled.mjs'
import { METHOD_NAMES, METHODS } from '../dist/lib/engine/reduce/methods.js'

const ROOT = join(import.meta.dirname, '..')

await makePage('dist/page', 'src/service/page', {
  files: ['index.html', 'docs.html', 'missing.html', '../../web/page/page.css'],
  entryPoints: { page: 'page.ts', docs: 'docs/docs.ts' },
})
await makePage('dist/drive-page', 'src/drive/page', {
  files: ['index.html', 'drive.css', '../../web/page/page.css'],
  entryPoints: ['page.ts'],
  // these packages are bundled into the page, so their licences are too
  licences: ['client-zip/LICENSE.txt', 'diff/LICENSE'],
})
writeBundled()

async function makePage(to, from, { files, entryPoints, licences = [] }) {
  const [FROM, TO] = [join(ROOT, from), join(ROOT, to)]
  rmSync(TO, { recursive: true, force: true })
  mkdirSync(TO, { recursive: true })
  for (const name of files) cpSync(join(FROM, name), join(TO, basename(name)))
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: FROM,
    entryPoints,
    outdir: TO,
    bundle: true,
    minify: true,
    footer: { js: licences.map(licenceComment).join('\n') },
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
    // the page takes the list of methods from the program
    define: {
      HLA_METHODS: JSON.stringify(
        METHOD_NAMES.map((name) => ({ name, words: METHODS[name].words, summary: METHODS[name].summary })),
      ),
    },
  })
  notePackages(metafile, FROM)
}

function licenceComment(path) {
  return `/*! ${path}\n${readFileSync(join(ROOT, 'node_modules', path), 'utf8').trim()}\n*/`
}
