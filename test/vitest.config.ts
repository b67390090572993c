/**
 * Test runs: three projects (test/support/projects.ts), from the project's root. HLA_TEST_WING selects the files of one
 * wing (test/support/wings.ts), HLA_TEST_CUT selects files by what they cost (all by default).
 * `quick` (`npm test`): no slow ones. `all` (`npm run test:all`): all, and a summary.
 * `times` (`npm run test:times`): measures which those are.
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { leftOutFiles, leftOutReporter, summaryReporter, timesReporter } from './support/cut.ts'
import { listProjects } from './support/projects.ts'
import { SlowestFirst } from './support/slowest-first.ts'
import { readWing, wingOf } from './support/wings.ts'

const cut = process.env['HLA_TEST_CUT']
const isLong = process.env['HLA_LONG'] !== undefined
/** Only for the nightly `npm run test:long`: measurements, attacks and endurance. */
const NIGHTLY = ['test/docs/benchmarks.test.ts', 'test/service/worst.test.ts', 'test/service/soak.test.ts']
const leftOut = new Set([
  ...(cut === 'quick' ? leftOutFiles().map(([file]) => file) : []),
  ...(isLong ? [] : NIGHTLY),
])
const wingName = process.env['HLA_TEST_WING']
const wing = wingName === undefined ? undefined : readWing(wingName)
const { unit, system, apart } = listProjects()
const ofCut = (files: readonly string[]) =>
  files.filter((file) => !leftOut.has(file) && (wing === undefined || wingOf(file) === wing))

/** Faults are put into the program, one after the other (test/mutants/random-run.ts). */
const hasFaults = process.env['HLA_TEST_FAULTS'] !== undefined

/**
 * Five minutes end what hangs; a busy machine takes several times what a quiet one takes. The default of `expect.poll` is
 * a second, which a single step of a page can take.
 */
const COMMON = {
  ...(hasFaults ? { runner: 'test/mutants/fault-runner.ts' } : {}),
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 20_000 } },
}
const EACH = ['test/support/end-files.ts', 'test/support/fixed-seed.ts']
const PROGRAM = [...EACH, 'test/support/require-build.ts']

/** For files that never wait: each process imports the program once more. */
const ONE_EACH = cut === 'times' || hasFaults ? {} : { maxWorkers: availableParallelism() }

/** Projects run one after the other: a process is handed on only to a file of its own project. */
function project(
  at: number,
  name: string,
  files: readonly string[],
  own: { readonly setupFiles: string[]; readonly isolate: boolean; readonly maxWorkers?: number },
) {
  const sequence = { groupOrder: at }
  return { extends: true as const, test: { name, include: ofCut(files), ...own, sequence, ...COMMON } }
}

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    reporters: [
      'default',
      ...(cut === 'quick' ? [leftOutReporter] : []),
      ...(cut === 'times' ? [timesReporter] : []),
      ...(cut === 'all' ? [summaryReporter] : []),
    ],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // more than processors, since tests of servers wait, slow ones most; a single one to measure the times of files
    ...(cut === 'times' ? {} : { maxWorkers: hasFaults ? 1 : availableParallelism() + (cut === 'quick' ? 1 : 2) }), // prettier-ignore
    sequence: { sequencer: SlowestFirst },
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary'] },
    projects: [
      project(0, 'unit', unit, { setupFiles: EACH, isolate: hasFaults, ...ONE_EACH }),
      project(1, 'system', system, { setupFiles: PROGRAM, isolate: hasFaults }),
      project(2, 'apart', apart, { setupFiles: PROGRAM, isolate: true }),
    ],
  },
})
