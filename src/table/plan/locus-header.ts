/** Names of loci in headers, rows and typings: `A1`, `A_1`, `HLA-A 1`, `DRB11`, `r_a_typ1`, `donor.DQB1.b`, `first_A`, `DRB345_1`. Pure. */
import { plainName } from './header.ts'
import { HEADER_WORDS, wordPattern, slotWords, listWords } from './header-words.ts'

/** Loci searched for in column names; others require --locus. */
export const COLUMN_LOCI: readonly string[] = HEADER_WORDS.flatMap(({ kind, meaning }) =>
  kind === 'locus' ? [meaning] : [],
)

/** Loci that a person may lack. */
export const DRB345: readonly string[] = ['DRB3', 'DRB4', 'DRB5']

/** Locus of a column shared by the three genes, of which a person has at most two. */
export const DRB345_TITLE = 'DRB3/4/5'

/** Loci with ambiguous names: a letter, or a date of birth. Numbers in such a column are not typings. */
export const AMBIGUOUS_LOCI: ReadonlySet<string> = new Set(['E', 'F', 'G', 'H', 'DOB'])

interface Spelling {
  /** As part of a regular expression. */
  readonly spelled: string
  readonly locus: string
  readonly length: number
  /** Capital letters that occur in every name of that spelling. */
  readonly sign: string
}

/** Word between a locus and 1 or 2. */
export const WORD = wordPattern(listWords('typing'))
/** `DRB1_A1`: allele 1. */
const LETTER = 'a(?=0?[12]$)'
/** Typings may be numbered from 0. */
const NUMBER = wordPattern([...listWords('slot', '1'), '0'])

const BETWEEN = String.raw`[_. \-([\uff08#:*/]*`
const SPACE = String.raw`[_. \-(\uff08]*`
const SLOT = wordPattern([...listWords('slot'), '0'])
const END = String.raw`[)\]\uff09]?`
const DRB345_SPELLED = String.raw`DRB?(?:3[/_., -]?(?:DRB?)?4[/_., -]?(?:DRB?)?5|3-5|X)`

const LOCUS_OF = new Map(
  HEADER_WORDS.flatMap(({ kind, meaning, words }) =>
    kind === 'locus' ? words.map((word) => [word, meaning] as const) : [],
  ),
)

const SPELLINGS: readonly Spelling[] = [
  ...[...LOCUS_OF].map(([spelled, locus]) => ({ spelled, locus, length: spelled.length, sign: spelled })),
  { spelled: DRB345_SPELLED, locus: DRB345_TITLE, length: 6, sign: 'DR' },
].sort((a, b) => b.length - a.length)

/** Compiles a pattern on first use: names match the signs of two or three spellings. */
function madeOnce(make: (spelled: string) => string): (spelling: Spelling) => RegExp {
  const made = new Map<string, RegExp>()
  return ({ spelled }) => {
    const pattern = made.get(spelled) ?? new RegExp(make(spelled), 'i')
    made.set(spelled, pattern)
    return pattern
  }
}

/** The slot follows the locus. */
const slotBehind = madeOnce(
  (spelled) =>
    String.raw`^(?:(.+)[_. -])??(?:HLA[_. -]?)?${spelled}(?:(${BETWEEN})(${WORD}|${LETTER})?(${SPACE})(${SLOT})?(?:[_. -]+${WORD})?${END})?$`,
)

/** The slot precedes the locus. */
const slotBefore = madeOnce(
  (spelled) =>
    String.raw`^(?:(?:(.+)[_. -])?(?:(${WORD})([_. -]*)(${NUMBER})|()()(${wordPattern(listWords('slot', 'first'))}))|()()()(${wordPattern(listWords('slot', '1'))}))[_. -]+(?:HLA[_. -]?)?${spelled}[*]?$`,
)

export interface LocusHeader {
  /** Text before the locus: `r`; may be empty. */
  readonly subject: string
  /** `DRB3/4/5`: one of the three, named by each cell. */
  readonly locus: string
  /** Which of the two typings, numbered from 1 or 0; undefined when the name has no number. */
  readonly slot: 0 | 1 | 2 | undefined
  /** Equal for the two columns of a pair. */
  readonly style: string
  readonly hasSeparator: boolean
  /** Number of letters in the spelled locus; longer is surer. */
  readonly length: number
  /**
   * True for a name with `HLA`, or three or more letters of a locus, which has no other meaning. `DOB` alone is a date
   * of birth.
   */
  readonly isSure: boolean
}

/** All readings of a column's name, longest locus first. */
export function readLocusHeader(name: string): readonly LocusHeader[] {
  // a longer text is a cell that lost its line end
  if (name.length > MAX_HEADER_LENGTH) return []
  const trimmed = name.trim()
  const capitals = trimmed.toUpperCase()
  const starts = locusStarts(capitals)
  return SPELLINGS.filter(({ sign }) => starts.some((at) => capitals.startsWith(sign, at))).flatMap(
    (spelling) =>
      readUsual(spelling, trimmed, capitals) ??
      readCounted(spelling, trimmed, capitals) ??
      readAs(spelling, trimmed),
  )
}

/** True for a name of a typing column: `A_1`, `"DRB1"`. */
export function isColumnLocus(name: string): boolean {
  return readLocusHeader(plainName(name.replace(/^"|"$/g, ''))).length > 0
}

/** Offsets where a locus may begin: at the start, after a separator, after `HLA`. Most names thus need few patterns. */
function locusStarts(capitals: string): number[] {
  const starts = [0]
  for (let at = 1; at < capitals.length; at += 1)
    if (SEPARATORS.has(capitals[at - 1] ?? '') || capitals.endsWith('HLA', at)) starts.push(at)
  return starts
}

const SEPARATORS: ReadonlySet<string> = new Set('_. -')

/** Maximum characters of a column's name. */
export const MAX_HEADER_LENGTH = 200

/** Reads `A_1`, `HLA-DRB1 2`, `C` like `readAs`, whose patterns take long to compile; undefined for other names. */
function readUsual(
  { locus, length, sign, spelled }: Spelling,
  name: string,
  capitals: string,
): LocusHeader[] | undefined {
  const at = capitals.indexOf(sign)
  if (spelled !== sign || capitals.lastIndexOf(sign) !== at || !BEFORE.test(capitals.slice(0, at)))
    return undefined
  const rest = capitals.slice(at + sign.length)
  if (OF_ANOTHER.test(rest)) return []
  const [matched, separator = '', slot] = BEHIND.exec(rest) ?? []
  if (matched === undefined) return undefined
  const style = `${length}${separator}${slotForm(slot)}`
  const hasSeparator = separator !== ''
  return [
    {
      subject: '',
      locus,
      length,
      ...readSlot(slot),
      style,
      hasSeparator,
      isSure: isSure(name, length, slot),
    },
  ]
}

const BEFORE = /^(?:HLA[_. -]?)?$/
const BEHIND = new RegExp(`^([_. -]*)(${NUMBER})?$`)
/** Rest after `DR`, or `DRB`, in `DRB1_2`, which belongs to another locus. */
const OF_ANOTHER = /^(?:[AB]\d|\d+[_. -]+\d+$)/

function readAs(spelling: Spelling, name: string): LocusHeader[] {
  const { locus, length } = spelling
  const [matched, before = '', separator = '', word = '', space = '', slot] =
    slotBehind(spelling).exec(name) ?? []
  if (matched === undefined) return []
  if (separator === '' && word.toLowerCase() === 'a') return []
  // letters need a separator: "Ca" is not a second C
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
      isSure: isSure(name, length, slot),
    },
  ]
}

/** `Allele1_A`, `first_A`, `1_A`. */
function readCounted(spelling: Spelling, name: string, capitals: string): LocusHeader[] | undefined {
  const { locus, length, sign } = spelling
  if (locus !== DRB345_TITLE && !capitals.endsWith(sign) && !capitals.endsWith(`${sign}*`)) return undefined
  const found = slotBefore(spelling).exec(name)
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
      isSure: isSure(name, length, slot),
    },
  ]
}

function isSure(name: string, length: number, slot: string | undefined): boolean {
  return (length > 2 && (slot !== undefined || !/DOB\W*$/i.test(name))) || /(?:^|[_. -])HLA/i.test(name)
}

/** Removes `HLA` and generic words, which are not subjects. */
function withoutWords(before: string): string {
  return before.replace(/(?:^|[_. -])HLA$/i, '').replace(/^(?:HLA|locus|gene|typing)$/i, '')
}

const SECONDS: ReadonlySet<string> = new Set(slotWords(2))

function readSlot(slot: string | undefined): Pick<LocusHeader, 'slot'> {
  if (slot === undefined) return { slot: undefined }
  return { slot: slot === '0' ? 0 : SECONDS.has(slot.toLowerCase()) ? 2 : 1 }
}

const SLOT_FORMS: ReadonlyMap<string, string> = new Map(
  HEADER_WORDS.flatMap(({ kind, meaning, words }) =>
    kind === 'slot' ? words.map((word) => [word, meaning] as const) : [],
  ),
)

/** Equal for both typings of a pair. */
function slotForm(slot: string | undefined): string {
  return slot === undefined ? '' : (SLOT_FORMS.get(slot.toLowerCase()) ?? '1')
}

export interface NamedLocus {
  readonly locus: string
  readonly slot: 1 | 2 | undefined
}

/** undefined when it names no locus. */
export function readLocusName(text: string, isLocus: (name: string) => boolean): NamedLocus | undefined {
  const name = text.trim()
  const bare = name.replace(/^HLA[_. -]?/i, '').toUpperCase()
  if (isLocus(bare)) return { locus: bare, slot: undefined }
  const [read] = readLocusHeader(name)
  // in a column of DRB3/4/5 each typing names its own locus
  if (read === undefined || read.subject !== '' || read.locus === DRB345_TITLE) return undefined
  // numbered from 0, 1 is the second; the order of the rows decides
  return { locus: read.locus, slot: read.slot === 0 ? undefined : read.slot }
}

const PREFIX = /^(?:HLA-)?([A-Z][A-Z0-9]*)\*/

/** Locus of a typing such as `DRB4*01:03`; undefined when it has none. */
export function locusInTyping(typing: string): string | undefined {
  return PREFIX.exec(typing)?.[1]
}
