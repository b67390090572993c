/** Peak memory of a run of the program. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installedData } from './installed-data.ts'
import { runHla } from './run-hla.ts'

export interface Peak {
  readonly status: number | null
  readonly megabytes: number
}

/** Writes a script into `folder`. */
export async function peakMemory(folder: string, args: readonly string[]): Promise<Peak> {
  const peak = join(folder, 'peak.cjs')
  writeFileSync(peak, 'process.on("exit", () => console.error("peak " + process.resourceUsage().maxRSS))')
  const env = { HLA_DATA_DIR: await installedData(), NODE_OPTIONS: `--require ${peak}` }
  const { status, stderr } = await runHla(args, { cwd: folder, env })
  const [kibibytes = Infinity] = [...stderr.matchAll(/peak (\d+)/g)].map(([, size]) => Number(size)).slice(-1)
  return { status, megabytes: (kibibytes * 1024) / 1e6 }
}
