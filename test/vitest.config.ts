/**
 * How the tests run: two projects (test/support/projects.ts), from the project's root. All of them, unless HLA_TEST_CUT is `quick` (`npm test`:
 * without the slow ones), `times` (`npm run test:times`: says which those are) or `shared` (`npm run test:shared`: those of
 * test/shared-files.json, over stores that are shared by PostgreSQL).
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { leftOutFiles, leftOutReporter, sharedFiles, summaryReporter, timesReporter } from './support/cut.ts'
import { POSTGRES } from './support/postgres-server.ts'
import { listProjects } from './support/projects.ts'

const cut = process.env['HLA_TEST_CUT']
/** Left to the night, `npm run test:long`: what measures, and what attacks and wears for long. */
const NIGHTLY = ['test/docs/benchmarks.test.ts', 'test/service/worst.test.ts', 'test/service/soak.test.ts']
const leftOut = new Set([
  ...(cut === 'quick' ? leftOutFiles().map(([file]) => file) : []),
  ...(process.env['HLA_LONG'] === undefined ? NIGHTLY : []),
])
/** Run by `test:shared`, the second half of `test:all`, where PostgreSQL is installed; at night in both forms. */
const shared = new Set(POSTGRES !== undefined && (cut === 'shared' || cut === 'main') ? sharedFiles() : [])
const { unit, system } = listProjects()
const ofCut = (files: readonly string[]) =>
  files.filter((file) => !leftOut.has(file) && (cut === 'shared' ? shared.has(file) : !shared.has(file)))

/** `expect.poll` gives up after a second by default, which a busy machine takes for one step of a page. */
const COMMON = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } }
const SEED = 'test/support/fixed-seed.ts'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    reporters: [
      'default',
      ...(cut === 'quick' ? [leftOutReporter] : []),
      ...(cut === 'times' ? [timesReporter] : []),
      ...(cut === 'main' || cut === 'shared' ? [summaryReporter] : []),
    ],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    passWithNoTests: cut === 'shared',
    // one more than processors, since tests of servers wait; one where the times of files are taken
    ...(cut === 'times' ? {} : { maxWorkers: availableParallelism() + 1 }),
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary'] },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ofCut(unit), isolate: false, setupFiles: [SEED], ...COMMON },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ofCut(system),
          setupFiles: [SEED, 'test/support/require-build.ts'],
          ...COMMON,
        },
      },
    ],
  },
})
