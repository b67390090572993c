/** How loci, and which of two typings, are written in names of columns: the words, and the patterns made of them. Pure. */
import { anyOf, HEADER_WORDS, wordsOf } from './header-words.ts'
/** Loci that column names are searched for; any other must be given with --locus. */
export const COLUMN_LOCI: readonly string[] = HEADER_WORDS.flatMap(({ kind, meaning }) =>
  kind === 'locus' ? [meaning] : [],
)

/** Loci that a person may lack. */
export const DRB345: readonly string[] = ['DRB3', 'DRB4', 'DRB5']

/** Stands for the three that a person has at most two of, where one column is about all of them. */
export const DRB345_TITLE = 'DRB3/4/5'

/** Loci whose name is everybody's: a letter, or a date of birth. Numbers below it are something else. */
export const EVERYBODYS: ReadonlySet<string> = new Set(['E', 'F', 'G', 'H', 'DOB'])

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

const USUAL_WORD = anyOf(wordsOf('typing'))
export const WORD = anyOf([...wordsOf('typing'), ...wordsOf('typing_of_languages')])
/** `DRB1_A1`: allele 1. */
const LETTER = 'a(?=0?[12]$)'
/** Typings may be counted from 0. */
export const NUMBER = anyOf([...wordsOf('slot', '1', '01', '11'), '0'])
const COUNTED = anyOf([...wordsOf('slot', '1', '01', '11', 'i', 'a'), '0'])
const USUAL_SLOT = anyOf([...wordsOf('slot'), '0'])
const OF_LANGUAGES_ALONE = [...wordsOf('typing_of_languages'), ...wordsOf('slot_of_languages')]

const USUAL: Words = {
  between: String.raw`[_. \-([#:*/]*`,
  space: String.raw`[_. \-]*`,
  word: USUAL_WORD,
  slot: USUAL_SLOT,
  end: String.raw`[)\]]?`,
}
/** A pattern takes as long to compile as it has words: these are of names that have one of them. */
const OF_LANGUAGES: Words = {
  between: String.raw`[_. \-([\uff08#:*/]*`,
  space: String.raw`[_. \-(\uff08]*`,
  word: WORD,
  slot: anyOf([...wordsOf('slot'), ...wordsOf('slot_of_languages'), '0']),
  end: String.raw`[)\]\uff09]?`,
}
const HAS_MORE = new RegExp(`[^\\x00-\\x7f]|${anyOf(OF_LANGUAGES_ALONE)}`, 'i')
const DRB345_SPELLED = String.raw`DRB?(?:3[/_., -]?(?:DRB?)?4[/_., -]?(?:DRB?)?5|3-5|X)`

const LOCUS_OF = new Map(
  HEADER_WORDS.flatMap(({ kind, meaning, words }) =>
    kind === 'locus' ? words.map((word) => [word, meaning] as const) : [],
  ),
)

export const SPELLINGS: readonly Spelling[] = [
  ...[...LOCUS_OF].map(([spelled, locus]) => ({ spelled, locus, length: spelled.length, sign: spelled })),
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
    String.raw`^(?:(?:(.+)[_. -])?(?:(${word})([_. -]*)(${COUNTED})|()()(${anyOf(wordsOf('slot', 'first', '1st'))}))|()()()(${anyOf(wordsOf('slot', '1'))}))[_. -]+(?:HLA[_. -]?)?${spelled}[*]?$`,
)
