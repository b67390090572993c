/** Measures the engine over the WMDA donors; each pass runs in a new process, so it starts cold.  [disk, process] */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { locateData } from '../../src/reference/store/location.ts'
import { activeMacList } from '../../src/reference/store/mac-lists.ts'
import { sharedPath } from '../support/shared.ts'
import { atLeast, atMost, type BenchRow, reported } from './bench-row.ts'
import type { EnginePass } from './engine-pass.ts'
import { BENCH_RELEASE, benchEnvironment, withInstallation } from './installation.ts'
import { median } from './statistics.ts'

const RUNS = 11

export function benchEngine(): BenchRow[] {
  return withInstallation((dataDir) => {
    const passes = Array.from({ length: RUNS }, () => runPass(dataDir, 'lgx'))
    const middle = (measure: keyof EnginePass) => median(passes.map((pass) => pass[measure]))
    return [
      atMost('open the compiled release, cold', [middle('open'), 'ms'], 5),
      atLeast('lgx, WMDA donors, first pass, its thread', [middle('firstOfThread') / 1000, 'k/s'], 300),
      reported('lgx, WMDA donors, first pass, wall clock', [middle('first') / 1000, 'k/s']),
      reported('lgx, WMDA donors, first pass, all threads', [middle('firstOfCpu') / 1000, 'k/s']),
      reported('lgx, WMDA donors, second pass', [middle('second') / 1000, 'k/s']),
      ...(['G', 'S', 'W'] as const).map((method) =>
        reported(`${method}, WMDA donors, first pass, its thread`, [
          runPass(dataDir, method).firstOfThread / 1000,
          'k/s',
        ]),
      ),
    ]
  })
}

function runPass(dataDir: string, method: string): EnginePass {
  const compiled = join(dataDir, 'releases', BENCH_RELEASE, 'compiled.bin')
  const mac = activeMacList(locateData(dataDir, {}))?.path ?? ''
  const script = join(import.meta.dirname, 'engine-pass.mjs')
  const output = execFileSync(
    process.execPath,
    [script, compiled, mac, sharedPath('registry/wmda/don.gl.txt.gz'), method],
    {
      env: benchEnvironment(dataDir),
      encoding: 'utf8',
    },
  )
  // engine-pass.ts prints this
  return JSON.parse(output) as EnginePass
}
