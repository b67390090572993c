/** Column names that name a locus: `A1`, `A_1`, `HLA-A 1`, `DRB11`, `r_a_typ1`, `donor.DQB1.b`. */

export interface LocusHeader {
  /** What stands before the locus: `r`; empty for nothing. */
  readonly subject: string
  readonly locus: string
  /** Which of the two typings; undefined: the column's name does not say. */
  readonly slot: 1 | 2 | undefined
  /** Columns of one pair agree in it. */
  readonly style: string
  readonly hasSeparator: boolean
  /** Letters of the locus as spelled: the longer, the surer. */
  readonly length: number
}

/** Loci that column names are searched for; any other must be given with --locus. */
export const COLUMN_LOCI = [
  'A', 'B', 'C', 'DRA', 'DRB1', 'DRB3', 'DRB4', 'DRB5', 'DQA1', 'DQB1', 'DPA1', 'DPB1', 'E', 'F', 'G', 'H',
  'DMA', 'DMB', 'DOA', 'DOB', 'MICA', 'MICB',
] as const // prettier-ignore

/** Spellings of registries that report antigens, or leave the 1 away. */
const ALIASES: Readonly<Record<string, string>> = {
  CW: 'C', DR: 'DRB1', DRB: 'DRB1', DQ: 'DQB1', DQB: 'DQB1', DQA: 'DQA1', DP: 'DPB1', DPB: 'DPB1', DPA: 'DPA1',
} // prettier-ignore

interface Spelling {
  readonly locus: string
  readonly length: number
  readonly pattern: RegExp
}

const SLOT = '(typ|allele|al)?[_]?(11|12|1|2|a|b)'
const SPELLINGS: readonly Spelling[] = [
  ...COLUMN_LOCI.map((locus) => [locus, locus] as const),
  ...Object.entries(ALIASES),
]
  .map(([spelled, locus]) => ({
    locus,
    length: spelled.length,
    pattern: new RegExp(`^(?:(.+)[_. -])?(?:HLA[_. -]?)?${spelled}(?:([_. -]*)${SLOT})?$`, 'i'),
  }))
  .sort((a, b) => b.length - a.length)

/** Every way to read a column's name, the longest locus first. */
export function readLocusHeader(name: string): LocusHeader[] {
  // what is longer is a cell that lost its line end
  if (name.length > LONGEST) return []
  return SPELLINGS.flatMap((spelling) => readAs(spelling, name.trim()))
}

/** Of a column's name. */
const LONGEST = 200

function readAs({ locus, length, pattern }: Spelling, name: string): LocusHeader[] {
  const [matched, before = '', separator = '', word = '', slot] = pattern.exec(name) ?? []
  if (matched === undefined) return []
  const subject = before.replace(/(^|[_. -])HLA$/i, '')
  const letter = slot?.toLowerCase()
  // letters need something before them: "Ca" is not a second C
  if ((letter === 'a' || letter === 'b') && separator === '' && length < 4) return []
  const form = letter === undefined ? '' : letter.length === 2 ? '11' : /\d/.test(letter) ? '1' : 'a'
  return [
    {
      subject,
      locus,
      length,
      slot: letter === undefined ? undefined : /1$|a/.test(letter) ? 1 : 2,
      style: `${length}${separator}${word.toLowerCase()}${form}`,
      hasSeparator: separator !== '',
    },
  ]
}
