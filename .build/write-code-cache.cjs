/** Runs a short command from the bundle and writes what V8 compiled for it; bin/hla.cjs reads it. */
const { readFileSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

const filename = join(__dirname, '../dist/hla.script')
const script = new Script(readFileSync(filename, 'latin1'), { filename })
const bundle = { exports: {} }
script.runInThisContext()(bundle.exports, createRequire(filename), bundle, filename, dirname(filename))
bundle.exports
  .main(['node', 'hla', 'redux', '-q', '-r', 'starter', '-m', 'G', 'A*01:01+A*02:01/A*02:02'])
  .then(() => {
    if (process.exitCode !== 0) throw new Error('the command whose compiled form is kept has failed')
    const name = `${process.version}-${process.arch}.v8cache`
    writeFileSync(join(dirname(filename), name), script.createCachedData())
  })
