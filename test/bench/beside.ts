/**
 * Measures this tree beside another one: each measure alternately, then the median of the ratios. The other tree is a
 * built checkout: `HLA_BEFORE=FOLDER npm run bench beside`. Processor time if one process does the work, else requests
 * a second.  [disk, network, process]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { packagePath } from '../../src/package-root.ts'
import { bundleScript } from '../support/bundle.ts'
import { sharedPath } from '../support/shared.ts'
import { processorTime, timed, timedNew } from './batch.ts'
import { generateTable, KINDS, LAYOUTS, prepareTables } from './batch-tables.ts'
import { atLeast, atMost, type BenchRow } from './bench-row.ts'
import { ask, NEW_FILE } from './drive-load.ts'
import { type Server as Drive, slowSyncs, startDrive } from './drive-server.ts'
import { benchEnvironment, CLI, installForBench } from './installation.ts'
import { fullLoad, prepareLoad, type Server, startServer } from './service-load.ts'
import { medianRatio, timesInTurn } from './statistics.ts'

const ROWS = 200_000
const ROUNDS = 5
const STARTS = 30
/** Greatest accepted ratio after a refactoring. */
const MOST = 1.03
const PAIRS = 7
const FASTER = 1.4

/** A built checkout and its installed release. */
interface Tree {
  readonly program: string
  readonly env: NodeJS.ProcessEnv
}

export function benchBeside(): Promise<BenchRow[]> {
  return withTrees(async (folder, trees) => [
    ...(await commandRows(folder, trees)),
    ...(await serviceRows(folder, trees)),
    ...(await driveRows(folder, trees)),
  ])
}

/** Tables of distinct typings by wall-clock time: speed-up over an old tree. */
export function benchFaster(): Promise<BenchRow[]> {
  return withTrees(async (folder, trees) => {
    const table = join(folder, 'table.csv')
    const choiceOf = await prepareTables(folder)
    return LAYOUTS.map((layout) => {
      generateTable(table, ROWS, choiceOf('reg', layout))
      const output = join(folder, 'out.csv')
      const words = ['redux', '-q', '-m', 'lgx', '-i', table, '-o', output]
      const [ours = [], theirs = []] = timesInTurn(
        PAIRS,
        trees.map(
          ({ program, env }) =>
            () =>
              timedNew(output, [program, ...words], env),
        ),
      )
      return atLeast(
        `table reg ${layout}: rows a second to the tree before`,
        [medianRatio(theirs, ours), '×'],
        FASTER,
      )
    })
  })
}

async function withTrees(
  measure: (folder: string, trees: Trees) => Promise<BenchRow[]>,
): Promise<BenchRow[]> {
  const other = process.env['HLA_BEFORE']
  if (other === undefined) {
    process.stderr.write('beside: skipped, HLA_BEFORE names no other checkout\n')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-'))
  const installed: string[] = []
  const treeOf = (program: string): Tree => {
    const dataDir = installForBench(program)
    installed.push(dataDir)
    // each has its own V8 code cache
    return { program, env: { ...benchEnvironment(dataDir), XDG_CACHE_HOME: join(dataDir, 'cache') } }
  }
  try {
    return await measure(folder, [treeOf(CLI), treeOf(join(resolve(other), 'bin/hla.cjs'))])
  } finally {
    for (const path of [folder, ...installed]) rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

type Trees = readonly [Tree, Tree]

/** Lower is better. */
function ratioRow(name: string, [ours = [], theirs = []]: readonly (readonly number[])[]): BenchRow {
  return atMost(`beside: ${name}`, [medianRatio(ours, theirs), '×'], MOST)
}

async function commandRows(folder: string, trees: Trees): Promise<BenchRow[]> {
  const inTurn = (rounds: number, words: readonly string[]) =>
    timesInTurn(
      rounds,
      trees.map(
        ({ program, env }) =>
          () =>
            processorTime(process.execPath, [program, ...words], env),
      ),
    )
  // a start takes only a few hundredths of a second, the system's unit of processor time
  const starts = timesInTurn(
    ROUNDS,
    trees.map(
      ({ program, env }) =>
        () =>
          processorTime('bash', ['-c', MANY, process.execPath, program], env),
    ),
  )
  const rows = [ratioRow('start, processor time', starts)]
  const table = join(folder, 'table.csv')
  const reduce = ['redux', '-q', '-m', 'lgx', '-i', table, '-o', join(folder, 'out.csv')]
  const choiceOf = await prepareTables(folder)
  for (const kind of KINDS)
    for (const layout of LAYOUTS) {
      generateTable(table, ROWS, choiceOf(kind, layout))
      rows.push(ratioRow(`table ${kind} ${layout}, processor time`, inTurn(ROUNDS, reduce)))
    }
  const typings = join(folder, 'typings.txt')
  const donors = gunzipSync(readFileSync(sharedPath('registry/wmda/don.gl.txt.gz'))).toString('latin1')
  writeFileSync(typings, donors.replaceAll(/^[^%\n]*%/gm, '').repeat(10))
  const list = ['redux', '-q', '-m', 'lgx', '-i', typings, '-o', join(folder, 'out.txt')]
  return [...rows, ratioRow('100,000 typings, processor time', inTurn(ROUNDS, list))]
}

const MANY = `for i in $(seq ${STARTS}); do "$0" "$1" redux -q -m G 'A*01:01' > /dev/null; done`

async function serviceRows(folder: string, trees: Trees): Promise<BenchRow[]> {
  const load = prepareLoad(folder)
  const serve = ['serve', '--port', '0', '--access-log', 'off', '--workers', '1']
  const servers: Server[] = []
  try {
    for (const { program, env } of trees) servers.push(await startServer([program, ...serve], env))
    const costs: number[][] = servers.map(() => [])
    // V8 compiles in the first two rounds
    const rounds = Array.from({ length: ROUNDS + 2 }, () => [...servers.entries()]).flat()
    for (const [at, server] of rounds) costs[at]?.push((await fullLoad(server, load)).cost)
    const table = join(folder, 'asked.csv')
    generateTable(table, ROWS / 10, (await prepareTables(folder))('wmda', 'wide'))
    const post = ({ port }: Server) => () =>
      timed('curl', ['-sf', '-o', join(folder, 'answer.csv'), '-H', 'content-type: text/csv', '--data-binary', `@${table}`, `http://127.0.0.1:${port}/table?name=asked.csv`], process.env) // prettier-ignore
    return [
      ratioRow(
        'POST /redux, processor time of the service',
        costs.map((each) => each.slice(2)),
      ),
      ratioRow('POST /table of 20,000 rows, by the clock', timesInTurn(ROUNDS, servers.map(post))),
    ]
  } finally {
    for (const { child } of servers) child.kill('SIGKILL')
  }
}

async function driveRows(folder: string, trees: Trees): Promise<BenchRow[]> {
  const client = bundleScript(packagePath(), 'test/bench/drive-client.ts')
  const scripts = { client: client.file }
  const drives: Drive[] = []
  try {
    for (const { program } of trees)
      drives.push(await startDrive(folder, { ...slowSyncs(folder), HLA_PROGRAM: program }))
    const insert = { path: '/drive/v2/files', body: NEW_FILE, connections: 32, warm: 0.3 }
    const inserts = timesInTurn(ROUNDS, drives.map((drive) => () => 1 / ask(scripts, drive, insert).perSecond)) // prettier-ignore
    const paths = await Promise.all(drives.map(somePaths))
    const get = (drive: Drive, at: number) => () =>
      1 / ask(scripts, drive, { path: paths[at] ?? '', connections: 32, warm: 0.3 }).perSecond
    return [
      ratioRow('insert, 32 connections, time of each', inserts),
      ratioRow('get, 32 connections, time of each', timesInTurn(ROUNDS, drives.map(get))),
    ]
  } finally {
    for (const { child } of drives) child.kill('SIGKILL')
    rmSync(client.folder, { recursive: true, force: true })
  }
}

/** Paths of existing files. */
async function somePaths({ port, token }: Drive): Promise<string> {
  const list = await fetch(`http://127.0.0.1:${port}/drive/v2/files?maxResults=500&fields=items`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { items } = (await list.json()) as { items: { id: string }[] } // the service's response type
  return items.map(({ id }) => `/drive/v2/files/${id}`).join(' ')
}
