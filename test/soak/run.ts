/**
 * `npm run soak -- [--minutes 20] [--crowd 10000] [--askers 4]`: soaks `hla serve` with the data of HLA_DATA_DIR, or
 * the starter set.  [disk, process]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { soak } from './soak.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    crowd: { type: 'string', default: '10000' },
    askers: { type: 'string', default: '4' },
    workers: { type: 'string', default: '2' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'hla-soak-'))
try {
  const { wrongs, ...result } = await soak({
    seconds: Number(values.minutes) * 60,
    crowd: Number(values.crowd),
    askers: Number(values.askers),
    workers: Number(values.workers),
    // the empty folder selects the starter set
    dataDir: process.env['HLA_DATA_DIR'] ?? folder,
    folder,
  })
  process.stdout.write(
    `${JSON.stringify(result, null, 2)}\n${wrongs.map((wrong) => `WRONG ${wrong}\n`).join('')}`,
  )
  process.exitCode = wrongs.length + result.leaks > 0 || result.status !== 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
