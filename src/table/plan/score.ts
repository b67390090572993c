/**
 * How likely a column holds typings, at most 1: the certainty of its name × what its cells show. From `READ` on it is
 * read; below, a column with some evidence is reported. Pure.
 */
import { AMBIGUOUS_LOCI, DRB345_TITLE, type LocusHeader } from '../words/locus-header.ts'
import { type ColumnContent, type ContentKind, countLoci } from '../words/typing-shape.ts'

export const READ = 0.5

const WHOLE = { named: 1, fields: 1 } as const
const ALL = { ...WHOLE, antigen: 1, pair: 1, digits: 1, damaged: 1 } as const

type Weights = Readonly<Partial<Record<ContentKind, number>>>

/** Evidence of one cell, by the certainty of the name: a word counts nothing, a number below a letter little. */
const WEIGHTS = {
  /** `HLA-A`, `DRB1_1`: a name of another locus is an error of its cell. */
  sure: ALL,
  /** `A_1`: may have as many names of other loci as of its own. */
  marked: ALL,
  /** `A1` and `A2`: must have fewer. */
  paired: ALL,
  /** `A` */
  plain: { ...ALL, digits: 0.4, damaged: 0.4 },
  /** `E`: a letter with many meanings, or a date of birth. */
  rare: WHOLE,
  /** Each cell must name which of the three it is. */
  three: { named: 1, antigen: 1, fields: 0.1, digits: 0.1, damaged: 0.1 },
} satisfies Record<string, Weights>

type Certainty = keyof typeof WEIGHTS

function certaintyOf({ locus, isSure, hasSeparator, slot }: LocusHeader): Exclude<Certainty, 'paired'> {
  if (locus === DRB345_TITLE) return 'three'
  if (isSure) return 'sure'
  if (AMBIGUOUS_LOCI.has(locus)) return 'rare'
  return hasSeparator && slot !== undefined ? 'marked' : 'plain'
}

/** Score of one column. Without cells the name decides: typings may follow after the sample. */
export function scoreColumn(content: ColumnContent, name: LocusHeader): number {
  const certainty = certaintyOf(name)
  if (content.cells > 0) return weigh(content, name.locus, certainty)
  const isMarked = name.hasSeparator && name.slot !== undefined
  return certainty === 'plain' ? Number(name.subject === '') : Number(certainty !== 'rare' || isMarked)
}

/** Score of a column of a pair: the names of both confirm each other, so numbers count. */
export function scoreHalf(content: ColumnContent, name: LocusHeader): number {
  const certainty = certaintyOf(name)
  return content.cells === 0 ? 1 : weigh(content, name.locus, certainty === 'plain' ? 'paired' : certainty)
}

/** Score of both columns together, in which one whole name suffices. */
export function scorePair(content: ColumnContent, name: LocusHeader): number {
  const certainty = certaintyOf(name)
  if (content.cells === 0) return Number(certainty !== 'rare')
  const score = scoreHalf(content, name)
  const { named, fields, digits, damaged } = content.counts
  const isWhole = certainty === 'three' ? named > 0 && fields + digits + damaged === 0 : named + fields > 0
  return isWhole && !isContradicted(content, name.locus, certainty) ? Math.max(READ, score) : score
}

/** True when more cells name other loci than this one, or as many. */
function isContradicted(content: ColumnContent, locus: string, certainty: Certainty): boolean {
  const { own, others } = countLoci(content, locus)
  if (others === 0 || certainty === 'sure' || certainty === 'three') return false
  return own < others || (own === others && certainty !== 'marked')
}

/** Mean evidence of all cells or of the distinct ones, whichever is higher: one frequent word must not hide typings. */
function weigh(content: ColumnContent, locus: string, certainty: Certainty): number {
  const weights: Weights = WEIGHTS[certainty]
  const { others } = countLoci(content, locus)
  const share =
    others === 0 || certainty === 'sure' || certainty === 'three' ? 0 : others / content.counts.named
  // a name of another locus shows nothing, or contradicts the column
  const named = 1 - share * (isContradicted(content, locus, certainty) ? 2 : 1)
  const sum = (of: ColumnContent['counts']) =>
    named * of.named +
    (['fields', 'antigen', 'pair', 'digits', 'damaged'] as const).reduce((total, kind) => total + (weights[kind] ?? 0) * of[kind], 0) // prettier-ignore
  const distinct = Object.values(content.kinds).reduce((total, count) => total + count, 0)
  return Math.max(sum(content.counts) / content.cells, sum(content.kinds) / distinct)
}
