/** Peak memory of a run of the program. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installedData } from './installed-data.ts'
import { runHla } from './run-hla.ts'

export interface Peak {
  readonly status: number | null
  readonly megabytes: number
}

/**
 * Of the program alone: Linux counts the memory of the process that started it as its own in `maxRSS`, and a worker of
 * the tests has hundreds of megabytes.
 */
const SCRIPT = `process.on('exit', () => {
  const [, kibibytes] = /^VmHWM:\\s*(\\d+)/m.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'))
  console.error('peak ' + kibibytes)
})`

/** Writes a script into `folder`. Linux only. */
export async function peakMemory(folder: string, args: readonly string[]): Promise<Peak> {
  const peak = join(folder, 'peak.cjs')
  writeFileSync(peak, SCRIPT)
  const env = { HLA_DATA_DIR: await installedData(), NODE_OPTIONS: `--require ${peak}` }
  const { status, stderr } = await runHla(args, { cwd: folder, env })
  const [kibibytes = Infinity] = [...stderr.matchAll(/peak (\d+)/g)].map(([, size]) => Number(size)).slice(-1)
  return { status, megabytes: (kibibytes * 1024) / 1e6 }
}
