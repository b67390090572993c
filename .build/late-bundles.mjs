/**
 * What the sources import() late becomes bundles of their own, one a folder or package: dist/<name>.script (docs/adr/start.md#late-bundles).
 * A module that the first bundle has is not bundled again: the late bundle is linked to it, so that its state is one.
 */
import { basename, dirname, relative } from 'node:path'
import { build } from 'esbuild'

/** The parameter of a bundle that holds what the first one lends: `file name` -> value. */
const LENT = '__lent'

/** A script whose value is the function that Node would put around a module, with what is lent as one more parameter. */
export const WRAPPER = {
  banner: { js: `(function (exports, require, module, __filename, __dirname, ${LENT} = {}) {` },
  footer: { js: '})' },
}

/** Replaces an import() of our own code by the loading of its bundle; `found` gets the files: name of bundle -> files. */
export function lateImports(root, external, found) {
  return {
    name: 'late-imports',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /./ }, async ({ path, kind, pluginData, ...from }) => {
        if (kind !== 'dynamic-import' || pluginData === 'asked' || path.startsWith('node:')) return undefined
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

/** What starts the first bundle loads the others too (bin/hla.cjs). */
const LOADER = `module.exports = (name) => ${LENT}.load(name, ${LENT})`

/** Entry of a late bundle: the files that are asked for by name. */
export function lateEntry(files) {
  const lines = [...files].map((file, at) => `import * as late${at} from './${file}'`)
  const named = [...files].map((file, at) => `${JSON.stringify(file)}: late${at}`)
  return `${lines.join('\n')}\nmodule.exports = { ${named.join(', ')} }`
}

/** In a late bundle, the modules that the first one has: their exports are lent. */
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

/** What a built late bundle borrows. */
export function borrowedIn(text) {
  return [...text.matchAll(new RegExp(`${LENT}\\.get\\("([^"]+)"\\)`, 'g'))].map(([, name]) => name)
}

/** Entry of the first bundle: it exports what its starter calls, and lends what the others need. */
export function firstEntry(main, lent) {
  const lines = lent.map((one, at) => {
    const [file, name] = one.split(' ')
    return `import { ${name} as lent${at} } from './${file}'`
  })
  const named = lent.map((one, at) => `${JSON.stringify(one)}: () => lent${at}`)
  return `${lines.join('\n')}
const lent = { ${named.join(', ')} }
${LENT}.get = (name) => lent[name]()
export { heapFlags, main, writeRest } from './${main}'`
}

/** File -> the names it exports; files that export nothing by name, as CommonJS does, are left out. */
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
    // CommonJS among them is no mistake
    logLevel: 'error',
  })
  const outputs = Object.values(metafile.outputs)
  return new Map(
    outputs
      .filter(({ exports }) => exports.length > 0)
      .map(({ entryPoint, exports }) => [entryPoint, exports]),
  )
}
