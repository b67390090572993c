/** Names of loci in headers, rows and typings: `A1`, `A_1`, `HLA-A 1`, `DRB11`, `r_a_typ1`, `donor.DQB1.b`, `first_A`, `DRB345_1`. Pure. */

export interface LocusHeader {
  /** What stands before the locus: `r`; empty for nothing. */
  readonly subject: string
  /** `DRB3/4/5`: one of the three, which each cell names. */
  readonly locus: string
  /** Which of the two typings, or which when they are counted from 0; undefined: the column's name does not say. */
  readonly slot: 0 | 1 | 2 | undefined
  /** Columns of one pair agree in it. */
  readonly style: string
  readonly hasSeparator: boolean
  /** Letters of the locus as spelled: the longer, the surer. */
  readonly length: number
  /** `HLA` stands in it, or three letters of a locus at least: it means nothing else. */
  readonly isSure: boolean
}

/** Loci that column names are searched for; any other must be given with --locus. */
export const COLUMN_LOCI = [
  'A', 'B', 'C', 'DRA', 'DRB1', 'DRB3', 'DRB4', 'DRB5', 'DQA1', 'DQB1', 'DPA1', 'DPB1', 'E', 'F', 'G', 'H',
  'DMA', 'DMB', 'DOA', 'DOB', 'MICA', 'MICB',
] as const // prettier-ignore

/** Loci that a person may lack. */
export const DRB345: readonly string[] = ['DRB3', 'DRB4', 'DRB5']

/** Stands for the three that a person has at most two of, where one column is about all of them. */
export const DRB345_TITLE = 'DRB3/4/5'

/** Spellings of registries that report antigens, or leave the 1 away. */
export const ALIASES: Readonly<Record<string, string>> = {
  CW: 'C', DR: 'DRB1', DRB: 'DRB1', DQ: 'DQB1', DQB: 'DQB1', DQA: 'DQA1', DP: 'DPB1', DPB: 'DPB1', DPA: 'DPA1',
} // prettier-ignore

interface Spelling {
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
const NUMBER = '(?:11|12|0?[12]|0)'
const USUAL_SLOT = `${NUMBER}|ii?|[ab]|first|second|1st|2nd|one|two|maternal|paternal`
/** In Dutch, French, German, Italian, Portuguese and Spanish. */
const FIRST = 'eerste|premi(?:er|ère)|erste[rs]?|prim[oa]|primeir[oa]|primero?'
const OTHER = 'tweede|deuxi[eè]me|zweite[rs]?|second[oa]|segund[oa]'

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

const SPELLINGS: readonly Spelling[] = [
  ...COLUMN_LOCI.map((locus) => ({ spelled: locus, locus, length: locus.length, sign: locus })),
  ...Object.entries(ALIASES).map(([spelled, locus]) => ({
    spelled,
    locus,
    length: spelled.length,
    sign: spelled,
  })),
  { spelled: DRB345_SPELLED, locus: DRB345_TITLE, length: 6, sign: 'DR' },
].sort((a, b) => b.length - a.length)

let lastName = ''
let lastHasMore = false

/** Asked for each spelling of a locus that the name may have. */
function hasMoreWords(name: string): boolean {
  if (name !== lastName) {
    lastName = name
    lastHasMore = HAS_MORE.test(name)
  }
  return lastHasMore
}

/** Made when a name has the sign: most have that of two or three. */
function madeOnce(
  make: (spelled: string, words: Words) => string,
): (spelling: Spelling, name: string) => RegExp {
  const made = { usual: new Map<string, RegExp>(), languages: new Map<string, RegExp>() }
  return ({ spelled }, name) => {
    const hasMore = hasMoreWords(name)
    const patterns = hasMore ? made.languages : made.usual
    const pattern = patterns.get(spelled) ?? new RegExp(make(spelled, hasMore ? OF_LANGUAGES : USUAL), 'i')
    patterns.set(spelled, pattern)
    return pattern
  }
}

/** What stands behind the locus says which typing it is. */
const slotBehind = madeOnce(
  (spelled, { between, word, space, slot, end }) =>
    String.raw`^(?:(.+)[_. -])??(?:HLA[_. -]?)?${spelled}(?:(${between})(${word}|${LETTER})?(${space})(${slot})?(?:[_. -]+${word})?${end})?$`,
)

/** What stands before it. */
const slotBefore = madeOnce(
  (spelled, { word }) =>
    String.raw`^(?:(?:(.+)[_. -])?(?:(${word})([_. -]*)(${NUMBER}|ii?|[ab])|()()(first|second|1st|2nd))|()()()([12]))[_. -]+(?:HLA[_. -]?)?${spelled}[*]?$`,
)

/** Every way to read a column's name, the longest locus first. */
export function readLocusHeader(name: string): readonly LocusHeader[] {
  // what is longer is a cell that lost its line end
  if (name.length > LONGEST_HEADER) return []
  const before = known.get(name)
  if (before !== undefined) return before
  const trimmed = name.trim()
  const capitals = trimmed.toUpperCase()
  const read = SPELLINGS.flatMap((spelling) =>
    standsApart(capitals, spelling)
      ? (readCounted(spelling, trimmed, capitals) ?? readAs(spelling, trimmed))
      : [],
  )
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, read)
  return read
}

/** A header is read several times: for its shape, its pairs, and what is left of it. */
const known = new Map<string, readonly LocusHeader[]>()
const MOST_KNOWN = 1000

/** It stands at the beginning, behind a separator or behind `HLA`: most names need no pattern of most spellings. */
function standsApart(capitals: string, { sign }: Spelling): boolean {
  for (let at = capitals.indexOf(sign); at >= 0; at = capitals.indexOf(sign, at + 1))
    if (at === 0 || '_. -'.includes(capitals[at - 1] ?? '') || capitals.endsWith('HLA', at)) return true
  return false
}

/** Of a column's name. */
export const LONGEST_HEADER = 200

function readAs(spelling: Spelling, name: string): LocusHeader[] {
  const { locus, length } = spelling
  const [matched, before = '', separator = '', word = '', space = '', slot] =
    slotBehind(spelling, name).exec(name) ?? []
  if (matched === undefined) return []
  if (separator === '' && word.toLowerCase() === 'a') return []
  // letters need something before them: "Ca" is not a second C
  const isApart = separator !== '' || word !== ''
  if (slot !== undefined && !isApart && !/^\d+$/.test(slot) && (length < 4 || !/^[ab]$/i.test(slot)))
    return []
  return [
    {
      subject: withoutWords(before),
      locus,
      length,
      ...readSlot(slot),
      style: `${length}${separator}${word.toLowerCase()}${space}${slotForm(slot)}`,
      hasSeparator: separator !== '',
      isSure: isSure(name, length),
    },
  ]
}

/** `Allele1_A`, `first_A`, `1_A`. */
function readCounted(spelling: Spelling, name: string, capitals: string): LocusHeader[] | undefined {
  const { locus, length, sign } = spelling
  if (locus !== DRB345_TITLE && !capitals.endsWith(sign) && !capitals.endsWith(`${sign}*`)) return undefined
  const found = slotBefore(spelling, name).exec(name)
  if (found === null) return undefined
  const [, before = '', word = '', space = ''] = found
  const slot = found[4] ?? found[7] ?? found[11]
  return [
    {
      subject: withoutWords(before),
      locus,
      length,
      ...readSlot(slot),
      style: `${length} before ${word.toLowerCase()}${space}${slotForm(slot)}`,
      hasSeparator: true,
      isSure: isSure(name, length),
    },
  ]
}

function isSure(name: string, length: number): boolean {
  return length > 2 || /(?:^|[_. -])HLA/i.test(name)
}

/** `HLA`, and what every column of a table may begin with, is nobody. */
function withoutWords(before: string): string {
  return before.replace(/(?:^|[_. -])HLA$/i, '').replace(/^(?:HLA|locus|gene|typing)$/i, '')
}

const SECOND = new RegExp(`^(?:12|0?2|ii|b|second|2nd|two|paternal|${OTHER})$`, 'i')

function readSlot(slot: string | undefined): Pick<LocusHeader, 'slot'> {
  if (slot === undefined) return { slot: undefined }
  return { slot: slot === '0' ? 0 : SECOND.test(slot) ? 2 : 1 }
}

const ORDINAL = new RegExp(`^(?:${FIRST}|${OTHER})$`, 'i')

/** The same for both typings of a pair. */
function slotForm(slot: string | undefined): string {
  if (slot === undefined) return ''
  if (/^\d\d$/.test(slot)) return slot.startsWith('0') ? '01' : '11'
  if (/^\d$/.test(slot)) return '1'
  const letters = slot.toLowerCase()
  if (letters.endsWith('ternal')) return 'parent'
  if (ORDINAL.test(letters)) return 'first'
  return ['a', 'b'].includes(letters) ? 'a' : letters.startsWith('i') ? 'i' : /^\d/.test(letters) ? '1st' : letters.startsWith('o') || letters === 'two' ? 'one' : 'first' // prettier-ignore
}

export interface NamedLocus {
  readonly locus: string
  readonly slot: 1 | 2 | undefined
}

/** undefined: it names none. */
export function readLocusName(text: string, isLocus: (name: string) => boolean): NamedLocus | undefined {
  const name = text.trim()
  const bare = name.replace(/^HLA[_. -]?/i, '').toUpperCase()
  if (isLocus(bare)) return { locus: bare, slot: undefined }
  const [read] = readLocusHeader(name)
  // which of the three it is each typing names
  if (read === undefined || read.subject !== '' || read.locus === DRB345_TITLE) return undefined
  // counted from 0, 1 is the second: the order of the rows says as much
  return { locus: read.locus, slot: read.slot === 0 ? undefined : read.slot }
}

const PREFIX = /^(?:HLA-)?([A-Z][A-Z0-9]*)\*/

/** Of `DRB4*01:03`; undefined: it does not say. */
export function locusInTyping(typing: string): string | undefined {
  return PREFIX.exec(typing)?.[1]
}
