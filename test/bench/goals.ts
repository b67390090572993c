/**
 * `npm run bench goals`: runs the benchmark of each goal of docs/performance.md, and writes a Markdown table.
 * [process, disk, clock]
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchRow, formatValue } from './bench-row.ts'

export interface Goal {
  /** Name in `npm run bench`. */
  readonly benchmark: string
  /** Matches the names of its rows with goals. */
  readonly rows: RegExp
  /** Time limit: two to three times the duration on an idle machine. */
  readonly minutes: number
}

export const GOALS: readonly Goal[] = [
  { benchmark: 'startup', rows: /^hla redux : node -e 0/, minutes: 3 },
  { benchmark: 'faster', rows: /./, minutes: 3 },
  { benchmark: 'cells', rows: /with --|processor time$|cat writing|peak memory/, minutes: 6 },
  { benchmark: 'engine', rows: /^lgx.*its thread$/, minutes: 2 },
  { benchmark: 'mac', rows: /^mac (?:forward|reverse), in memory$/, minutes: 2 },
  { benchmark: 'service-alone', rows: /with a log/, minutes: 3 },
  { benchmark: 'service-batch', rows: /./, minutes: 2 },
  { benchmark: 'drive-inserts', rows: / : /, minutes: 2 },
  { benchmark: 'drive-uploads', rows: /multipart, .*stream, 32 .* : /, minutes: 4 },
  { benchmark: 'drive-downloads', rows: / : /, minutes: 3 },
]

export interface GoalsRun {
  /** Command that runs a benchmark; its name and options are appended. */
  readonly command: readonly string[]
  readonly options: readonly string[]
  /** Time limit of all benchmarks together. */
  readonly minutes: number
}

/**
 * The page, and whether every goal is met. A benchmark that fails or takes too long becomes a line, and the others
 * still run.
 */
export async function measureGoals(
  goals: readonly Goal[],
  run: GoalsRun,
): Promise<{ page: string; met: boolean }> {
  const ends = performance.now() + run.minutes * 60_000
  const loads = [loadavg()[0] ?? 0]
  const lines: string[] = []
  let met = true
  for (const { benchmark, rows, minutes } of goals) {
    const left = Math.min(minutes * 60_000, ends - performance.now())
    const { found, reason } = await runBenchmark(benchmark, run, left)
    const goalRows = found.filter(({ name }) => rows.test(name))
    loads.push(loadavg()[0] ?? 0)
    for (const row of goalRows) {
      lines.push(formatLine(benchmark, formatValue(row), row))
      met &&= row.met !== false
    }
    if (goalRows.length > 0) continue
    lines.push(formatLine(benchmark, `not measured: ${reason}`, { name: benchmark, goal: '', met: false }))
    met = false
  }
  return { page: `${[...headOf(loads), ...lines].join('\n')}\n`, met }
}

function formatLine(
  benchmark: string,
  value: string,
  { name, goal, met }: Omit<BenchRow, 'value' | 'unit'>,
): string {
  const word = met === undefined ? '' : met ? 'met' : '**no**'
  return `| ${name} | ${goal} | ${value} | ${word} | \`npm run bench ${benchmark}\` |`
}

function headOf(loads: readonly number[]): string[] {
  const between = [Math.min(...loads), Math.max(...loads)].map((load) => load.toFixed(1)).join(' to ')
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
  return [
    `${new Date().toISOString().slice(0, 10)}, ${commit()}, ${machine}, Node ${process.versions.node}, load ${between}:`,
    '',
    '| | goal | measured | met | command |',
    '|---|---|---|---|---|',
  ]
}

function commit(): string {
  try {
    const words = ['rev-parse', '--short', 'HEAD']
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return 'no commit'
  }
}

/** Runs it in its own process group and temporary folder, both removed at the end. */
async function runBenchmark(
  benchmark: string,
  { command, options }: GoalsRun,
  milliseconds: number,
): Promise<{ found: readonly BenchRow[]; reason: string }> {
  if (milliseconds <= 0) return { found: [], reason: 'the time of all was over' }
  const folder = mkdtempSync(join(tmpdir(), 'hla-goals-'))
  const file = join(folder, 'rows.json')
  const [program = '', ...words] = command
  const child = spawn(program, [...words, benchmark, '--json', file, ...options], {
    detached: true,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // the process group has already ended
    }
  }
  const interrupt = () => {
    end()
    process.exit(130)
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  let late = false
  const timer = setTimeout(() => {
    late = true
    end()
  }, milliseconds)
  try {
    const reason = await lastWords(child)
    // the output of a killed process does not give the reason
    if (late) return { found: [], reason: `no end in ${(milliseconds / 60_000).toPrecision(2)} minutes` }
    return { found: readRows(file), reason }
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The reason for a failure, from the process' stderr. */
function lastWords(child: ReturnType<typeof spawn>): Promise<string> {
  let said = ''
  child.stderr?.on('data', (bytes: Buffer) => {
    process.stderr.write(bytes)
    said = (said + bytes.toString()).slice(-10_000)
  })
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (status) => {
      const error = /^\w*Error\b.*$/m.exec(said)?.[0] ?? said.trim().split('\n').at(-1) ?? ''
      resolve(
        (error === '' ? `it ended with ${status} and without a row` : error)
          .replaceAll('|', '\\|')
          .slice(0, 200),
      )
    })
  })
}

function readRows(file: string): BenchRow[] {
  try {
    const rows = JSON.parse(readFileSync(file, 'utf8')) as (BenchRow & { value: number | null })[] // run.ts writes this
    // NaN in JSON is null
    return rows.map((row) => ({ ...row, value: row.value ?? Number.NaN }))
  } catch {
    return []
  }
}
