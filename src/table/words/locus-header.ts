/** Names of loci in headers, rows and typings: `A1`, `A_1`, `HLA-A 1`, `DRB11`, `r_a_typ1`, `donor.DQB1.b`, `first_A`, `DRB345_1`. Pure. */
import { groupBy } from './group-by.ts'
import { HEADER_WORDS, plainName, wordPattern, slotWords, listWords } from './header-words.ts'

/** Loci searched for in column names; others require --locus. */
export const COLUMN_LOCI: readonly string[] = [
  ...new Set(HEADER_WORDS.flatMap(({ kind, meaning }) => (kind === 'locus' ? [meaning] : []))),
]

/** Loci that a person may lack. */
export const DRB345: readonly string[] = ['DRB3', 'DRB4', 'DRB5']

/** Locus of a column shared by the three genes, of which a person has at most two. */
export const DRB345_TITLE = 'DRB3/4/5'

/** Loci with ambiguous names: a letter, or a date of birth. Numbers in such a column are not typings. */
export const AMBIGUOUS_LOCI: ReadonlySet<string> = new Set(['E', 'F', 'G', 'H', 'DOB'])

/** Spellings of loci by their first letter. */
const SPELLINGS = groupBy(
  [
    ...HEADER_WORDS.flatMap(({ kind, meaning, words }) =>
      kind === 'locus' ? words.map((word) => [word, meaning] as const) : [],
    ),
    ['DRB345', DRB345_TITLE] as const,
  ],
  ([spelled]) => spelled.charAt(0),
)

const DRB345_SPELLED = /DRB?(?:3[/_., -]?(?:DRB?)?4[/_., -]?(?:DRB?)?5|3-5|X)/i

/** Word between a locus and 1 or 2. */
const WORD = wordPattern(listWords('typing'))
/** `DRB1_A1`: allele 1. */
const LETTER = 'a(?=0?[12]$)'
/** Typings may be numbered from 0. */
const NUMBER = wordPattern([...listWords('slot', '1'), '0'])
const SLOT = wordPattern([...listWords('slot'), '0'])
const FIRST = wordPattern(listWords('slot', 'first'))

/** Behind the locus: `_allele_1`, `(2)`. */
const BEHIND = new RegExp(
  String.raw`^([_. \-([\uff08#:*/]*)(${WORD}|${LETTER})?([_. \-(\uff08]*)(${SLOT})?(?:[_. -]+${WORD})?[)\]\uff09]?$`,
  'i',
)
/** Before the locus: `donor_Allele1_`, `first_`, `1_`. */
const BEFORE = new RegExp(
  String.raw`^(?:(?:(.+)[_. -])?(?:(${WORD})([_. -]*)(${NUMBER})|(${FIRST}))|(${NUMBER}))[_. -]+(?:HLA[_. -]?)?$`,
  'i',
)
/** Before the locus, where the number is behind it: `donor_HLA-`. */
const PERSON = /^(?:(.*)[_. -])??(?:HLA[_. -]?)?$/i

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
  // a longer text is a cell that lost its line end; thousands of columns without a name are not searched
  if (name.length > MAX_HEADER_LENGTH || !/[a-z]/i.test(name)) return []
  const trimmed = name.trim()
  // `DRB1*DRB11`, as HLA-TAPAS writes
  const single = trimmed.includes('*') ? trimmed.replace(/^(\w+)\*(?=\1\d*$)/, '') : trimmed
  const text = /[5x]/i.test(single) ? single.replace(DRB345_SPELLED, 'DRB345') : single
  const capitals = text.toUpperCase()
  const found = new Map<string, LocusHeader>()
  for (const at of locusStarts(capitals))
    for (const [spelled, locus] of SPELLINGS.get(capitals.charAt(at)) ?? []) {
      const isNew = capitals.startsWith(spelled, at) && !found.has(spelled)
      const read = isNew ? readAt(text, at, spelled, locus) : undefined
      if (read !== undefined) found.set(spelled, read)
    }
  return [...found.values()].sort((a, b) => b.length - a.length)
}

function readAt(text: string, at: number, spelled: string, locus: string): LocusHeader | undefined {
  const { length } = spelled
  const [before, behind] = [text.slice(0, at), text.slice(at + length)]
  const [matched, separator = '', word = '', space = '', slot] = BEHIND.exec(behind) ?? []
  if (matched === undefined) return undefined
  const make = (person: string, rest: Pick<LocusHeader, 'style' | 'hasSeparator'>, which: string | undefined) => ({
    subject: withoutWords(person), locus, length, ...readSlot(which), ...rest, isSure: isSure(text, length, which),
  }) // prettier-ignore
  const counted = before !== '' && (behind === '' || behind === '*') ? BEFORE.exec(before) : null
  if (counted !== null) {
    const [, person = '', own = '', between = ''] = counted
    const which = counted[4] ?? counted[5] ?? counted[6]
    return make(person, { style: `${length} before ${own.toLowerCase()}${between}${slotForm(which)}`, hasSeparator: true }, which) // prettier-ignore
  }
  const person = PERSON.exec(before)
  if (person === null || (separator === '' && word.toLowerCase() === 'a')) return undefined
  // letters need a separator
  if (slot !== undefined && separator === '' && word === '' && !/^\d+$/.test(slot)) return undefined
  return make(person[1] ?? '', { style: `${length}${separator}${word.toLowerCase()}${space}${slotForm(slot)}`, hasSeparator: separator !== '' }, slot) // prettier-ignore
}

/** True for a name of a typing column: `A_1`, `"DRB1"`. */
export function isColumnLocus(name: string): boolean {
  return readLocusHeader(plainName(name.replace(/^"|"$/g, ''))).length > 0
}

/** Offsets where a locus may begin: at the start, after a separator, after `HLA`. */
function locusStarts(capitals: string): number[] {
  const starts = [0]
  for (let at = 1; at < capitals.length; at += 1)
    if ('_. -'.includes(capitals.charAt(at - 1)) || capitals.endsWith('HLA', at)) starts.push(at)
  return starts
}

/** Maximum characters of a column's name. */
export const MAX_HEADER_LENGTH = 200

function isSure(name: string, length: number, slot: string | undefined): boolean {
  return (length > 2 && (slot !== undefined || !/DOB\W*$/i.test(name))) || /(?:^|[_. -])HLA/i.test(name)
}

/** Removes `HLA` and generic words, which are not subjects. */
function withoutWords(before: string): string {
  if (before === '') return ''
  return before.replace(/(?:^|[_. -])HLA$/i, '').replace(/^(?:HLA|locus|gene|typing)$/i, '')
}

const SECONDS: ReadonlySet<string> = new Set(slotWords(2))

function readSlot(slot: string | undefined): Pick<LocusHeader, 'slot'> {
  if (slot === undefined) return { slot: undefined }
  return { slot: slot === '0' ? 0 : SECONDS.has(slot.toLowerCase()) ? 2 : 1 }
}

/** Equal for both typings of a pair. */
function slotForm(slot: string | undefined): string {
  return slot === undefined ? '' : /\d/.test(slot) ? '1' : 'first'
}

/** Likely meaning of a name that `readLocusHeader` does not read, or not for this column. */
export interface GuessedName {
  readonly locus: string | undefined
  /** Person: `D`, or the one word that is left; may be empty. */
  readonly subject: string
  /** True for a locus with a number, `HLA` before it, or three letters. */
  readonly isLikely: boolean
  /** First word, if it is a locus: columns that share it confirm each other. */
  readonly lead: string | undefined
}

/** `A1_donor`, `Patient HLA-DRB1 typing`, `donorDQB11`, `A HR 1`, `A_maternal`, `DA1`. */
export function guessName(name: string): GuessedName {
  const [, person, gene] = OF_PERSON.exec(name) ?? []
  const words = (gene === undefined ? splitWords(name) : [gene]).map((word, at, all) => {
    const [read = readLocusHeader(GENE.exec(word)?.[0] ?? '')[0]] = readLocusHeader(word)
    const isLikely = read !== undefined && (read.isSure || read.slot !== undefined || /^hla$/i.test(all[at - 1] ?? ''))
    return { word, locus: read?.locus, isLikely, isWhole: LOCUS_WORDS.has(word) }
  }) // prettier-ignore
  const likely = words.find(({ isLikely }) => isLikely)
  const whole = words.filter(({ isWhole }) => isWhole)
  const isOne = new Set(whole.map(({ locus }) => locus)).size === 1
  const first = words.find(({ word }) => !/^hla$/i.test(word))
  // `x` and `y` are the tables of pandas' merge
  const rest = words.filter(({ word, locus }) => locus === undefined && !/^(?:\d+|hla|[a-wz])$/i.test(word))
  return {
    locus: (isOne ? whole[0] : likely)?.locus,
    subject: person ?? (rest.length === 1 ? (rest[0]?.word ?? '').replace(/\d$/, '') : ''),
    isLikely: likely !== undefined && person === undefined,
    lead: first?.isWhole === true ? `${person ?? ''}${first.word}` : undefined,
  }
}

/** `DA1`, `RDR2`: typings of a donor and a recipient, as the US registry names them. */
const OF_PERSON = /^([DR])(A|B|C|CW|DR|DQ|DP|D[PQR][AB]1)[12]$/

/** `DRB1` of `DRB111`, `DRB345` of `DRB345a` */
const GENE = /^D[PQR][AB](?:345|\d(?=\d))/i

const LOCUS_WORDS: ReadonlySet<string> = new Set([...listWords('locus'), 'Cw'])

function splitWords(name: string): string[] {
  if (name.length > MAX_HEADER_LENGTH) return []
  const words = name.replace(/([a-z])(?=[A-Z])/g, '$1 ').split(/[^A-Za-z0-9*]+/)
  return words.filter((word) => word !== '')
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
