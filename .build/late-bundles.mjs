/**
 * Turns each import() of the sources into a bundle, one a folder or package: dist/<name>.script
 * (docs/adr/start.md#bundles).
 * A late bundle borrows the modules of the first bundle instead of repeating them, so that each module has one state.
 */
import { basename, dirname, relative } from 'node:path'
import { build } from 'esbuild'

/** The bundle parameter with the values that the first bundle lends: `file name` -> value. */
const LENT = '__lent'

/** A script whose value is Node's function around a module, with the lent values as one more parameter. */
export const WRAPPER = {
  banner: { js: `(function (exports, require, module, __filename, __dirname, ${LENT} = {}) {` },
  footer: { js: '})' },
}

/** A large package that several bundles import: it has one of its own however it is imported. */
const SHARED = 'fastify'

/** Replaces an import() of our own code by a call that loads its bundle; `found` collects name of bundle -> files. */
export function lateImports(root, external, found) {
  return {
    name: 'late-imports',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /./ }, async ({ path, kind, pluginData, ...from }) => {
        const isLate = kind === 'dynamic-import' || (kind === 'import-statement' && path === SHARED)
        if (!isLate || pluginData === 'asked' || path.startsWith('node:')) return undefined
        if (external.some((name) => path === name || path.startsWith(`${name}/`))) return undefined
        const { path: file } = await resolve(path, { kind, pluginData: 'asked', ...from })
        const name = path.startsWith('.') ? basename(dirname(file)) : path.replaceAll('/', '-')
        found.set(name, new Set([...(found.get(name) ?? []), relative(root, file)]))
        return { path: `${name}:${relative(root, file)}`, namespace: 'late-import' }
      })
      onLoad({ filter: /./, namespace: 'late-import' }, ({ path }) => {
        const [name, file] = path.split(':')
        return {
          contents: `module.exports = require('late-loader')(${JSON.stringify(name)})[${JSON.stringify(file)}]`,
        }
      })
      onResolve({ filter: /^late-loader$/ }, ({ path }) => ({ path, namespace: 'late-loader' }))
      onLoad({ filter: /./, namespace: 'late-loader' }, () => ({ contents: LOADER }))
    },
  }
}

/** The loader of the first bundle (bin/hla.cjs) also loads the late ones. */
const LOADER = `module.exports = (name) => ${LENT}.load(name, ${LENT})`

/** Entry of a late bundle: the files that are imported from it. */
export function lateEntry(files) {
  const lines = [...files].map((file, at) => `import * as late${at} from './${file}'`)
  const named = [...files].map((file, at) => `${JSON.stringify(file)}: late${at}`)
  return `${lines.join('\n')}\nmodule.exports = { ${named.join(', ')} }`
}

/** In a late bundle, resolves modules of the first bundle to the exports that it lends. */
export function borrowed(root, exportsOf) {
  return {
    name: 'borrowed',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /./ }, async ({ path, kind, pluginData, ...from }) => {
        if (kind !== 'import-statement' || pluginData === 'asked' || path.startsWith('node:'))
          return undefined
        const { path: file } = await resolve(path, { kind, pluginData: 'asked', ...from })
        const name = relative(root, file)
        return exportsOf.has(name) ? { path: name, namespace: 'borrowed', sideEffects: false } : undefined
      })
      onLoad({ filter: /./, namespace: 'borrowed' }, ({ path }) => ({
        contents: exportsOf
          .get(path)
          .map(
            (name) =>
              `export const ${name} = /* @__PURE__ */ ${LENT}.get(${JSON.stringify(`${path} ${name}`)})`,
          )
          .join('\n'),
      }))
    },
  }
}

/** The names that a built late bundle borrows. */
export function borrowedIn(text) {
  return [...text.matchAll(new RegExp(`${LENT}\\.get\\("([^"]+)"\\)`, 'g'))].map(([, name]) => name)
}

/** Entry of the first bundle: exports its starter's functions and lends values to the late bundles. */
export function firstEntry(main, lent) {
  const lines = lent.map((one, at) => {
    const [file, name] = one.split(' ')
    return `import { ${name} as lent${at} } from './${file}'`
  })
  const named = lent.map((one, at) => `${JSON.stringify(one)}: () => lent${at}`)
  return `${lines.join('\n')}
const lend = () => ({ ${named.join(', ')} })
let lent
${LENT}.get = (name) => (lent ??= lend())[name]()
export { heapFlags, main } from './${main}'`
}

/** File -> the names it exports; files without named exports, such as CommonJS, are left out. */
export async function exportsIn(root, files) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    bundle: false,
    write: false,
    metafile: true,
    format: 'esm',
    outdir: '.',
    outbase: '.',
    // CommonJS files are expected here
    logLevel: 'error',
  })
  const outputs = Object.values(metafile.outputs)
  return new Map(
    outputs
      .filter(({ exports }) => exports.length > 0)
      .map(({ entryPoint, exports }) => [entryPoint, exports]),
  )
}
