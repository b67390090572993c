/** Words that options of tables take, each list once; apart from what is done with them, which is loaded when a table is read. */

/** Where results stand. */
export const INTO = ['after', 'replace', 'append', 'none'] as const
export const ON_ERROR = ['blank', 'keep', 'report', 'fail'] as const
export const SECOND_BLANK = ['blank', 'homozygous'] as const
export const SHAPES = ['wide', 'long', 'gl'] as const
export const ENCODINGS = ['auto', 'utf8', 'utf16', 'latin1'] as const
/** `mixed`: two digits are a first field, four and more an old name. `error`: not decided, or not wanted; every such cell is an error. */
export const DIGIT_READINGS = ['antigen', 'first-field', 'v2', 'mixed', 'error'] as const
/** The name of the file; of its folder, or of one above that; as the rows say. */
export const SAMPLE_FROM = ['name', 'folder', 'folder:2', 'folder:3', 'column'] as const

/** Formats that yield typing records. */
export const RECORD_FORMAT_NAMES = [
  'hml', 'wmda', 'fhir', 'donor-json', 'long', 'transposed', 'gl', 'phlat', 'seq2hla', 'rna2hla', 'hla-la', 'hlapers', 'hla-hd', 't1k', 'polysolver', 'spechla',
  'hlaminer', 'hisat-genotype', 'hlaforest', 'arcashla', 'xhla',
  'hibag',
] as const // prettier-ignore

/** As they are asked for: by content, or the rows as they stand. */
export const INPUT_FORMATS = ['auto', 'table', ...RECORD_FORMAT_NAMES] as const

/** Shapes that files of the field have. `gl-columns` and `wmda-lines` are the layouts `gl` and `wmda`: formats of records have these names. */
export const LAYOUT_FORMATS = [
  'pairs', 'gl-columns', 'wmda-lines', 'haplomat-mac', 'haplomat-glsc', 'haplomat-gls', 'pypop', 'hped', 'atlas', '1000g', 'glsc',
] as const // prettier-ignore

/** What a word of a cell means that is no typing. */
export const TOKEN_KINDS = ['untyped', 'absent', 'unknown', 'new'] as const

/** What a column of a long table holds; `loci`: the loci of the table that is made of it. */
export const LONG_PARTS = ['sample', 'locus', 'allele', 'scores', 'loci'] as const

/** `same`: the document that was read, with its typings replaced. */
export const OUTPUT_FORMAT_NAMES = [
  'same', 'pypop', 'arlequin', 'uniformat', 'haplomat', 'grimm', 'hped', 'fhir',
] as const // prettier-ignore

export const PROGRESS = ['auto', 'always', 'never', 'jsonl'] as const
