/** Measures ten million pairs of persons: 1,000 patients and 10,000 donors at five loci.  [process, disk, clock] */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { randomNumbers } from '../support/random-numbers.ts'
import { sharedPath } from '../support/shared.ts'
import { peakMemory } from './batch.ts'
import { atMost, type BenchRow, reported } from './bench-row.ts'
import { benchEnvironment, CLI, withInstallation } from './installation.ts'
import { median } from './statistics.ts'

const RUNS = 3
const FILTERED = ['--min', '8/10', '--top', '100']

export function benchMatch(): BenchRow[] {
  return withInstallation((dataDir) => {
    const folder = mkdtempSync(join(tmpdir(), 'hla-bench-match-'))
    try {
      return rowsOf(folder, benchEnvironment(dataDir))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

function rowsOf(folder: string, env: NodeJS.ProcessEnv): BenchRow[] {
  const files = [
    ['--patients', 'pat', 1],
    ['--donors', 'don', 2],
  ] as const
  const input = files.flatMap(([option, name, seed]) => {
    const file = join(folder, `${name}.csv`)
    writeFileSync(file, makeTable(name, seed))
    return [option, file]
  })
  const output = join(folder, 'out.csv')
  const match = (...more: string[]) => ['match', ...input, ...more, '-q', '-o', output]
  const times = Array.from({ length: RUNS }, () => timeRun(match(...FILTERED), env))
  const size = statSync(output).size
  const peak = peakMemory([CLI, ...match(...FILTERED)], env)
  const whole = timeRun(match(), env)
  const copy = timeCopy(output)
  const ofCodes = (...words: string[]) => median(Array.from({ length: RUNS }, () => timeRun([...words, '-q', CODES, CODES], env))) // prettier-ignore
  const toRedux = ofCodes('match', '--count', '12/12') / ofCodes('redux', '-m', 'W')
  return [
    atMost('match, 10,000,000 pairs, --min 8/10 --top 100', [median(times), 's'], 10),
    atMost('match, …, peak memory', [peak, 'MiB'], 286),
    atMost('match, …, its output', [size / 1e6, 'MB'], 50),
    reported('match, 10,000,000 pairs, every one written', [whole, 's']),
    reported('… its output', [statSync(output).size / 1e6, 'MB']),
    reported('… to a copy of it', [whole / copy, '×']),
    atMost('match, two XX codes at each of nine loci of both, to their redux by W', [toRedux, '×'], 8),
  ]
}

/** Each stands for hundreds or thousands of alleles. */
const CODES = ['A*02 A*24', 'B*15 B*40', 'C*07 C*03', 'DRB1*04 DRB1*15', 'DRB3*02 DRB4*01', 'DQA1*01 DQA1*05', 'DQB1*03 DQB1*06', 'DPA1*01 DPA1*02', 'DPB1*04 DPB1*02'].map((pair) => pair.split(' ').map((family) => `${family}:XX`).join('+')).join('^') // prettier-ignore

/** Persons of the WMDA's set; where one has no C or DQB1, an ambiguous typing is drawn, so that all have five loci. */
function makeTable(name: 'pat' | 'don', seed: number): string {
  const random = randomNumbers(seed)
  const lines = gunzipSync(readFileSync(sharedPath(`registry/wmda/${name}.gl.txt.gz`))).toString().trimEnd().split('\n') // prettier-ignore
  const drawn = (texts: readonly string[]) => texts[Math.floor(random() * texts.length)] ?? ''
  const rows = lines.map((line) => {
    const [id = '', glString = ''] = line.split('%')
    const typed = new Map(glString.split('^').map((block) => [block.split('*')[0], block.split('+')]))
    const cells = LOCI.flatMap((locus) => {
      const drawnAt = DRAWN[locus] ?? []
      return typed.get(locus) ?? [drawn(drawnAt), drawn(drawnAt)]
    })
    return [id, ...cells].join(',')
  })
  const header = ['id', ...LOCI.flatMap((locus) => [`${locus}_1`, `${locus}_2`])]
  return `${[header.join(','), ...rows].join('\n')}\n`
}

const LOCI = ['A', 'B', 'C', 'DRB1', 'DQB1']

/** Names, lists and XX codes of each family; common ones first and more often. */
function typingsOf(locus: string, families: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(families).flatMap(([family, seconds], at) => {
    const names = seconds.map((second) => `${locus}*${family}:${second}`)
    const lists = seconds.slice(1).map((_, end) => names.slice(0, end + 2).join('/'))
    const own = [...names, ...lists, `${locus}*${family}:XX`]
    return at < 4 ? [...own, ...own] : own
  })
}

const OF_C = typingsOf('C', {
  '07': ['01', '02', '04', '05', '06', '18'], '04': ['01', '04', '05', '06'], '06': ['02', '03', '04'], '03': ['03', '04', '02', '05'],
  '05': ['01', '03', '04'], '02': ['02', '03', '05'], '01': ['02', '03'], '12': ['03', '02', '04'], '16': ['01', '02', '04'],
  '08': ['02', '01', '03'], '15': ['02', '04', '05'], '14': ['02', '03'], '17': ['01', '02'],
}) // prettier-ignore
const OF_DQB1 = typingsOf('DQB1', {
  '03': ['01', '02', '03', '04', '05'], '06': ['02', '03', '04', '01', '09'], '02': ['01', '02', '03'], '05': ['01', '02', '03', '04'], '04': ['01', '02'],
}) // prettier-ignore

const DRAWN: Readonly<Record<string, readonly string[]>> = { C: OF_C, DQB1: OF_DQB1 }

/** Seconds of a whole process. */
function timeRun(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`hla ${args.join(' ')} answered ${status}: ${stderr}`)
  return (performance.now() - started) / 1000
}

function timeCopy(file: string): number {
  const started = performance.now()
  spawnSync('bash', ['-c', 'cat "$1" > "$1.copy"', 'bash', file])
  return (performance.now() - started) / 1000
}
