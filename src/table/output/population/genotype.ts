/** Genotype of a person at a locus, as in formats of population genetics. Pure. */
import { readLocus } from '../../../nomenclature/allele.ts'

export interface Genotype {
  /** Possible genotypes of the person. Each has one copy or two; a copy is an allele, or a list with `/`. */
  readonly alternatives: readonly (readonly string[])[]
}

/** Maximum number of cached genotypes; persons share most of theirs. */
const MAX_KEPT = 10_000
/** Maximum characters of a cached genotype. */
const MAX_KEPT_LENGTH = 500

/** Results of a locus's cells -> its genotype, or the reason why two copies cannot be distinguished. */
export type GenotypeReader = (texts: readonly string[]) => Genotype | string

/** Reader of one run, with a cache. */
export function genotypeReader(): GenotypeReader {
  const known = new Map<string, Genotype | string>()
  return (texts) => {
    const key = texts.join('\n')
    const found = known.get(key)
    if (found !== undefined) return found
    const genotype = parseGenotype(texts)
    if (known.size >= MAX_KEPT) known.clear()
    if (key.length <= MAX_KEPT_LENGTH) known.set(key, genotype)
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
