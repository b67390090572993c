/** How loci, and which of two typings, are written in names of columns: the words, and the patterns made of them. Pure. */

/** Loci that column names are searched for; any other must be given with --locus. */
export const COLUMN_LOCI = [
  'A', 'B', 'C', 'DRA', 'DRB1', 'DRB3', 'DRB4', 'DRB5', 'DQA1', 'DQB1', 'DPA1', 'DPB1', 'E', 'F', 'G', 'H',
  'DMA', 'DMB', 'DOA', 'DOB', 'MICA', 'MICB',
] as const // prettier-ignore

/** Loci that a person may lack. */
export const DRB345: readonly string[] = ['DRB3', 'DRB4', 'DRB5']

/** Stands for the three that a person has at most two of, where one column is about all of them. */
export const DRB345_TITLE = 'DRB3/4/5'

/** Loci whose name is everybody's: a letter, or a date of birth. Numbers below it are something else. */
export const EVERYBODYS: ReadonlySet<string> = new Set(['E', 'F', 'G', 'H', 'DOB'])

/** Spellings of registries that report antigens, or leave the 1 away. */
export const ALIASES: Readonly<Record<string, string>> = {
  CW: 'C', DR: 'DRB1', DRB: 'DRB1', DQ: 'DQB1', DQB: 'DQB1', DQA: 'DQA1', DP: 'DPB1', DPB: 'DPB1', DPA: 'DPA1',
} // prettier-ignore

export interface Spelling {
  /** As a part of an expression. */
  readonly spelled: string
  readonly locus: string
  readonly length: number
  /** In capitals: stands in every name of that spelling. */
  readonly sign: string
}

/** What a name is made of besides its locus. */
interface Words {
  readonly between: string
  /** Before a number. */
  readonly space: string
  /** Between a locus and 1 or 2. */
  readonly word: string
  readonly slot: string
  readonly end: string
}

const USUAL_WORDS =
  'typ(?:e|ing)?|allel(?:e[ns]?|s)?|al|antigen[eo]?|ag|genotype|hap(?:lotype)?|h|chr(?:omosome)?|copy|result'
const MORE_WORDS =
  'all[èé]l(?:e[ns]?|s)?|alel(?:os?|a)?|merkmal|call|аллель|アレル|座|ローカス|等位基因|位点|대립유전자'
export const WORD = `(?:${USUAL_WORDS}|${MORE_WORDS})`
/** `DRB1_A1`: allele 1. */
const LETTER = 'a(?=0?[12]$)'
export const NUMBER = '(?:11|12|0?[12]|0)'
const USUAL_SLOT = `${NUMBER}|ii?|[ab]|first|second|1st|2nd|one|two|maternal|paternal`
/** In Dutch, French, German, Italian, Portuguese and Spanish. */
export const FIRST = 'eerste|premi(?:er|ère)|erste[rs]?|prim[oa]|primeir[oa]|primero?'
export const OTHER = 'tweede|deuxi[eè]me|zweite[rs]?|second[oa]|segund[oa]'

const USUAL: Words = {
  between: String.raw`[_. \-([#:*]*`,
  space: String.raw`[_. \-]*`,
  word: `(?:${USUAL_WORDS})`,
  slot: USUAL_SLOT,
  end: String.raw`[)\]]?`,
}
/** A pattern takes as long to compile as it has words: these are of names that have one of them. */
const OF_LANGUAGES: Words = {
  between: String.raw`[_. \-([\uff08#:*]*`,
  space: String.raw`[_. \-(\uff08]*`,
  word: WORD,
  slot: `${USUAL_SLOT}|${FIRST}|${OTHER}`,
  end: String.raw`[)\]\uff09]?`,
}
const HAS_MORE = new RegExp(`[^\\x00-\\x7f]|alel|merkmal|call|${FIRST}|${OTHER}`, 'i')
const DRB345_SPELLED = String.raw`DRB?(?:3[/_., -]?(?:DRB?)?4[/_., -]?(?:DRB?)?5|3-5|X)`

export const SPELLINGS: readonly Spelling[] = [
  ...COLUMN_LOCI.map((locus) => ({ spelled: locus, locus, length: locus.length, sign: locus })),
  ...Object.entries(ALIASES).map(([spelled, locus]) => ({
    spelled,
    locus,
    length: spelled.length,
    sign: spelled,
  })),
  { spelled: DRB345_SPELLED, locus: DRB345_TITLE, length: 6, sign: 'DR' },
].sort((a, b) => b.length - a.length)

/** Made when a name has the sign: most have that of two or three. */
function madeOnce(
  make: (spelled: string, words: Words) => string,
): (spelling: Spelling, name: string) => RegExp {
  const made = { usual: new Map<string, RegExp>(), languages: new Map<string, RegExp>() }
  return ({ spelled }, name) => {
    const hasMore = HAS_MORE.test(name)
    const patterns = hasMore ? made.languages : made.usual
    const pattern = patterns.get(spelled) ?? new RegExp(make(spelled, hasMore ? OF_LANGUAGES : USUAL), 'i')
    patterns.set(spelled, pattern)
    return pattern
  }
}

/** What stands behind the locus says which typing it is. */
export const slotBehind = madeOnce(
  (spelled, { between, word, space, slot, end }) =>
    String.raw`^(?:(.+)[_. -])??(?:HLA[_. -]?)?${spelled}(?:(${between})(${word}|${LETTER})?(${space})(${slot})?(?:[_. -]+${word})?${end})?$`,
)

/** What stands before it. */
export const slotBefore = madeOnce(
  (spelled, { word }) =>
    String.raw`^(?:(?:(.+)[_. -])?(?:(${word})([_. -]*)(${NUMBER}|ii?|[ab])|()()(first|second|1st|2nd))|()()()([12]))[_. -]+(?:HLA[_. -]?)?${spelled}[*]?$`,
)
