#!/usr/bin/env node
/** Starts the command line; the exit status is set by main. */
const { existsSync, readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

const filename = join(__dirname, '../dist/hla.script')
// what V8 compiled the bundle to: it need not read 500 KB of source again. Another Node finds none and reads the source
const compiled = join(dirname(filename), `${process.version}-${process.arch}.v8cache`)
const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined
// esbuild writes ASCII
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData })
const bundle = { exports: {} }
script.runInThisContext()(bundle.exports, require, bundle, filename, dirname(filename))
bundle.exports.main(process.argv)
