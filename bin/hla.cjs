#!/usr/bin/env node
/**
 * Starts the command line; main returns the exit status. A bundle of dist/ runs from V8's code cache of an earlier start,
 * if this user has one (docs/adr/start.md#compiled-form). V8 does not check the cache, so it is made on this machine,
 * in a folder that only the user can write, and each file holds it twice: copies that differ are not used. A
 * single-file program contains the bundles and their caches for its own Node (docs/adr/packages.md#one-file); this file
 * is then the second part of its main script.
 */
const {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
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
/** Builds whose forms are kept: of an installation, of a clone, and of the one before. */
const KEPT_BUILDS = 3

/** Loaded bundles with a code cache: file -> script. */
const scripts = new Map()
const loaded = new Map()
/** Memory takes longer to get than to fill: every file is read into the same. */
let start = Buffer.allocUnsafeSlow(1024 * 1024)
const piece = Buffer.allocUnsafeSlow(64 * 1024)
const folder = cacheFolder()
const isWorker = process.argv[2]?.startsWith('__') ?? false
const command = commandWord(process.argv[2])

/** Returns the exports of a bundle. `lent`: functions passed to the bundle. */
function load(name, lent) {
  if (loaded.has(name)) return loaded.get(name)
  const filename = `${DIST}/${name}.script`
  // esbuild writes ASCII
  const text = single === undefined ? readStart(filename, 1).latin1Slice() : single.bundle(name)
  const form = single?.form(name, command)
  const file = form === undefined ? cacheFile(name, text) : undefined
  const cachedData = file === undefined ? form : readTwice(file)
  const script = underUsualFlags(() => new Script(text, { filename, cachedData }))
  if (file !== undefined) scripts.set(file, script)
  // the functions that this run compiled of other bundles are written, too
  if (file !== undefined && (cachedData === undefined || script.cachedDataRejected)) writeAtExit()
  const bundle = { exports: {} }
  script.runInThisContext()(bundle.exports, single?.require ?? require, bundle, filename, DIST, lent)
  loaded.set(name, bundle.exports)
  return bundle.exports
}

/** V8 accepts a code cache only under the flags that it was made with; a long run changes these (src/io/heap.ts). */
const USUAL_FLAGS = [
  '--heap-growing-percent=0',
  '--min-semi-space-size=0',
  '--max-semi-space-size=0',
  '--semi-space-growth-factor=2',
  '--allocation-site-pretenuring',
]

function underUsualFlags(work) {
  const changed = loaded.get('hla')?.heapFlags() ?? []
  if (changed.length === 0) return work()
  const { setFlagsFromString } = require('node:v8')
  for (const flag of USUAL_FLAGS) setFlagsFromString(flag)
  try {
    return work()
  } finally {
    for (const flag of changed) setFlagsFromString(flag)
  }
}

/**
 * Command in the name of a cache file, which holds the functions that the command used. Threads and processes of
 * the program use the cache of `redux`.
 */
function commandWord(word = '') {
  if (word.startsWith('__')) return 'redux'
  // --version, --help, or no command
  if (word === '' || word.startsWith('-')) return 'options'
  return /^[a-z]{1,20}$/.test(word) ? word : undefined
}

/**
 * V8 compares only the lengths of sources, so the build writes a digest into the first line; the file name contains it.
 */
function cacheFile(name, text) {
  const [, digest] = /^\/\*([0-9a-f]{16})\*\//.exec(text.slice(0, 20)) ?? []
  if (folder === undefined || command === undefined || digest === undefined) return undefined
  return `${folder}/${name}-${digest}-${process.version}-${process.arch}-${command}.v8cache`
}

/** Undefined without a home folder and on Windows, where a file's owner cannot be checked. */
function cacheFolder() {
  const { HOME, XDG_CACHE_HOME } = process.env
  const base = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'))
  return base && isAbsolute(base) && process.getuid !== undefined ? `${base}/hla` : undefined
}

function isPrivate(path) {
  const { uid, mode } = lstatSync(path)
  return uid === process.getuid() && (mode & 0o022) === 0
}

/** Bytes of the file's first half, if the second is the same. They are overwritten by the next read. */
function readTwice(file) {
  try {
    return isPrivate(folder) && isPrivate(file) ? readStart(file, 2) : undefined
  } catch {
    // missing or unreadable: the source is compiled
    return undefined
  }
}

/** The first of `copies` equal parts of a file; undefined if another one differs, or the file is empty. */
function readStart(file, copies) {
  const fd = openSync(file)
  try {
    const { size } = fstatSync(fd)
    const length = size / copies
    if (size === 0 || !Number.isInteger(length)) return undefined
    if (start.length < length) start = Buffer.allocUnsafeSlow(length)
    for (let at = 0; at < size;) {
      const within = at % length
      const read = readSync(fd, piece, 0, Math.min(piece.length, length - within), at)
      const isSame = at < length || start.compare(piece, 0, read, within, within + read) === 0
      if (read === 0 || !isSame) return undefined
      if (at < length) piece.copy(start, within, 0, read)
      at += read
    }
    return start.subarray(0, length)
  } finally {
    closeSync(fd)
  }
}

let isWriting = isWorker

function writeAtExit() {
  if (!isWriting) process.once('exit', writeForms)
  isWriting = true
}

function writeForms(status) {
  if (status !== 0) return
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isPrivate(folder)) return
    for (const [file, script] of scripts) {
      const data = underUsualFlags(() => script.createCachedData())
      const part = `${file}.${process.pid}`
      writeFileSync(part, Buffer.concat([data, data]), { mode: 0o600, flag: 'wx' })
      renameSync(part, file)
    }
    removeForms()
  } catch {
    // a folder that cannot be written: the next start takes as long as this one
  }
}

/** Removes the forms of long ago, and of a bundle those of all but its newest builds. */
function removeForms() {
  /** Bundle, Node and command -> forms. */
  const builds = new Map()
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const time = statSync(path).mtimeMs
    if (Date.now() - time > KEPT_DAYS * 86_400_000) rmSync(path, { force: true })
    const key = name.replace(/-[0-9a-f]{16}-/, '-')
    builds.set(key, [...(builds.get(key) ?? []), { path, time }])
  }
  for (const forms of builds.values())
    for (const { path } of forms.sort((one, other) => other.time - one.time).slice(KEPT_BUILDS))
      rmSync(path, { force: true })
}

void load('hla', { load }).main(process.argv).then(leave)

/**
 * Exits at once: all output is already written, since sinks are synchronous or awaited, and freeing memory would take
 * time.
 * Worker threads, and child processes with an IPC channel, are left to end on their own.
 */
function leave(status) {
  process.exitCode = status
  if (!isWorker && process.send === undefined) process.exit()
}
