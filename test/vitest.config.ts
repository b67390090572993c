/**
 * How the tests run: one Node process per file, from the project's root. All of them, unless HLA_TEST_CUT is `quick` (`npm test`: without
 * the slow ones), `times` (`npm run test:times`: says which those are) or `shared` (`npm run test:shared`: those of
 * test/shared-files.json, over stores that are shared by PostgreSQL).
 */
import { defineConfig } from 'vitest/config'
import { leftOutFiles, leftOutReporter, sharedFiles, timesReporter } from './support/cut.ts'

const cut = process.env['HLA_TEST_CUT']

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: cut === 'shared' ? sharedFiles() : ['test/**/*.test.ts'],
    exclude: cut === 'quick' ? leftOutFiles().map(([file]) => file) : [],
    reporters: [
      'default',
      ...(cut === 'quick' ? [leftOutReporter] : []),
      ...(cut === 'times' ? [timesReporter] : []),
    ],
    setupFiles: ['test/support/fixed-seed.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // a processor each, but where the times of files are taken
    ...(cut === 'times' ? {} : { maxWorkers: '100%' }),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary'] },
  },
})
