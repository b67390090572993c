/**
 * First part of the main script of a single file, and of its threads: access to the embedded files
 * (docs/adr/packages.md#one-file). bin/hla.cjs follows.
 */
const sea = require('node:sea')
const { Script } = require('node:vm')

/** Node returns the asset in its own memory, which is read-only. */
function asset(name) {
  try {
    return Buffer.from(sea.getRawAsset(name))
  } catch {
    return undefined
  }
}

const packages = new Map()

/** A package outside the bundles, or a built-in module of Node. */
function requirePackage(name) {
  if (packages.has(name)) return packages.get(name)
  const text = asset(`packages/${name}.script`)
  if (text === undefined) return require(name)
  const packed = { exports: {} }
  const wrapped = new Script(text.latin1Slice(), { filename: `hla:packages/${name}` }).runInThisContext()
  wrapped(packed.exports, require, packed, __filename, __dirname)
  packages.set(name, packed.exports)
  return packed.exports
}

globalThis[Symbol.for('hla.single-file')] = {
  build: BUILD,
  get threadSource() {
    return asset('threads.cjs').latin1Slice()
  },
  bytes: (name) => {
    const bytes = asset(name)
    return bytes && Buffer.from(bytes)
  },
  bundle: (name) => asset(`dist/${name}.script`).latin1Slice(),
  form: (name, command) => asset(`forms/${name}-${command}`),
  require: requirePackage,
}
