/** Runs a short command from the bundle and writes what V8 compiled for it; bin/hla.cjs reads it. */
const { readFileSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

/** As in bin/hla.cjs: V8 takes a compiled form for the text it was made of. */
const HEAD = '(function (exports, require, module, __filename, __dirname) {'
const bundle = join(__dirname, '../dist/hla.cjs')
const script = new Script(`${HEAD}${readFileSync(bundle, 'utf8')}\n})`, { filename: bundle })
const loaded = { exports: {} }
script.runInThisContext()(loaded.exports, createRequire(bundle), loaded, bundle, dirname(bundle))
loaded.exports
  .main(['node', 'hla', 'redux', '-q', '-r', 'starter', '-m', 'G', 'A*01:01+A*02:01/A*02:02'])
  .then(() => {
    if (process.exitCode !== 0) throw new Error('the command whose compiled form is kept has failed')
    writeFileSync(
      join(dirname(bundle), `${process.version}-${process.arch}.v8cache`),
      script.createCachedData(),
    )
  })
