/** Values of table options. Separate from their implementation, which is loaded only when a table is read. */

/** Position of the results. */
export const INTO = ['after', 'replace', 'append', 'none'] as const
export const ON_ERROR = ['blank', 'keep', 'report', 'fail'] as const
export const SECOND_BLANK = ['blank', 'homozygous'] as const
export const SHAPES = ['wide', 'long', 'gl'] as const
export const ENCODINGS = ['auto', 'utf8', 'utf16', 'latin1'] as const
/** `mixed`: two digits are a first field, four and more an old name. `error`: each such cell is an error. */
export const DIGIT_READINGS = ['antigen', 'first-field', 'v2', 'mixed', 'error'] as const
/** Source of the sample name: the file name, its folder or one further up, or a column. */
/** When callers agree: more than half of them, or all. */
export const CONSENSUS = ['majority', 'all'] as const
export const SAMPLE_FROM = ['name', 'folder', 'folder:2', 'folder:3', 'column'] as const

/** Formats that yield typing records. */
export const RECORD_FORMAT_NAMES = [
  'hml', 'wmda', 'donor-json', 'long', 'transposed', 'gl', 'phlat', 'seq2hla', 'rna2hla', 'hla-la', 'hlapers', 'hla-hd', 't1k', 'kourami', 'lilac', 'pharmcat', 'polysolver', 'spechla',
  'hlaminer', 'hisat-genotype', 'hlaforest', 'arcashla', 'xhla',
  'hibag',
] as const // prettier-ignore

/** Values of `--input-format`: by content, a table, or a record format. */
export const INPUT_FORMATS = ['auto', 'table', ...RECORD_FORMAT_NAMES] as const

/**
 * Layouts of common file types. `gl-columns` and `wmda-lines` are the layouts `gl` and `wmda`, whose names are taken
 * by record formats.
 */
export const LAYOUT_FORMATS = [
  'pairs', 'gl-columns', 'wmda-lines', 'haplomat-mac', 'haplomat-glsc', 'haplomat-gls', 'pypop', 'hped', 'atlas', '1000g', 'glsc',
] as const // prettier-ignore

/** Meanings of a cell that is not a typing. */
export const TOKEN_KINDS = ['untyped', 'absent', 'unknown', 'new'] as const

/** Contents of a column in a long table; `loci` are the loci of the resulting table. */
export const LONG_PARTS = ['sample', 'locus', 'allele', 'scores', 'loci'] as const

export const OUTPUT_FORMAT_NAMES = [
  'pypop', 'arlequin', 'uniformat', 'haplomat', 'grimm', 'hped', 'fhir', 'hml', 'donors',
] as const // prettier-ignore

export const PROGRESS = ['auto', 'always', 'never', 'jsonl'] as const
