/**
 * Measures the MAC index on a synthetic list of 1.14 million codes: compile, open, look-ups both ways [disk, clock].
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeMacTable, type MacTable, openMacTable } from '../../src/reference/mac-table.ts'
import { parseNumer } from '../../src/reference/sources/numer.ts'
import { generateMacRows, generateMacText } from '../support/generate-mac.ts'
import { atMost, type BenchRow } from './bench-row.ts'

/** Medians; the time of a look-up is the mean of its round. */
export function benchMac(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-mac-'))
  try {
    const text = generateMacText(CODES)
    const started = performance.now()
    const bytes = encodeMacTable(parseNumer(text), '')
    const compile = performance.now() - started
    const path = join(folder, 'mac.bin')
    writeFileSync(path, bytes)
    return Promise.resolve([
      atMost('mac compile', [compile / 1_000, 's'], 3),
      atMost('mac file', [bytes.length / 1e6, 'MB'], 45),
      ...measureLookups(path),
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const CODES = 1_140_000
/** Every 401st row is looked up: about 3,000, few enough to be read from disk block by block. */
const STEP = 401
const ROUNDS = 7

interface Lookup {
  readonly code: string
  readonly members: readonly string[]
  readonly generic: boolean
}

function measureLookups(path: string): BenchRow[] {
  const samples = shuffled(sample())
  const forward = (table: MacTable, { code }: Lookup) => table.expand(code) !== undefined
  const reverse = (table: MacTable, { members, generic }: Lookup) =>
    table.codesOf(members, generic).length > 0
  const miss = (table: MacTable, { code }: Lookup) => table.expand(`${code}Q`.slice(-5)) === undefined
  const noSet = (table: MacTable, { members, generic }: Lookup) =>
    table.codesOf([...members, generic ? '999' : '99:999'], generic).length === 0
  const rows: BenchRow[] = [atMost('mac open', [median(() => timeOpen(path)), 'ms'], 5)]
  rows.push(atMost('mac open and first look-up', [median(() => timeFirst(path, samples)), 'ms'], 5))
  for (const [name, ask] of Object.entries({ forward, reverse, 'reverse miss': noSet })) {
    rows.push(atMost(`mac ${name}, from disk`, [median(() => timeEach(path, samples, ask)), 'µs'], 20))
  }
  const table = openMacTable(path)
  // loads the whole file into memory
  for (let round = 0; round < ROUNDS; round += 1) timeAll(table, samples, reverse)
  // expansions are cached, so each round looks up the neighbours of the previous round's codes
  const others = Array.from({ length: ROUNDS }, (_, round) => shuffled(sample(round + 1)))
  const timeOthers = () => timeAll(table, others.pop() ?? [], forward)
  rows.push(atMost('mac forward, in memory', [median(timeOthers), 'µs'], 3))
  for (const [name, ask] of Object.entries({ reverse, 'forward miss': miss, 'reverse miss': noSet }))
    rows.push(atMost(`mac ${name}, in memory`, [median(() => timeAll(table, samples, ask)), 'µs'], 6))
  table.close()
  return rows
}

type Ask = (table: MacTable, lookup: Lookup) => boolean

/** Every STEP-th row, offset by `behind` rows. */
function sample(behind = 0): Lookup[] {
  const lookups: Lookup[] = []
  let row = 0
  for (const [code, expansion] of generateMacRows(CODES)) {
    if (row++ % STEP === behind)
      lookups.push({ code, members: expansion.split('/'), generic: !expansion.includes(':') })
  }
  return lookups
}

/** Neighbouring codes share a block; real files look them up in random order. */
function shuffled(lookups: readonly Lookup[]): Lookup[] {
  return lookups.map((_, index) => lookups[(index * 1_009) % lookups.length] ?? lookups[0]!)
}

function timeOpen(path: string): number {
  const started = performance.now()
  openMacTable(path).close()
  return performance.now() - started
}

function timeFirst(path: string, lookups: readonly Lookup[]): number {
  const started = performance.now()
  const table = openMacTable(path)
  table.expand(lookups[0]!.code)
  const took = performance.now() - started
  table.close()
  return took
}

function timeEach(path: string, lookups: readonly Lookup[], ask: Ask): number {
  const table = openMacTable(path)
  const took = timeAll(table, lookups, ask)
  table.close()
  return took
}

function timeAll(table: MacTable, lookups: readonly Lookup[], ask: Ask): number {
  const started = performance.now()
  const right = lookups.filter((lookup) => ask(table, lookup)).length
  const took = performance.now() - started
  if (right < lookups.length * 0.9) throw new Error(`only ${right} of ${lookups.length} look-ups were right`)
  return (took * 1_000) / lookups.length
}

function median(measure: () => number): number {
  const times = Array.from({ length: ROUNDS }, measure).sort((one, other) => one - other)
  return times[ROUNDS >> 1] ?? Number.NaN
}
