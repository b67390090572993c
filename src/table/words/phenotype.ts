/** A whole phenotype in one cell, `A1, 24; B 8 44`: typings, each after its locus. Pure. */
import { nameAntigen } from '../../nomenclature/antigen.ts'

export interface PhenotypePart {
  readonly locus: string
  /** Typing as written in a column of that locus. */
  readonly text: string
}

const LOCI: Readonly<Record<string, string>> = {
  A: 'A', B: 'B', C: 'C', Cw: 'C', DR: 'DRB1', DQ: 'DQB1', DP: 'DPB1', DPw: 'DPB1',
} // prettier-ignore

/** DR51 to DR53 are not antigens of DRB1. */
const OF_DRB345: Readonly<Record<string, string>> = { '51': 'DRB5', '52': 'DRB3', '53': 'DRB4' }

const PREFIXED =
  /^(?:HLA-)?(DRB[1345]|DQ[AB]1|DP[AB]1|DR|DQ|DPw?|Cw?|A|B)(?:[:=]?$|[:=]?(?=[\d*]|[-xX]$))(.*)/
const FIELDS = /^\*?\d{1,4}(?::[\dA-Z]+)+$|^\*?\d{1,8}[A-Z]?$|^\d{1,4}\(w?\d{1,2}\)$/
/** Words for no second typing. */
const BLANK = /^(?:-|x|blank)$/i

/** undefined when a part is not a typing, or has no locus. */
export function splitPhenotype(text: string): PhenotypePart[] | undefined {
  const parts: PhenotypePart[] = []
  let prefix: string | undefined
  let isAntigen = false
  for (const item of text.split(/[,;\s]+/)) {
    if (item === '') continue
    const [, named, rest = ''] = PREFIXED.exec(item) ?? []
    const typing = named === undefined ? item : rest
    prefix = named ?? prefix
    if (prefix === undefined) return undefined
    if (named !== undefined) isAntigen = /^[1-9]\d?(?:\(w?\d{1,2}\))?$/.test(rest)
    if (typing === '' || BLANK.test(typing)) continue
    if (!FIELDS.test(typing)) return undefined
    parts.push(makePart(prefix, typing, isAntigen))
  }
  return parts
}

/** `A1` is an antigen, and so is the `24` after it; the `8` of `B 8` may be a first field. */
function makePart(prefix: string, typing: string, isAntigen: boolean): PhenotypePart {
  const other = prefix === 'DR' ? OF_DRB345[typing] : undefined
  const locus = other ?? LOCI[prefix] ?? prefix
  const antigen = isAntigen && /^\d+$/.test(typing) ? nameAntigen(typing, locus) : undefined
  return { locus, text: antigen ?? typing }
}

/** True for typings of at least two loci, or of one locus named before each typing. */
export function isPhenotype(text: string): boolean {
  const parts = splitPhenotype(text)
  if (parts === undefined || parts.length < 2) return false
  if (new Set(parts.map(({ locus }) => locus)).size > 1) return true
  const items = text.split(/[,;\s]+/)
  return items.every((item) => item === '' || PREFIXED.exec(item)?.[2]?.startsWith('*') === true)
}
