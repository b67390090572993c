/** The time to recognise columns grows with their number and not with its square, whatever their names. */
import { expect, test } from 'vitest'
import { planText } from '../support/convention-tables.ts'

/** Names of columns by position. */
const HEADERS: Readonly<Record<string, (at: number) => string>> = {
  'one name': () => 'A',
  'one pair': (at) => `A_${(at % 2) + 1}`,
  'one stem': (at) => `A_${at}`,
  'loci in turn': (at) => ['A', 'B', 'C', 'DRB1', 'DQB1'][at % 5] ?? '',
  'words': (at) => `x${at}`,
  'haplotypes': (at) => `hap${at}_A`,
  'a pair each': (at) => `p${at >> 1}_A_${(at % 2) + 1}`,
  'people': (at) => `p${Math.floor(at / 4)}_${['A', 'B'][(at >> 1) % 2]}_${(at % 2) + 1}`,
  'loci as people': (at) => `DRB1${at}_A_${(at % 2) + 1}`,
  'loci before people': (at) => `C_x${at}_A_${(at % 2) + 1}`,
  'people before alleles': (at) => `F${at}_A1`,
  'results of absent columns': (at) => `B${at}_lgx`,
  'results of results': (at) => `A${'_lgx'.repeat(at % 40)}`,
  'parents': (at) => `x${at >> 1}_${at % 2 === 0 ? 'P' : 'M'}`,
  'numbers': (at) => `D${'AB'[at % 2]}${at}`,
  'names without ends': (at) => (at % 2 === 0 ? 'A' : ''),
} // prettier-ignore

const CELLS = ['A*01:01', '12']

/** Processor time in ms, the lesser of two. */
async function cost(text: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 2; round += 1) {
    const before = process.cpuUsage()
    await planText(text)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}

function table(count: number, name: (at: number) => string, cell: string): string {
  const header = Array.from({ length: count }, (_, at) => name(at)).join('\t')
  return `${header}\n${`${Array(count).fill(cell).join('\t')}\n`.repeat(2)}`
}

test.for(Object.entries(HEADERS))('%s', async ([, name]) => {
  for (const cell of CELLS) {
    const [few, many] = [await cost(table(500, name, cell)), await cost(table(2500, name, cell))]
    // five times the columns: five times the time, or twenty-five if it grew with the square
    expect({ cell, growth: many / Math.max(few, 4) }).toSatisfy(({ growth }) => growth < 14)
  }
})
