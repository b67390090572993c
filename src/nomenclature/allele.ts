/** Allele names: locus, colon-separated fields, expression letter; cutting a name to fewer fields. Loci: which have groups and old names. */

/** `HLA-`, exactly: four characters, upper case. */
export const PREFIX = 'HLA-'

/** Behind the `*`, where a person has no such gene (WMDA). */
export const ABSENT_GENE = 'NNNN'

/** Letters that the published reduction files treat as expression letters, in the order they are tried. */
export const EXPRESSION_LETTERS = ['N', 'Q', 'L', 'S'] as const

export function hasPrefix(name: string): boolean {
  return name.startsWith(PREFIX)
}

/** `HLA00001`, the number of an allele through all its names: https://hla.alleles.org/pages/nomenclature/naming_alleles/ */
export function isAccession(text: string): boolean {
  return /^HLA\d{5,6}$/.test(text)
}

export function withoutPrefix(name: string): string {
  return hasPrefix(name) ? name.slice(PREFIX.length) : name
}

/** What stands before the first `*`; the whole text when there is none. */
export function readLocus(name: string): string {
  const star = name.indexOf('*')
  return star < 0 ? name : name.slice(0, star)
}

/** The first two, or three, fields. One trailing `G` or `P` goes first; an expression letter stays where it is. */
export function twoFields(name: string): string {
  return cutFields(withoutGroupLetter(name), 2)
}

export function threeFields(name: string): string {
  return cutFields(withoutGroupLetter(name), 3)
}

/** What stands before the first colon. */
export function firstField(name: string): string {
  return cutFields(name, 1)
}

/** What stands before the `count`-th colon; the whole name when it has fewer. */
export function cutFields(name: string, count: number): string {
  let end = -1
  for (let seen = 0; seen < count; seen += 1) {
    end = name.indexOf(':', end + 1)
    if (end < 0) return name
  }
  return name.slice(0, end)
}

/** How many colon-separated parts the name has. */
export function countFields(name: string): number {
  let count = 1
  for (let at = name.indexOf(':'); at >= 0; at = name.indexOf(':', at + 1)) count += 1
  return count
}

/** `N`, `Q`, `L` or `S` when the name ends in it, else the empty text. */
export function readExpression(name: string): string {
  const last = name.slice(-1)
  return (EXPRESSION_LETTERS as readonly string[]).includes(last) ? last : ''
}

export function withoutGroupLetter(name: string): string {
  return name.endsWith('G') || name.endsWith('P') ? name.slice(0, -1) : name
}

/** Loci that have G and P groups (the same list for every release). */
const GROUPED_LOCI: ReadonlySet<string> = new Set([
  'A', 'B', 'C', 'DMA', 'DMB', 'DOA', 'DOB', 'DPA1', 'DPB1', 'DQA1', 'DQB1', 'DRA', 'DRB1', 'DRB3', 'DRB4', 'DRB5',
  'E', 'F', 'G',
]) // prettier-ignore

/** Loci whose own old names never had digits without colons that could be read as fields. */
const NEVER_OLD = new Set(['MICA', 'MICB', 'HFE'])

export function isGrouped(locus: string): boolean {
  return GROUPED_LOCI.has(locus)
}

export function canHaveOldNames(locus: string): boolean {
  return !NEVER_OLD.has(locus)
}

/** `DRB11501`, `A-02:01`: the name with the `*` that it lacks; the same text where no locus begins it. */
export function insertStar(text: string): string {
  if (text.includes('*')) return text
  const locus = LOCI.find(
    (candidate) => text.startsWith(candidate) && /^[-_:]?\d/.test(text.slice(candidate.length)),
  )
  return locus === undefined ? text : `${locus}*${text.slice(locus.length).replace(/^[-_:]/, '')}`
}

/** Longest first, should one locus begin like another. */
const LOCI: readonly string[] = [...GROUPED_LOCI].sort((a, b) => b.length - a.length)
