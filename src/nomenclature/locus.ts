/** Loci: which of them the published group files cover. */

/** Loci that have G and P groups (the same list for every release). */
export const GROUPED_LOCI: ReadonlySet<string> = new Set([
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
