/**
 * Node's built-in modules in a bundle. Those that take 0.5 to 5 ms load on first use; the others are required once
 * (docs/adr/start.md#bundles).
 */
import { createRequire } from 'node:module'
import { WRAPPER } from './late-bundles.mjs'

const LATE =
  /^node:(?:child_process|crypto|http|https|net|os|readline|stream|stream\/(?:consumers|promises)|tty|util|worker_threads|zlib)$/

/** Built-in modules that CommonJS packages require: one getter a member. `shareParts` handles our own modules. */
export const lateParts = {
  name: 'late-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, namespace, kind }) =>
      kind === 'require-call' && isLate(path) && namespace !== 'late' ? { path, namespace: 'late' } : { path, external: true },
    )
    onLoad({ filter: LATE, namespace: 'late' }, ({ path }) => ({
      contents: `let part
const load = () => (part ??= require(${JSON.stringify(path)}))
for (const name of ${JSON.stringify(Object.keys(createRequire(import.meta.url)(path)))})
  Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] })`,
    }))
  },
}

/**
 * esbuild gives each module its own variable for a built-in module: all of them become one shared module or its loader.
 */
export function shareParts(text) {
  const parts = new Map([...text.matchAll(DEFINED)].map(([, variable, part]) => [variable, part]))
  const shared = text
    .replace(DEFINED, '$1')
    .replace(/(\bnew )?\b(import_node_\w+)(?=[.)])(?:\.default\b)?/g, (found, isNew = '', variable) => {
      const part = parts.get(variable)
      if (part === undefined) throw new Error(`${found} is of no part of Node`)
      if (!isLate(part)) return `${isNew}${nameOf(part)}`
      // `new` applies to a member of the built-in module
      return isNew === '' ? `${nameOf(part)}()` : `new (${nameOf(part)}())`
    })
  // the definition of each
  if ((shared.match(/\bimport_node_\w+/g) ?? []).length !== parts.size) throw new Error('a use of a part of Node was not found')
  return shared.replace(WRAPPER.banner.js, (head) => head + [...new Set(parts.values())].map(definition).join(''))
}

const DEFINED = /\b(import_node_\w+)=(?:__toESM\()?require\("(node:[^"]+)"\)(?:,1\))?/g

function definition(part) {
  const [name, load] = [nameOf(part), `require(${JSON.stringify(part)})`]
  return isLate(part) ? `var ${name}_,${name}=()=>${name}_??=${load};` : `var ${name}=${load};`
}

/** `node:fs/promises` is `__fs_promises` */
function nameOf(part) {
  return part.replace('node:', '__').replaceAll('/', '_')
}

function isLate(part) {
  return LATE.test(part)
}
