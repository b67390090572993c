/** Measures short commands as whole processes beside an empty Node script, on each given Node.  [process] */
import { spawnSync } from 'node:child_process'
import { peakMemory } from './batch.ts'
import { atMost, type BenchRow, reported } from './bench-row.ts'
import { benchEnvironment, CLI, withInstallation } from './installation.ts'
import { median, medianRatio, timesInTurn } from './statistics.ts'

const COMMAND = ['redux', '-m', 'G', 'A*01:01+A*02:01']
const ANSWER = 'A*01:01:01G+A*02:01:01G/A*02:01:02G\n'
const ROUNDS = 31

/** Uses a whole release: the starter set, which most users begin with, is smaller. */
export function benchStartup(nodes: readonly string[] = [process.execPath]): BenchRow[] {
  return withInstallation((dataDir) => {
    const env = benchEnvironment(dataDir)
    return [
      ...nodes.flatMap((node) => nodeRows(node, env)),
      atMost('hla redux, peak memory', [peakMemory([CLI, ...COMMAND], env), 'MiB'], 90),
    ]
  })
}

function nodeRows(node: string, env: NodeJS.ProcessEnv): BenchRow[] {
  const version = `Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1)}`
  const [nothing = [], redux = [], told = [], help = []] = timesInTurn(ROUNDS, [
    () => processorTime(node, ['-e', '0'], env, ''),
    () => processorTime(node, [CLI, ...COMMAND], env, ANSWER),
    () => processorTime(node, [CLI, '--version'], env),
    () => processorTime(node, [CLI, '--help'], env),
  ])
  return [
    reported(`node -e 0, ${version}`, [median(nothing), 'ms']),
    reported(`hla redux, ${version}`, [median(redux), 'ms']),
    atMost(`hla redux : node -e 0, ${version}`, [medianRatio(redux, nothing), '×'], 1.6),
    atMost(`hla --version : node -e 0, ${version}`, [medianRatio(told, nothing), '×'], 1.5),
    atMost(`hla --help : node -e 0, ${version}`, [medianRatio(help, nothing), '×'], 1.7),
  ]
}

/**
 * Processor ms, since wall-clock time includes other work of the machine. The shell reports 1/1000 s, /proc 1/100 s.
 */
function processorTime(
  node: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  expected?: string,
): number {
  const line = `TIMEFORMAT='%3U %3S'; time "$@"`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line, 'bash', node, ...args], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0 || (expected !== undefined && stdout !== expected))
    throw new Error(`hla ${args.slice(1).join(' ')} answered ${status}: ${stdout}${stderr}`)
  const [user, system] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 1000
}
