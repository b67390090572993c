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
