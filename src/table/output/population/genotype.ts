/** The genotype of a person at a locus, as formats of population genetics have it. Pure. */
import { readLocus } from '../../../nomenclature/allele.ts'

export interface Genotype {
  /** One of them is the person's. Each has one copy or two; a copy is an allele, or a list with `/`. */
  readonly alternatives: readonly (readonly string[])[]
}

/** Genotypes kept; persons share most of theirs. */
const MOST_KEPT = 10_000
/** Characters of one that is kept. */
const LONGEST_KEPT = 500

/** Results of the cells of a locus -> its genotype; or in words why two copies cannot be told. */
export type GenotypeReader = (texts: readonly string[]) => Genotype | string

/** The reader of one run, which remembers the genotypes that it has read. */
export function genotypeReader(): GenotypeReader {
  const known = new Map<string, Genotype | string>()
  return (texts) => {
    const key = texts.join('\n')
    const found = known.get(key)
    if (found !== undefined) return found
    const genotype = parseGenotype(texts)
    if (known.size >= MOST_KEPT) known.clear()
    if (key.length <= LONGEST_KEPT) known.set(key, genotype)
    return genotype
  }
}

function parseGenotype(texts: readonly string[]): Genotype | string {
  const bare = texts.map((text) => text.replaceAll('HLA-', ''))
  if (bare.some((text) => text.includes('^'))) return 'typings of several loci'
  if (bare.some((text) => text.includes('~'))) return 'haplotypes (~)'
  if (bare.some((text) => text.includes('?'))) return 'possible genes (?)'
  const isList = bare.some((text) => text.includes('|'))
  if (isList && bare.length > 1) return 'several genotypes (|) beside another typing'
  const alternatives = isList
    ? (bare[0] ?? '').split('|').map((one) => one.split('+'))
    : [bare.flatMap((text) => text.split('+'))]
  const most = Math.max(...alternatives.map((copies) => copies.length))
  if (most > 2) return `${most} copies`
  const names = alternatives.flat().flatMap((copy) => copy.split('/'))
  // an antigen does not name its locus
  const loci = new Set(names.filter((name) => name.includes('*')).map(readLocus))
  return loci.size > 1 ? `copies of ${[...loci].join(' and ')}` : { alternatives }
}

/** `A*01:01/A*01:02` -> `01:01/01:02`; antigens keep their letters. */
export function bareCopy(copy: string): string {
  return copy.replaceAll(/[^/*]+\*/g, '')
}
