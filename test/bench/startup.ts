/** Measures one short command as a whole process against Node doing nothing.  [process, clock] */
import { spawnSync } from 'node:child_process'
import { atMost, type BenchRow, reported } from './bench-row.ts'
import { benchEnvironment, CLI, withInstallation } from './installation.ts'
import { median, medianRatio, timesInTurn } from './statistics.ts'

const COMMAND = ['redux', '-m', 'G', 'A*01:01+A*02:01']
const ANSWER = 'A*01:01:01G+A*02:01:01G/A*02:01:02G\n'
const ROUNDS = 31

export function benchStartup(): BenchRow[] {
  return withInstallation((dataDir) => {
    const env = benchEnvironment(dataDir)
    const [nothing = [], redux = [], version = [], help = []] = timesInTurn(ROUNDS, [
      () => timeNode(['-e', '0'], env, ''),
      () => timeNode([CLI, ...COMMAND], env, ANSWER),
      () => timeNode([CLI, '--version'], env),
      () => timeNode([CLI, '--help'], env),
    ])
    return [
      reported('node -e 0', [median(nothing), 'ms']),
      reported('hla redux', [median(redux), 'ms']),
      atMost('hla redux : node -e 0', [medianRatio(redux, nothing), '×'], 1.8),
      reported('hla --version : node -e 0', [medianRatio(version, nothing), '×']),
      reported('hla --help : node -e 0', [medianRatio(help, nothing), '×']),
      atMost('hla redux, peak memory', [peakMemory(env), 'MiB'], 90),
    ]
  })
}

/** Milliseconds from outside. */
function timeNode(args: readonly string[], env: NodeJS.ProcessEnv, expected?: string): number {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const took = performance.now() - started
  if (status !== 0 || (expected !== undefined && stdout !== expected))
    throw new Error(`hla ${args.slice(1).join(' ')} answered ${status}: ${stdout}${stderr}`)
  return took
}

/** Of the process that runs the same command, told by itself at its end. */
function peakMemory(env: NodeJS.ProcessEnv): number {
  const script = `process.on('exit', () => console.error(process.resourceUsage().maxRSS))
    process.argv.splice(1, 0, 'hla')
    require(${JSON.stringify(CLI)})`
  const args = ['-e', script, '--', ...COMMAND]
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (stdout !== ANSWER) throw new Error(`hla answered ${stdout}${stderr}`)
  return Number(stderr) / 1024
}
