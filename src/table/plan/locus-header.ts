/** Names of loci in headers, rows and typings: `A1`, `A_1`, `HLA-A 1`, `DRB11`, `r_a_typ1`, `donor.DQB1.b`, `first_A`, `DRB345_1`. Pure. */
import { plainName } from './header.ts'
import { HEADER_WORDS, slotWords } from './header-words.ts'
import { DRB345_TITLE, NUMBER, slotBefore, slotBehind, type Spelling, SPELLINGS } from './locus-spellings.ts'

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
  /** `HLA` stands in it, or three letters of a locus at least: it means nothing else. `DOB` alone is a date of birth. */
  readonly isSure: boolean
}

/** Every way to read a column's name, the longest locus first. */
export function readLocusHeader(name: string): readonly LocusHeader[] {
  // what is longer is a cell that lost its line end
  if (name.length > LONGEST_HEADER) return []
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

/** Whether a column may be called so: `A_1`, `"DRB1"`. */
export function isColumnLocus(name: string): boolean {
  return readLocusHeader(plainName(name.replace(/^"|"$/g, ''))).length > 0
}

/** Where a locus may begin: at the start, behind a separator, behind `HLA`. Most names need no pattern of most spellings. */
function locusStarts(capitals: string): number[] {
  const starts = [0]
  for (let at = 1; at < capitals.length; at += 1)
    if (SEPARATORS.has(capitals[at - 1] ?? '') || capitals.endsWith('HLA', at)) starts.push(at)
  return starts
}

const SEPARATORS: ReadonlySet<string> = new Set('_. -')

/** Of a column's name. */
export const LONGEST_HEADER = 200

/** `A_1`, `HLA-DRB1 2`, `C`: as `readAs` does, whose patterns take a while to compile. undefined: it is no such name. */
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
/** Behind `DR`, and behind `DRB`, in `DRB1_2`. */
const OF_ANOTHER = /^(?:[AB]\d|\d+[_. -]+\d+$)/

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
      isSure: isSure(name, length, slot),
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
      isSure: isSure(name, length, slot),
    },
  ]
}

function isSure(name: string, length: number, slot: string | undefined): boolean {
  return (length > 2 && (slot !== undefined || !/DOB\W*$/i.test(name))) || /(?:^|[_. -])HLA/i.test(name)
}

/** `HLA`, and what every column of a table may begin with, is nobody. */
function withoutWords(before: string): string {
  return before.replace(/(?:^|[_. -])HLA$/i, '').replace(/^(?:HLA|locus|gene|typing)$/i, '')
}

const SECONDS: ReadonlySet<string> = new Set([...slotWords('slot', 2), ...slotWords('slot_of_languages', 2)])

function readSlot(slot: string | undefined): Pick<LocusHeader, 'slot'> {
  if (slot === undefined) return { slot: undefined }
  return { slot: slot === '0' ? 0 : SECONDS.has(slot.toLowerCase()) ? 2 : 1 }
}

const SLOT_FORMS: ReadonlyMap<string, string> = new Map(
  HEADER_WORDS.flatMap(({ kind, meaning, words }) =>
    kind === 'slot' || kind === 'slot_of_languages' ? words.map((word) => [word, meaning] as const) : [],
  ),
)

/** The same for both typings of a pair. */
function slotForm(slot: string | undefined): string {
  return slot === undefined ? '' : (SLOT_FORMS.get(slot.toLowerCase()) ?? '1')
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
