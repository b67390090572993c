/** Published files of catalogues: names with the frequency category of each, in total and by population. */
import { HlaError } from '../../errors.ts'
import { readDataLines } from './lines.ts'

/** Common, intermediate, well-documented, rare. */
export const FREQUENCY_CATEGORIES = ['C', 'I', 'WD', 'R'] as const
export type FrequencyCategory = (typeof FREQUENCY_CATEGORIES)[number]

/** Name -> its categories, in the order of the populations. */
export type CatalogueTable = ReadonlyMap<string, readonly FrequencyCategory[]>

export const CIWD_POPULATIONS = ['TOTAL', 'AFA', 'API', 'EURO', 'HIS', 'MENA', 'NAM', 'UNK'] as const
export type CiwdPopulation = (typeof CIWD_POPULATIONS)[number]

/**
 * `ciwd.3.0.0.csv` of Hurley et al. 2020.
 * @throws {HlaError} bad-release-file — another header, or a line that is not a name and eight categories
 */
export function parseCiwd(text: string): CatalogueTable {
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
        throw badLine(line, number, `CIWD catalogue is not a name and ${CIWD_POPULATIONS.length} categories`)
      return [name, categories]
    }),
  )
}

export const EURCWD_CATEGORIES = ['C', 'WD'] as const satisfies readonly FrequencyCategory[]

/**
 * `EURCWD.csv`, which the authors of HATS made from the tables of Sanchez-Mazas et al. 2017: lines such as `A*01:01,C`.
 * @throws {HlaError} bad-release-file — no lines, a line that is not a name and a category, or a name twice
 */
export function parseEurcwd(text: string): CatalogueTable {
  const table = new Map<string, readonly FrequencyCategory[]>()
  for (const { text: line, number } of readDataLines(text.replace(/^\uFEFF/, ''))) {
    const [name = '', cell = '', ...more] = line.split(',')
    const categories = EURCWD_CATEGORIES.filter((category) => category === cell)
    if (!name.includes('*') || categories.length === 0 || more.length > 0 || table.has(name))
      throw badLine(line, number, 'EURCWD catalogue is not a new name and C or WD')
    table.set(name, categories)
  }
  if (table.size === 0) throw new HlaError('bad-release-file', 'the EURCWD catalogue has no names')
  return table
}

function isCategory(cell: string): cell is FrequencyCategory {
  return (FREQUENCY_CATEGORIES as readonly string[]).includes(cell)
}

function badLine(line: string, number: number, what: string): HlaError {
  return new HlaError('bad-release-file', `line ${number} of the ${what}`, {
    offending: line.slice(0, 100),
    facts: { line: String(number) },
  })
}
