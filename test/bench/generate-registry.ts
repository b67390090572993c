/** Registry tables for benchmarks and tests: donors whose genotypes are drawn locus by locus from a published file. Same arguments, same bytes. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

export interface RegistryRequest {
  readonly rows: number
  readonly layout: 'gl' | 'wide'
  /** `mixed`: two typings of three are spelled longer, as groups or otherwise; the file as it is for `wmda`. */
  readonly kind: 'wmda' | 'mixed'
  readonly seed?: number
  /** Share of rows with a quoted field. */
  readonly quoted?: number
  /** `D000001%A*01:01+A*02:01^B*…`, maybe packed. */
  readonly source: string
  /** Other spellings of a typing, for `mixed`. */
  readonly spellings?: (typing: string, random: () => number) => string
}

const LOCI = ['A', 'B', 'C', 'DRB1', 'DQB1']
const CENTERS = ['DE-ZKRD', 'US-NMDP', 'GB-AN', 'FR-FGM', 'IT-IBMDR', 'PL-ALF', 'SE-TOB', 'JP-JMDP']
const BLOCK = 1 << 20

/** Writes the table. Gives its size in bytes. */
export function writeRegistry(file: string, request: RegistryRequest): number {
  const { rows, layout, seed = 1 } = request
  const random = randomNumbers(seed)
  const donors = readDonors(request.source)
  const output = openSync(file, 'w')
  const typings = LOCI.flatMap((locus) => [`${locus}_1`, `${locus}_2`])
  let size = 0
  let block = `id,sex,center,${layout === 'gl' ? 'gl' : typings.join(',')}\n`
  for (let row = 0; row < rows; row += 1) {
    block += rowText(row, request, donors, random)
    if (block.length < BLOCK && row < rows - 1) continue
    size += writeSync(output, block)
    block = ''
  }
  closeSync(output)
  return size
}

type Donor = ReadonlyMap<string, readonly string[]>

function readDonors(source: string): Donor[] {
  const bytes = readFileSync(source)
  const text = (source.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const loci = line.slice(line.indexOf('%') + 1).split('^')
      return new Map(loci.map((locus) => [locus.slice(0, locus.indexOf('*')), locus.split('+')]))
    })
}

function rowText(
  row: number,
  { layout, kind, quoted = 0.01, spellings }: RegistryRequest,
  donors: readonly Donor[],
  random: () => number,
): string {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const respell = (typing: string) =>
    kind === 'mixed' && spellings !== undefined ? spellings(typing, random) : typing
  const center = pick(CENTERS) ?? ''
  const field = random() < quoted ? `"${center}, site ""${row % 9}"""` : center
  const head = `D${String(row + 1).padStart(8, '0')},${random() < 0.5 ? 'F' : 'M'},${field}`
  const genotypes = LOCI.map((locus) => (pick(donors)?.get(locus) ?? []).map(respell))
  const typed = genotypes.filter((genotype) => genotype.length > 0)
  const cells =
    layout === 'gl'
      ? [typed.map((genotype) => genotype.join('+')).join('^')]
      : genotypes.map(([first = '', second = '']) => `${first},${second}`)
  return `${head},${cells.join(',')}\n`
}

/** mulberry32: integers only, the same everywhere. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Subsets of a list, in the order of the list: distinct spellings grow with the rows, as laboratories' lists do.
 * One in three stays as it is.
 */
export function sublist(typing: string, random: () => number): string {
  const names = typing.split('/')
  if (names.length < 2 || random() < 0.33) return typing
  if (random() < 0.5) return names[Math.floor(random() * random() * names.length)] ?? typing
  const kept = names.filter(() => random() < 0.6)
  return kept.length === 0 ? typing : kept.join('/')
}
