/** Measures the conversion of registry tables as a whole process, beside csv-parse and csv-stringify merely copying them.  [disk, process] */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/package-root.ts'
import { sharedPath } from '../support/shared.ts'
import { atLeast, atMost, type BenchRow, reported } from './bench-row.ts'
import { sublist, writeRegistry } from './generate-registry.ts'
import { benchEnvironment, CLI, withInstallation } from './installation.ts'
import { median, medianRatio, timesInTurn } from './statistics.ts'

const ROWS = 200_000
const ROUNDS = 3

const INPUTS = [
  { kind: 'wmda', layout: 'gl', goal: 3.5, goalOfTwo: 1.4 },
  { kind: 'wmda', layout: 'wide', goal: 3.5, goalOfTwo: 1.4 },
  { kind: 'mixed', layout: 'gl', goal: 1.7, goalOfTwo: 1.3 },
  { kind: 'mixed', layout: 'wide', goal: 1.7, goalOfTwo: 1.3 },
] as const

export function benchBatch(): BenchRow[] {
  return withInstallation((dataDir) => {
    const folder = mkdtempSync(join(tmpdir(), 'hla-bench-'))
    try {
      return INPUTS.flatMap((input) => benchInput(input, folder, benchEnvironment(dataDir)))
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  })
}

function benchInput(input: (typeof INPUTS)[number], folder: string, env: NodeJS.ProcessEnv): BenchRow[] {
  const { kind, layout, goal, goalOfTwo } = input
  const [table, output] = [join(folder, 'table.csv'), join(folder, 'output.csv')]
  const source = sharedPath('registry/wmda/don.gl.txt.gz')
  writeRegistry(table, { rows: ROWS, layout, kind, source, spellings: sublist })
  const convert = (jobs: number) => [CLI, 'redux', '-q', '-i', table, '-o', output, '-j', `${jobs}`]
  const results = new Map<number, Buffer>()
  const timed = (jobs: number) => () => {
    const took = timeNode(convert(jobs), env)
    results.set(jobs, readFileSync(output))
    return took
  }
  const copy = ['--input-type=module', '-e', COPY, table, output]
  const [copying = [], one = [], two = []] = timesInTurn(ROUNDS, [
    () => timeNode(copy, env),
    timed(1),
    timed(2),
  ])
  const [first, second] = [results.get(1), results.get(2)]
  if (first === undefined || second?.equals(first) !== true) throw new Error('--jobs 2 wrote other bytes')
  const name = `batch ${kind} ${layout}`
  return [
    reported(`${name}, one job`, [ROWS / median(one), 'rows/ms']),
    atLeast(`${name}: csv-parse and csv-stringify copying`, [medianRatio(copying, one), '×'], goal),
    atLeast(`${name}: two jobs to one`, [medianRatio(one, two), '×'], goalOfTwo),
    atMost(`${name}, peak memory at one job`, [peakMemory(convert(1), env), 'MiB'], 250),
  ]
}

/** The two ends of a copy that understands its fields. */
const COPY = `import { createReadStream, createWriteStream } from 'node:fs'
import { createRequire } from 'node:module'
import { pipeline } from 'node:stream/promises'
const require = createRequire(${JSON.stringify(packagePath('package.json'))})
const { parse } = require('csv-parse')
const { stringify } = require('csv-stringify')
const [from, to] = process.argv.slice(-2)
await pipeline(createReadStream(from, { highWaterMark: 262144 }), parse(), stringify(), createWriteStream(to))`

/** Milliseconds from outside. */
function timeNode(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const took = performance.now() - started
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return took
}

function peakMemory([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): number {
  const script = `process.on('exit', () => console.error(process.resourceUsage().maxRSS))
    process.argv.splice(1, 1, ${JSON.stringify(program)})
    require(${JSON.stringify(program)})`
  const { stderr } = spawnSync(process.execPath, ['-e', script, '--', 'hla', ...args], {
    env,
    encoding: 'utf8',
  })
  return Number(stderr.trim().split('\n').at(-1)) / 1024
}
