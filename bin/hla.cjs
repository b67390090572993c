#!/usr/bin/env node
/** Starts the command line; the exit status is set by main. */
const { existsSync, readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

const bundle = join(__dirname, '../dist/hla.cjs')
// what V8 compiled the bundle to, written by the build for the Node that built: it need not read 500 KB of source again
const cache = join(dirname(bundle), `${process.version}-${process.arch}.v8cache`)

const HEAD = '(function (exports, require, module, __filename, __dirname) {'

const { main } = existsSync(cache) ? loadCompiled() : require(bundle)
main(process.argv)

/** What V8 cannot use, it compiles from the source. */
function loadCompiled() {
  const script = new Script(`${HEAD}${readFileSync(bundle, 'utf8')}\n})`, {
    filename: bundle,
    cachedData: readFileSync(cache),
  })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, require, module, bundle, dirname(bundle))
  return module.exports
}
