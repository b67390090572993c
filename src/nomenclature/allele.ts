/**
 * Allele names: locus, colon-separated fields, expression letter; truncation to fewer fields; loci with groups and old
 * names.
 */

/** Locus prefix, exactly these four upper-case characters. */
export const PREFIX = 'HLA-'

/** Field value for an absent gene (WMDA). */
export const ABSENT_GENE = 'NNNN'

/** Letters treated as expression letters by the published reduction files, in matching order. */
export const EXPRESSION_LETTERS = ['N', 'Q', 'L', 'S'] as const

export function hasPrefix(name: string): boolean {
  return name.startsWith(PREFIX)
}

/** Accession `HLA00001`, stable across renamings: https://hla.alleles.org/pages/nomenclature/naming_alleles/ */
export function isAccession(text: string): boolean {
  return /^HLA\d{5,6}$/.test(text)
}

export function withoutPrefix(name: string): string {
  return hasPrefix(name) ? name.slice(PREFIX.length) : name
}

/** Text before the first `*`; all of it without a star. */
export function readLocus(name: string): string {
  const star = name.indexOf('*')
  return star < 0 ? name : name.slice(0, star)
}

/** First two (or three) fields. A trailing `G` or `P` is removed; an expression letter in them stays. */
export function twoFields(name: string): string {
  return cutFields(withoutGroupLetter(name), 2)
}

export function threeFields(name: string): string {
  return cutFields(withoutGroupLetter(name), 3)
}

/** Text before the first colon. */
export function firstField(name: string): string {
  return cutFields(name, 1)
}

/** Text before the `count`-th colon; the whole name when it has fewer. */
export function cutFields(name: string, count: number): string {
  let end = -1
  for (let seen = 0; seen < count; seen += 1) {
    end = name.indexOf(':', end + 1)
    if (end < 0) return name
  }
  return name.slice(0, end)
}

/** A name of numbers, with its expression letter: `A*01:01:01:02N`. */
const NUMBERED = /^([A-Z][A-Z0-9]*)\*(\d+(?::\d+)*)[NLSQCA]?$/

export function isNumbered(name: string): boolean {
  return NUMBERED.test(name)
}

/** Loci whose first field has three digits; it alone may be a name (`MICA*001`). */
const THREE_DIGITS: ReadonlySet<string> = new Set(['MICA', 'MICB', 'HFE'])
const MAX_FIELDS = 4
/** The longest published fields have four digits: `A*02:1040`, `DPB1*1372:01`. */
const MAX_DIGITS = 4

/**
 * Whether a release could list a name of this form. Fields count from 1 and have no surplus zeros: they are padded to
 * two digits, the first field of some loci to three. False for groups, codes and antigens.
 */
export function couldBeListed(name: string): boolean {
  const [, locus = '', numbers = ''] = NUMBERED.exec(name) ?? []
  const [minFields, width] = THREE_DIGITS.has(locus) ? [1, 3] : [2, 2]
  const fields = numbers.split(':')
  if (fields.length < minFields || fields.length > MAX_FIELDS) return false
  return fields.every((field, at) => isField(field, at === 0 ? width : 2))
}

function isField(field: string, width: number): boolean {
  const number = Number(field)
  return number > 0 && field.length <= MAX_DIGITS && field === String(number).padStart(width, '0')
}

/** Number of colon-separated parts. */
export function countFields(name: string): number {
  let count = 1
  for (let at = name.indexOf(':'); at >= 0; at = name.indexOf(':', at + 1)) count += 1
  return count
}

/** `N`, `Q`, `L` or `S` when the name ends in it, else `''`. */
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

export function isGrouped(locus: string): boolean {
  return GROUPED_LOCI.has(locus)
}

/** False where old names never had digits that could be read as fields. */
export function canHaveOldNames(locus: string): boolean {
  return !THREE_DIGITS.has(locus)
}

/** `DRB11501` -> `DRB1*1501`, `A-02:01` -> `A*02:01`; unchanged when no locus begins the text. */
export function insertStar(text: string): string {
  if (text.includes('*')) return text
  const locus = [...GROUPED_LOCI].find(
    (candidate) => text.startsWith(candidate) && /^[-_:]?\d/.test(text.slice(candidate.length)),
  )
  return locus === undefined ? text : `${locus}*${text.slice(locus.length).replace(/^[-_:]/, '')}`
}
