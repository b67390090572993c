/**
 * Measures conversions of inventories and donor import files as whole processes, beside their parsers alone.  [disk,
 * process]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/package-root.ts'
import { peakMemory, timed } from './batch.ts'
import { generateTable, prepareTables } from './batch-tables.ts'
import { atLeast, atMost, type BenchRow, reported } from './bench-row.ts'
import { EXCHANGE_KINDS, type ExchangeKind, writeDonors } from './exchange-files.ts'
import { benchEnvironment, CLI, installForBench } from './installation.ts'
import { median, medianRatio, timesInTurn } from './statistics.ts'

/** A file of donor JSON has at most 256 MiB. */
const DONORS: Readonly<Record<ExchangeKind, number>> = { wmda: 1_000_000, 'donor-json': 400_000 }
const ROUNDS = 3

/** Donors a second relative to the parser alone. */
const RATIO = 0.5
/** MiB. */
const MEMORY: Readonly<Record<ExchangeKind, number>> = { wmda: 300, 'donor-json': 700 }

export async function benchExchange(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-'))
  const dataDir = installForBench()
  try {
    const env = benchEnvironment(dataDir)
    const choiceOf = await prepareTables(folder)
    const table = join(folder, 'table.csv')
    const rows: BenchRow[] = []
    for (const kind of EXCHANGE_KINDS) {
      generateTable(table, DONORS[kind], choiceOf('wmda', 'wide'))
      rows.push(...(await benchKind(kind, { folder, table, env })))
    }
    return rows
  } finally {
    for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

interface Bench {
  readonly folder: string
  readonly table: string
  readonly env: NodeJS.ProcessEnv
}

async function benchKind(kind: ExchangeKind, { folder, table, env }: Bench): Promise<BenchRow[]> {
  const [file, output] = [join(folder, `donors.${kind}`), join(folder, 'out.tsv')]
  await writeDonors(kind, table, file)
  const reduced = [CLI, 'redux', '-m', 'lgx', '-q', '-i', file, '-o', output]
  const [parsing = [], reducing = []] = timesInTurn(ROUNDS, [
    () => timed(process.execPath, ['--input-type=module', '-e', PARSERS[kind], file], env),
    () => timed(process.execPath, reduced, env),
  ])
  const memory = peakMemory(reduced, env)
  rmSync(file)
  const name = `exchange ${kind}`
  return [
    reported(name, [DONORS[kind] / median(reducing), 'donors/ms']),
    atLeast(`${name}: to its parser alone`, [medianRatio(parsing, reducing), '×'], RATIO),
    atMost(`${name}, peak memory`, [memory, 'MiB'], MEMORY[kind]),
  ]
}

const READ = `import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
const require = createRequire(${JSON.stringify(packagePath('package.json'))})
const file = createReadStream(process.argv.at(-1), { encoding: 'latin1', highWaterMark: 65536 })`

/** XML: saxes with empty handlers. JSON: the engine's parser on each donor, split where the generator ends one. */
const PARSERS: Readonly<Record<ExchangeKind, string>> = {
  wmda: `${READ}
const parser = new (require('saxes').SaxesParser)()
for (const event of ['opentag', 'text', 'closetag']) parser.on(event, () => {})
for await (const text of file) parser.write(text)
parser.close()`,
  'donor-json': `${READ}
let rest = ''
for await (const text of file) {
  const donors = (rest + text).split('\\n    },\\n')
  rest = donors.pop()
  for (const donor of donors) JSON.parse(donor.slice(donor.indexOf('    {')) + '}')
}`,
}
