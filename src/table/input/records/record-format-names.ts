/** Names of the formats that yield typing records; apart from the formats, which are loaded when a file is read. */

export const RECORD_FORMAT_NAMES = [
  'hml', 'wmda', 'fhir', 'donor-json', 'long', 'transposed', 'gl', 'phlat', 'seq2hla', 'rna2hla', 'hla-la', 'hlapers', 'hla-hd', 't1k', 'polysolver', 'spechla',
  'hlaminer', 'hisat-genotype', 'hlaforest', 'arcashla', 'xhla',
  'hibag',
] as const // prettier-ignore

export type RecordFormatName = (typeof RECORD_FORMAT_NAMES)[number]

/** As they are asked for: by content, or the rows as they stand. */
export const INPUT_FORMATS = ['auto', 'table', ...RECORD_FORMAT_NAMES] as const
