/**
 * Counts the files of src in which a function ran, for the walks of docs/architecture.md: `npm run walks`.
 * `-- --files` lists each file with its purpose, the first sentence of its comment; the path of another built checkout counts that one's files.
 *
 * V8 counts calls (NODE_V8_COVERAGE) in a build that keeps files apart. A command is counted as a whole process.
 * For a service, two runs are compared, one with ROUNDS more requests: the walk is the functions that ran once more for
 * each request, which excludes start and timers.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROUNDS = 20
/** Bytes: each part of a resumable upload is a multiple of this. */
const GRANULE = 256 * 1024
const HERE = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const TREE = resolve(words.find((word) => !word.startsWith('-')) ?? HERE)
const SHOWS_FILES = words.includes('--files')

const WORK = mkdtempSync(join(tmpdir(), 'hla-walks-'))
const PROGRAM = join(WORK, 'bin/hla.cjs')
/** Calls while files load are not part of the walk: they are counted and discarded. */
const START = `
const { readdirSync, rmSync } = require('node:fs')
const { takeCoverage } = require('node:v8')
import('../js/cli/main.js').then(({ main }) => {
  takeCoverage()
  const folder = process.env.NODE_V8_COVERAGE
  for (const name of readdirSync(folder)) if (name.includes(\`-\${process.pid}-\`)) rmSync(folder + '/' + name)
  main(process.argv)
})
`
const children = new Set()
let runs = 0
let token = ''

try {
  compile()
  const walks = {
    'a typing': await typing(),
    'a row': await row(),
    'a request': await request(),
    'an insert': await insert(),
    'a permission': await permission(),
    'an upload': await upload(),
    'a notification': await notification(),
  }
  for (const [name, files] of Object.entries(walks)) report(name, files)
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(WORK, { recursive: true })
}

/** A package with the same files, unbundled. */
function compile() {
  mkdirSync(join(WORK, 'bin'))
  mkdirSync(join(WORK, 'dist'))
  for (const name of ['data', 'node_modules']) symlinkSync(join(TREE, name), join(WORK, name))
  for (const name of ['package.json', 'man', 'docs'])
    cpSync(join(TREE, name), join(WORK, name), { recursive: true })
  for (const name of readdirSync(join(TREE, 'dist')))
    if (!/^lib$|\.(?:script|v8cache)$/.test(name))
      symlinkSync(join(TREE, 'dist', name), join(WORK, 'dist', name))
  const options = {
    extends: join(TREE, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(TREE, 'src'),
      outDir: join(WORK, 'js'),
      typeRoots: [join(TREE, 'node_modules/@types')],
    },
    include: [join(TREE, 'src')],
    exclude: ['web/page', 'page', 'service/page', 'drive/page', 'storage/page'].map((page) =>
      join(TREE, 'src', page),
    ),
  }
  writeFileSync(join(WORK, 'tsconfig.json'), JSON.stringify(options))
  const tsc = join(HERE, 'node_modules/.bin/tsc')
  const { status, stdout } = spawnSync(tsc, ['-p', WORK], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout)
  writeFileSync(PROGRAM, START)
}

function typing() {
  return counted(async (env) => finished(start(['redux', '-m', 'G', 'A*01:01'], env)))
}

function row() {
  return counted(async (env) => {
    const [input, output] = ['in.csv', 'out.csv'].map((name) => join(WORK, name))
    writeFileSync(input, 'id,typing\n1,A*01:01+A*02:01\n')
    await finished(start(['redux', '-m', 'G', '-i', input, '-o', output], env))
  })
}

/** A request with one new typing. */
function request() {
  const names = readFileSync(join(TREE, 'data/starter/alleles.tsv'), 'utf8').match(/^[A-C]\*\d+:\d+(?=\t)/gm)
  return repeated(async (env, rounds) => {
    const { url, stop } = await serve(['serve', '--port', '0'], env)
    for (let round = 0; round < rounds; round += 1)
      await ask(`${url}/redux`, 'POST', { gl_string: names[round], reduction_method: 'G' })
    await stop()
  })
}

function insert() {
  return repeated(async (env, rounds) => {
    const { files, stop } = await serveDrive(env, [])
    for (let round = 0; round < rounds; round += 1) await ask(files, 'POST', { title: `file ${round}` })
    await stop()
  })
}

function permission() {
  return repeated(async (env, rounds) => {
    const { files, stop } = await serveDrive(env, [])
    const { id } = await ask(files, 'POST', { title: 'shared' })
    for (let round = 0; round < rounds; round += 1)
      await ask(`${files}/${id}/permissions`, 'POST', {
        type: 'user',
        role: 'reader',
        value: `user${round}@example.org`,
      })
    await stop()
  })
}

/** A resumable upload of two requests a round. */
function upload() {
  return repeated(async (env, rounds) => {
    const { files, stop } = await serveDrive(env, [])
    const start = `${files.replace('/drive/', '/upload/drive/')}?uploadType=resumable`
    for (let round = 0; round < rounds; round += 1) {
      const { headers } = await send(start, 'POST', JSON.stringify({ title: `file ${round}` }))
      const session = headers.get('location')
      const bytes = Buffer.alloc(GRANULE + 1, `${round}`)
      await send(session, 'PUT', bytes.subarray(0, GRANULE), `bytes 0-${GRANULE - 1}/${bytes.length}`)
      await send(session, 'PUT', bytes.subarray(GRANULE), `bytes ${GRANULE}-${GRANULE}/${bytes.length}`)
    }
    await stop()
  })
}

function notification() {
  return repeated(async (env, rounds) => {
    const receiver = await receive()
    const { files, stop } = await serveDrive(env, ['--allow-local-notifications'])
    const { id } = await ask(files, 'POST', { title: 'watched' })
    await ask(`${files}/${id}/watch`, 'POST', { id: 'channel', type: 'web_hook', address: receiver.url })
    await receiver.taken(1)
    for (let round = 0; round < rounds; round += 1) {
      await ask(`${files}/${id}`, 'PATCH', { description: `${round}` })
      await receiver.taken(round + 2)
    }
    await stop()
    receiver.close()
  })
}

/** The functions that each additional round ran. */
async function repeated(walk) {
  const before = await countCalls((env) => walk(env, ROUNDS))
  const after = await countCalls((env) => walk(env, 2 * ROUNDS))
  return filesOf(after, (call, count) => count - (before.get(call) ?? 0) >= ROUNDS)
}

async function counted(walk) {
  return filesOf(await countCalls(walk), () => true)
}

function filesOf(calls, isCounted) {
  const ran = [...calls].filter(([call, count]) => isCounted(call, count)).map(([call]) => call.split(' ')[0])
  return [...new Set(ran)].toSorted()
}

/** `file offset` of a function -> number of calls, in all threads and processes. */
async function countCalls(walk) {
  const folder = join(WORK, `coverage-${(runs += 1)}`)
  await walk({ HOME: WORK, HLA_DATA_DIR: join(WORK, 'none'), ...process.env, NODE_V8_COVERAGE: folder })
  const calls = new Map()
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue
      const file = relative(join(WORK, 'js'), fileURLToPath(url))
      if (file.startsWith('..')) continue
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, count }] = ranges
        // the module's top level, which runs at load
        if (functionName === '' && startOffset === 0) continue
        const call = `${file} ${startOffset}`
        if (count > 0) calls.set(call, (calls.get(call) ?? 0) + count)
      }
    }
  }
  if (calls.size === 0) throw new Error('nothing was counted')
  return calls
}

function report(name, files) {
  const layers = new Map()
  for (const file of files) {
    const layer = file
      .split('/')
      .slice(0, file.startsWith('drive/') || file.startsWith('storage/') ? 2 : 1)
      .join('/')
    layers.set(layer, (layers.get(layer) ?? 0) + 1)
  }
  console.log(
    `${name}: ${files.length} files (${[...layers].map(([layer, count]) => `${layer} ${count}`).join(', ')})`,
  )
  if (SHOWS_FILES)
    for (const file of files.map((one) => one.replace(/\.js$/, '.ts'))) console.log(`  ${file.padEnd(42)} ${purposeOf(file)}`)
}

/** First sentence of the comment at the top of a file. */
function purposeOf(file) {
  const [, comment = ''] = /^\/\*\*([^]*?)\*\//.exec(readFileSync(join(TREE, 'src', file), 'utf8')) ?? []
  const [sentence = ''] = comment.replace(/\s*\n \* ?/g, ' ').trim().split(/(?<=\.)(?: |$)/)
  return sentence
}

function start(args, env) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function finished(child) {
  let said = ''
  child.stderr.on('data', (bytes) => (said += bytes))
  child.stdout.resume()
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(said)
}

/** A service that listens; `stop` shuts it down in order, so that its coverage is written. */
async function serve(args, env) {
  const child = start(args, env)
  let said = ''
  child.stdout.resume()
  const url = await new Promise((done, failed) => {
    child.stderr.on('data', (bytes) => {
      said += bytes
      const found = /on (http:\S+)\n/.exec(said)?.[1]
      if (found !== undefined) done(found)
    })
    child.once('exit', () => failed(new Error(said)))
  })
  return {
    url,
    async stop() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
  }
}

async function serveDrive(env, more) {
  const folder = join(WORK, `store-${runs}`)
  const { url, stop } = await serve(['drive', 'serve', '--data', folder, '--port', '0', ...more], env)
  token = readFileSync(join(folder, 'owner-token'), 'utf8').trim()
  return { files: `${url}/drive/v2/files`, stop }
}

async function ask(url, method, body) {
  const { text } = await send(url, method, JSON.stringify(body))
  return JSON.parse(text)
}

/** @returns headers and text of the response, also of 308, "send the rest" */
async function send(url, method, body, range) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    ...(range === undefined ? {} : { 'content-range': range }),
  }
  const response = await fetch(url, { method, headers, body, redirect: 'manual' })
  const text = await response.text()
  if (!response.ok && response.status !== 308) throw new Error(`${method} ${url}: ${text}`)
  return { headers: response.headers, text }
}

/** A receiver of notifications. */
async function receive() {
  let count = 0
  let told = () => {}
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      response.end()
      count += 1
      told()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    async taken(number) {
      while (count < number) await new Promise((done) => (told = done))
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
