/** Measures the store: durable changes beside the disk's syncs, large contents beside dd and cat [process, clock]. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/package-root.ts'
import { bundleScript } from '../support/bundle.ts'
import { atLeast, atMost, type BenchRow, reported } from './bench-row.ts'
import { median, medianRatio } from './statistics.ts'
import type { LoadRate, LoadRound } from './storage-load.ts'
import type { Found } from './storage-million.ts'
import type { StreamRound } from './storage-stream.ts'

/** Runs on the plain disk, and with 4 ms syncs: on a fast disk the limit is the processor, not the syncs. */
export function benchStorage(): BenchRow[] {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-storage-'))
  const scripts = ['storage-load.ts', 'storage-stream.ts'].map((name) =>
    bundleScript(packagePath(), `test/bench/${name}`),
  )
  const writer = bundleScript(packagePath(), 'test/support/store-writer.ts')
  try {
    const [load, stream] = scripts.map(({ file }) => file)
    if (load === undefined || stream === undefined) return []
    const slow = slowSyncs(join(folder, 'slow-sync.so'))
    const args = (disk: string) => [load, mkdtempSync(join(folder, disk)), writer.file]
    return [
      ...loadRows('this disk', run<LoadRound>(args('plain-'), {}), undefined),
      ...(slow === undefined ? [] : loadRows('sync of 4 ms', run<LoadRound>(args('slow-'), slow), GOALS)),
      ...streamRows(run<StreamRound>([stream, folder], {})),
    ]
  } finally {
    for (const made of [...scripts, writer, { folder }]) rmSync(made.folder, { recursive: true, force: true })
  }
}

/** Goals of the HTTP service with 32 connections, as a multiple of the disk's syncs; the store alone must do better. */
const GOALS: Readonly<Record<string, number>> = { '32 0': 12, '32 4096': 10 }

function slowSyncs(target: string): Record<string, string> | undefined {
  if (process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0) return undefined
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', target, packagePath('test/bench/slow-sync.c'), '-ldl'])
  return { LD_PRELOAD: target, SYNC_MILLISECONDS: '4' }
}

function run<Round>(args: readonly string[], env: Record<string, string>): Round[] {
  const text = execFileSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' })
  // our own script prints this
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Round)
}

function loadRows(disk: string, rounds: readonly LoadRound[], goals: typeof GOALS | undefined): BenchRow[] {
  const raw = rounds.map((round) => round.raw)
  const loads = rounds[0]?.rates ?? []
  const rows = loads.map(({ inFlight, size }, at) => {
    const rates = rounds.map((round) => round.rates[at]).filter((one): one is LoadRate => one !== undefined)
    const name = `${disk}, ${inFlight} in flight${size === 0 ? '' : `, ${size / 1024} KiB each`}`
    const perSecond = rates.map((one) => one.perSecond)
    const ratio = medianRatio(perSecond, raw)
    const goal = goals?.[`${inFlight} ${size}`]
    return [
      reported(name, [median(perSecond), 'a second']),
      reported(`${name}: processor`, [median(rates.map((one) => one.perCpuSecond)), 'a CPU second']),
      goal === undefined
        ? reported(`${name} : syncs`, [ratio, '×'])
        : atLeast(`${name} : syncs`, [ratio, '×'], goal),
    ]
  })
  return [reported(`${disk}, 4 KiB write + fdatasync`, [median(raw), 'a second']), ...rows.flat()]
}

function streamRows(rounds: readonly StreamRound[]): BenchRow[] {
  const of = (name: keyof StreamRound) => rounds.map((round) => round[name])
  return [
    reported('dd conv=fdatasync, 512 MiB', [median(of('dd')), 'MB/s']),
    reported('content of 512 MiB in', [median(of('stage')), 'MB/s']),
    atLeast('content in : dd', [medianRatio(of('stage'), of('dd')), '×'], 0.7),
    reported('content of 512 MiB out', [median(of('read')), 'MB/s']),
    atLeast('content out : cat', [medianRatio(of('read'), of('cat')), '×'], 0.4),
    atMost('contents, peak memory', [median(of('memory')) / 1e6, 'MB'], 200),
  ]
}

/** Compares a million files with ten thousand. */
export function benchMillion(): BenchRow[] {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-million-'))
  const script = bundleScript(packagePath(), 'test/bench/storage-million.ts')
  try {
    const [few, many] = run<Found>([script.file, folder, '10000', '1000000'], {})
    if (few === undefined || many === undefined) throw new Error('nothing was measured')
    return (['get', 'newest', 'inParents'] as const).flatMap((what) => [
      reported(`${NAMES[what]}, of 10,000 files`, [few[what], 'ms']),
      reported(`${NAMES[what]}, of 1,000,000 files`, [many[what], 'ms']),
      atMost(`${NAMES[what]}: 1,000,000 to 10,000`, [many[what] / few[what], '×'], 2),
    ])
  } finally {
    for (const made of [script, { folder }]) rmSync(made.folder, { recursive: true, force: true })
  }
}

const NAMES = { get: 'get', newest: 'newest 100', inParents: "'x' in parents, 100" }
