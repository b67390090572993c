/** Measures conversions of registry tables as whole processes, beside programs that only copy them.  [disk, process] */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { breakdown } from './batch-breakdown.ts'
import {
  COPY_HERE,
  COPY_PYTHON,
  generateTable,
  type Kind,
  KINDS,
  type Layout,
  LAYOUTS,
  prepareTables,
} from './batch-tables.ts'
import { atLeast, atMost, type BenchRow, reported } from './bench-row.ts'
import { benchEnvironment, CLI, installForBench } from './installation.ts'
import { median, medianRatio, timesInTurn } from './statistics.ts'

/** `HLA_BATCH_ROWS` overrides it; with fewer rows, starting weighs more. */
const ROWS = Number(process.env['HLA_BATCH_ROWS'] ?? 1_000_000)
const ROUNDS = 5
/**
 * `copying`: wall-clock time relative to csv-parse and csv-stringify. `python`: processor time relative to Python's
 * csv.
 */
const GOALS = { wmda: { copying: 3.5, python: 0.8 }, reg: { copying: 1.7, python: 1.8 } }

/** `HLA_LONG=1` adds ten million rows. */
export function benchBatch(): Promise<BenchRow[]> {
  return withTables(async (bench) => {
    const rows: BenchRow[] = []
    for (const kind of KINDS)
      for (const layout of LAYOUTS) rows.push(...(await benchTable(bench, kind, layout)))
    if (process.env['HLA_LONG'] !== undefined) rows.push(longTable(bench))
    return rows
  })
}

async function withTables(measure: (bench: Bench) => BenchRow[] | Promise<BenchRow[]>): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-'))
  const dataDir = installForBench()
  try {
    return await measure({ folder, env: benchEnvironment(dataDir), choiceOf: await prepareTables(folder) })
  } finally {
    for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

interface Bench {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly choiceOf: (kind: Kind, layout: Layout) => string[]
}

async function benchTable(bench: Bench, kind: Kind, layout: Layout): Promise<BenchRow[]> {
  const { folder, env, choiceOf } = bench
  const [table, copy] = [join(folder, 'table.csv'), join(folder, 'copy.csv')]
  generateTable(table, ROWS, choiceOf(kind, layout))
  const output = join(folder, '1.csv')
  const words = reduction(table, output)
  const [copying = [], python = [], one = [], copies = []] = timesInTurn(ROUNDS, [
    () => timedNew(copy, ['--input-type=module', '-e', COPY_HERE, table, copy], env),
    () => processorTime('python3', ['-c', COPY_PYTHON, table, copy], env),
    () => timedNew(output, words, env),
    () => timed('bash', ['-c', AT_ONCE, process.execPath, ...reduction(table, '/dev/null')], env),
  ])
  const name = `batch ${kind} ${layout}`
  const goals = GOALS[kind]
  const rows = [
    reported(name, [ROWS / median(one), 'rows/ms']),
    atLeast(`${name}: csv-parse and csv-stringify copying`, [medianRatio(copying, one), '×'], goals.copying),
    // the gain of two processors for independent programs on this machine
    reported(`${name}: two runs at once, in the time of one`, [2 * medianRatio(one, copies), 'runs']),
    ...besidePython(name, python, processorTime(process.execPath, words, env), goals.python),
    atMost(`${name}, peak memory`, [peakMemory(words, env), 'MiB'], 250),
  ]
  if (layout === 'wide') return rows
  const steps = [...breakdown(words.slice(1), env)].filter(([, share]) => share >= 0.5)
  return [
    ...rows,
    await firstRow(name, table, env),
    ...steps.map(([step, share]) => reported(`${name}, time to ${step}`, [share, '%'])),
  ]
}

/** Two copies of a command at the same time. */
const AT_ONCE = '"$0" "$@" & "$0" "$@" & wait'

/** lgx as a whole process. */
function reduction(table: string, output: string): string[] {
  return [CLI, 'redux', '-m', 'lgx', '-q', '-i', table, '-o', output]
}

/** No rows if Python is not installed. */
function besidePython(name: string, python: readonly number[], ours: number, goal: number): BenchRow[] {
  if (python.some(Number.isNaN)) return []
  return [atMost(`${name}: processor time to Python's csv copying`, [ours / median(python), '×'], goal)]
}

/** A table of ten million rows must need no more memory than one of a million. */
function longTable({ folder, env, choiceOf }: Bench): BenchRow {
  const table = join(folder, 'table.csv')
  generateTable(table, ROWS * 10, choiceOf('reg', 'gl'))
  const memory = peakMemory(reduction(table, '/dev/null'), env)
  return atMost('batch reg gl, 10 million rows, peak memory', [memory, 'MiB'], 250)
}

/** ms until the first row arrives. */
async function firstRow(name: string, table: string, env: NodeJS.ProcessEnv): Promise<BenchRow> {
  const waits: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    const child = spawn(process.execPath, [CLI, 'redux', '-m', 'lgx', '-q', '-i', table], { env })
    let lines = 0
    for await (const bytes of child.stdout) {
      // the pipe delivers bytes
      for (const byte of bytes as Buffer) lines += byte === 10 ? 1 : 0
      if (lines > 1) break
    }
    waits.push(performance.now() - started)
    child.kill('SIGKILL')
  }
  return atMost(`${name}, first row`, [median(waits), 'ms'], 300)
}

/** ms, into a new file: freeing the pages of an existing file takes the system about 100 ms for any writer. */
export function timedNew(output: string, args: readonly string[], env: NodeJS.ProcessEnv): number {
  rmSync(output, { force: true })
  return timed(process.execPath, args, env)
}

/** Wall-clock ms of the process. */
export function timed(program: string, args: readonly string[], env: NodeJS.ProcessEnv): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
  const took = performance.now() - started
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return took
}

/** ms of processor time; NaN if the program is not installed. */
export function processorTime(program: string, args: readonly string[], env: NodeJS.ProcessEnv): number {
  const line = 'before=$(cat /proc/$$/stat); "$@" || exit; echo "$before" >&2; cat /proc/$$/stat >&2'
  const { status, stderr } = spawnSync('bash', ['-c', line, 'bash', program, ...args], {
    env,
    encoding: 'utf8',
  })
  // the shell's status for "command not found"
  if (status === 127) return Number.NaN
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  const [before = 0, after = 0] = stderr.trim().split('\n').slice(-2).map(childTime)
  return after - before
}

/** Fields 16 and 17 of stat: time of ended children, in 1/100 s. */
function childTime(stat: string): number {
  const fields = stat.replace(/^.*\) /s, '').split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** MiB of the program alone: `resourceUsage` would include the memory of its parent. */
export function peakMemory([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): number {
  const script = `process.on('exit', () => console.error(require('fs').readFileSync('/proc/self/status', 'utf8')))
    process.argv.splice(1, 1, ${JSON.stringify(program)})
    require(${JSON.stringify(program)})`
  const { stderr } = spawnSync(process.execPath, ['-e', script, '--', 'hla', ...args], {
    env,
    encoding: 'utf8',
  })
  return Number(/^VmHWM:\s+(\d+)/m.exec(stderr)?.[1]) / 1024
}
