/**
 * `ciwd.3.0.0.csv` (Hurley et al. 2020, HLA 95:516): frequency category of each name, in total and in seven
 * populations.
 */
import { HlaError } from '../../errors.ts'
import { readDataLines } from './lines.ts'

/** Common, intermediate, well-documented, rare. */
export const CIWD_CATEGORIES = ['C', 'I', 'WD', 'R'] as const
export type CiwdCategory = (typeof CIWD_CATEGORIES)[number]

export const CIWD_POPULATIONS = ['TOTAL', 'AFA', 'API', 'EURO', 'HIS', 'MENA', 'NAM', 'UNK'] as const
export type CiwdPopulation = (typeof CIWD_POPULATIONS)[number]

/** Name -> its categories, in the order of the populations. */
export type CiwdTable = ReadonlyMap<string, readonly CiwdCategory[]>

/** @throws {HlaError} bad-release-file — another header, or a line that is not a name and eight categories */
export function parseCiwd(text: string): CiwdTable {
  const [head, ...lines] = readDataLines(text)
  const header = `ALLELE,${CIWD_POPULATIONS.join(',')}`
  if (head?.text.replace(/^\uFEFF/, '') !== header) {
    throw new HlaError('bad-release-file', `the CIWD catalogue does not begin with the line ${header}`, {
      offending: head?.text.slice(0, 100) ?? '',
    })
  }
  return new Map(
    lines.map(({ text: line, number }) => {
      const [name = '', ...cells] = line.split(',')
      const categories = cells.filter(isCategory)
      if (!name.includes('*') || cells.length !== CIWD_POPULATIONS.length || categories.length < cells.length)
        throw badLine(line, number)
      return [name, categories]
    }),
  )
}

function isCategory(cell: string): cell is CiwdCategory {
  return (CIWD_CATEGORIES as readonly string[]).includes(cell)
}

function badLine(line: string, number: number): HlaError {
  const message = `line ${number} of the CIWD catalogue is not a name and ${CIWD_POPULATIONS.length} categories`
  return new HlaError('bad-release-file', message, {
    offending: line.slice(0, 100),
    facts: { line: String(number) },
  })
}
