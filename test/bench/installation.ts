/** Installs release 3.58.0 with the full MAC list in a folder for the benchmarks that need it.  [disk] */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/package-root.ts'
import { sharedPath } from '../support/shared.ts'

export const BENCH_RELEASE = '3.58.0'

/**
 * Environment of every measured process: Node 20 starts 38 ms slower with NODE_EXTRA_CA_CERTS, and unknown HLA_
 * settings, such as HLA_BEFORE, change the start.
 */
export function benchEnvironment(dataDir: string): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...all } = process.env
  const env = Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('HLA_')))
  return { ...env, HLA_DATA_DIR: dataDir, HLA_SYSTEM_DATA_DIR: join(dataDir, 'none') }
}

export const CLI = packagePath('bin/hla.cjs')

/** Calls `use` with the data directory, then removes it. */
export function withInstallation<T>(use: (dataDir: string) => T): T {
  const dataDir = installForBench()
  try {
    return use(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The data directory; the caller removes it. */
export function installForBench(program = CLI): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'hla-bench-'))
  const from = ['--from', sharedPath('upstream/IMGTHLA'), '--mac', sharedPath('upstream/mac/numer.v3.zip')]
  execFileSync(process.execPath, [program, 'data', 'install', BENCH_RELEASE, ...from], {
    env: benchEnvironment(dataDir),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return dataDir
}
