#!/usr/bin/env node
/**
 * Starts the command line; the exit status is set by main. Bundles of dist/ are run from the form that V8 made of them before, where
 * this user keeps one (docs/adr/start.md#compiled-form). V8 believes such a form, so it is made on this machine, lies in a folder that nobody else can
 * write, and is kept twice: where the two differ, it is not used. A program that is a single file holds the bundles, and forms of its
 * own Node, within it (docs/adr/packages.md#one-file): then this is the second part of its main script.
 */
const {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs')
const { isAbsolute, join } = require('node:path')
const { Script } = require('node:vm')

const single = globalThis[Symbol.for('hla.single-file')]
const DIST = join(__dirname, '../dist')
const KEPT_DAYS = 30

/** Bundles whose form is to be written when the command has ended well: file -> script. */
const unwritten = new Map()
const loaded = new Map()
const folder = cacheFolder()
const isWorker = process.argv[2]?.startsWith('__') ?? false
const command = commandWord(process.argv[2])

/** What the bundle exports; `lent` is what bundles lend each other. */
function load(name, lent) {
  if (loaded.has(name)) return loaded.get(name)
  const filename = `${DIST}/${name}.script`
  // esbuild writes ASCII
  const text = single === undefined ? readFileSync(filename, 'latin1') : single.bundle(name)
  const form = single?.form(name, command)
  const file = form === undefined ? cacheFile(name, text) : undefined
  const cachedData = file === undefined ? form : readTwice(file)
  const script = underUsualFlags(() => new Script(text, { filename, cachedData }))
  if (file !== undefined && (cachedData === undefined || script.cachedDataRejected)) writeLater(file, script)
  const bundle = { exports: {} }
  script.runInThisContext()(bundle.exports, single?.require ?? require, bundle, filename, DIST, lent)
  loaded.set(name, bundle.exports)
  return bundle.exports
}

/** V8 takes a form only under the flags that it was made under; a long run changes these (src/io/heap.ts). */
const USUAL_FLAGS = [
  '--heap-growing-percent=0',
  '--min-semi-space-size=0',
  '--max-semi-space-size=0',
  '--semi-space-growth-factor=2',
]

function underUsualFlags(work) {
  const changed = loaded.get('hla')?.heapFlags() ?? []
  // the flags are those of all threads: a worker of a long run leaves them changed, and compiles the source
  if (changed.length === 0) return work()
  const { setFlagsFromString } = require('node:v8')
  for (const flag of USUAL_FLAGS) setFlagsFromString(flag)
  try {
    return work()
  } finally {
    for (const flag of changed) setFlagsFromString(flag)
  }
}

/** Each command has its own: it holds the functions that the command used. A worker of a table takes those of `redux`. */
function commandWord(word = '') {
  if (word.startsWith('__')) return 'redux'
  // --version, --help, nothing
  if (word === '' || word.startsWith('-')) return 'options'
  return /^[a-z]{1,20}$/.test(word) ? word : undefined
}

/** V8 tells sources apart by their length alone: the build writes a digest into the first line. */
function cacheFile(name, text) {
  const [, digest] = /^\/\*([0-9a-f]{16})\*\//.exec(text.slice(0, 20)) ?? []
  if (folder === undefined || command === undefined || digest === undefined) return undefined
  return `${folder}/${name}-${digest}-${process.version}-${process.arch}-${command}.v8cache`
}

/** Undefined without a home: a folder that others may write is none. */
function cacheFolder() {
  const { HOME, XDG_CACHE_HOME } = process.env
  const base = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'))
  return base && isAbsolute(base) && process.getuid !== undefined ? `${base}/hla` : undefined
}

function isPrivate(path) {
  const { uid, mode } = lstatSync(path)
  return uid === process.getuid() && (mode & 0o022) === 0
}

function readTwice(file) {
  try {
    if (!isPrivate(folder) || !isPrivate(file)) return undefined
    const bytes = readFileSync(file)
    const half = bytes.length / 2
    const data = bytes.subarray(0, half)
    return bytes.length > 0 && bytes.length % 2 === 0 && data.equals(bytes.subarray(half)) ? data : undefined
  } catch {
    // not there, or not to be read: the source is compiled
    return undefined
  }
}

function writeLater(file, script) {
  if (isWorker) return
  if (unwritten.size === 0) process.once('exit', writeForms)
  unwritten.set(file, script)
}

function writeForms(status) {
  if (status !== 0) return
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isPrivate(folder)) return
    for (const [file, script] of unwritten) {
      const data = underUsualFlags(() => script.createCachedData())
      const part = `${file}.${process.pid}`
      writeFileSync(part, Buffer.concat([data, data]), { mode: 0o600, flag: 'wx' })
      renameSync(part, file)
    }
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (Date.now() - statSync(path).mtimeMs > KEPT_DAYS * 86_400_000) rmSync(path)
    }
  } catch {
    // a folder that cannot be written: the next start takes as long as this one
  }
}

/** `hla redux -m G …`, `hla --version` and the like, of which a smaller bundle answers most. */
function isPlain([command = '', ...words]) {
  if (words.length === 0) return command === '--version'
  const isTyping = (word, at) =>
    /[*\d]/.test(word) && !word.startsWith('-') && !/^-[fmr]$/.test(words[at - 1])
  return (
    /^[a-z]+$/.test(command) && words.every((word) => /^(?:[^-]|-[fmqr]$)/.test(word)) && words.some(isTyping)
  )
}

const words = process.argv.slice(2)
const rest = isPlain(words) ? load('quick').answerQuickly(words) : undefined
if (rest === undefined) void load('hla', { load }).main(process.argv).then(leave)
else {
  if (rest.length > 0) load('hla', { load }).writeRest(rest)
  leave()
}

/**
 * All output was written: the sinks write at once, or are awaited. There is nothing to wait for, and memory need not be given back piece by piece.
 * Threads, and processes that others hold by a channel, end by themselves.
 */
function leave() {
  if (!isWorker && process.send === undefined) process.exit()
}
