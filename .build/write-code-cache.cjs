/** Runs two short commands from the bundles and writes what V8 compiled for them; bin/hla.cjs and the bundles themselves read it. */
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { tmpdir } = require('node:os')
const { basename, dirname, join } = require('node:path')
const vm = require('node:vm')

const filename = join(__dirname, '../dist/hla.script')
/** Name of bundle -> script. */
const scripts = new Map()

/** Bundles that are loaded late make theirs themselves. */
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options)
    scripts.set(basename(options.filename, '.script'), this)
  }
}

const script = new vm.Script(readFileSync(filename, 'latin1'), { filename })
const bundle = { exports: {} }
script.runInThisContext()(bundle.exports, createRequire(filename), bundle, filename, dirname(filename))

/** With what a form is kept for: the shortest command for the first bundle, a table for the one that converts tables. */
async function run() {
  await succeed('redux', '-q', '-r', 'starter', '-m', 'G', 'A*01:01+A*02:01/A*02:02')
  keep('hla', '')
  const folder = mkdtempSync(join(tmpdir(), 'hla-build-'))
  try {
    const table = join(folder, 'table.csv')
    writeFileSync(table, tableText())
    await succeed('redux', '-q', '-r', 'starter', '-m', 'lgx', '-i', table, '-o', join(folder, 'out.csv'), '--jobs', '1')
  } finally {
    rmSync(folder, { recursive: true })
  }
  keep('table', 'table-')
}

async function succeed(...words) {
  await bundle.exports.main(['node', 'hla', ...words])
  if (process.exitCode !== 0) throw new Error('a command whose compiled form is kept has failed')
}

function keep(name, prefix) {
  const file = `${prefix}${process.version}-${process.arch}.v8cache`
  writeFileSync(join(dirname(filename), file), scripts.get(name).createCachedData())
}

function tableText() {
  const row = (at) => `D${at},A*01:01+A*02:01/A*02:02^B*07:02+B*08:01,A*01:01\n`
  return `ID,GL,A\n${Array.from({ length: 50 }, (_, at) => row(at)).join('')}`
}

void run()
