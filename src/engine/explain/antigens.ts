/** Source of an allele's antigen: the column of `rel_dna_ser.txt`, or the split in `rel_ser_ser.txt`. */
import type { SerologyCitation } from '../../reference/citations.ts'
import { citeStep, type Context, formatCitation, type Step } from './step.ts'

/** Columns that count; the experts' column does not. */
export type SerologyColumn = 'unambiguous' | 'possible' | 'assumed'
const COLUMNS: readonly SerologyColumn[] = ['unambiguous', 'possible', 'assumed']

/** Column with the antigen in the allele's row; undefined when it comes from a split, or the files are not kept. */
export function findColumn(row: SerologyCitation | undefined, antigen: string): SerologyColumn | undefined {
  const number = antigen.replace(/^\D+/, '')
  return COLUMNS.find((column) => row?.[column].split('/').includes(number) === true)
}

/** First split of the broad antigen in the allele's published row. */
export function citeSplit(
  row: SerologyCitation | undefined,
  broad: string,
  context: Context,
): string | undefined {
  const { broads } = context.engine.release.facts
  return broads[broad]?.find((split) => findColumn(row, split) !== undefined)
}

/** Step that explains an allele's antigen. */
export function antigenStep(antigen: string, allele: string, context: Context): Step {
  const row = context.citations.serology(allele)
  const column = findColumn(row, antigen)
  if (column !== undefined) return citeStep('serology', `${antigen} of ${allele}: ${column}`, row, context)
  const split = citeSplit(row, antigen, context)
  if (split === undefined) return citeStep('serology', `${antigen} of ${allele}`, row, context)
  const edge = context.citations.split(antigen, split)
  const text = `${antigen}: ${split} (${allele}, ${findColumn(row, split)}, ${formatCitation(row, context)}) is a split of it`
  return citeStep('serology', text, edge, context)
}

/** Step that explains why having `antigen` implies `wider`. */
export function relationStep(antigen: string, wider: string, context: Context): Step {
  const isAssociated = context.engine.release.facts.associated[antigen] === wider
  const text = `${wider}: ${antigen} is ${isAssociated ? 'associated with it' : 'a split of it'}`
  return citeStep('relation', text, context.citations.split(wider, antigen), context)
}

/** Step for an allele without antigens. */
export function withoutAntigenStep(allele: string, context: Context): Step {
  const row = context.citations.serology(allele)
  if (row === undefined) return citeStep('serology', `${allele} has no antigen`, undefined, context)
  const found = COLUMNS.filter((column) => row[column] !== '').map((column) => `${row[column]} (${column})`)
  return citeStep(
    'serology',
    `${allele} has ${found.length === 0 ? 'no antigen' : found.join(', ')}`,
    row,
    context,
  )
}
