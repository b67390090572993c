/**
 * Bundles the benchmarks, the soak and the mutants into node_modules/.cache, because Node 20 does not run TypeScript.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '..')
const BENCH = join(ROOT, 'test/bench')
const benches = readdirSync(BENCH).filter((name) => name.endsWith('.ts'))

await build({
  entryPoints: [
    ...benches.map((name) => ({ in: join(BENCH, name), out: name.replace(/\.ts$/, '') })),
    { in: join(ROOT, 'test/soak/run.ts'), out: 'soak' },
    { in: join(ROOT, 'test/mutants/main.ts'), out: 'mutants' },
  ],
  outdir: join(ROOT, 'node_modules/.cache'),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})
