/**
 * How likely a column holds typings, at most 1: the certainty of its name × what its cells show. From `READ` on it is
 * read, from `TOLD` on reported; below, it is silent. Pure.
 */
import { AMBIGUOUS_LOCI, DRB345_TITLE, type LocusHeader } from '../words/locus-header.ts'
import {
  type ColumnContent,
  type ContentKind,
  countKinds,
  countLoci,
  isMostly,
} from '../words/typing-shape.ts'

export const READ = 0.5
export const TOLD = 1 / 16

const WHOLE = { named: 1, fields: 1 } as const
const ALL = { ...WHOLE, antigen: 1, pair: 1, numbers: 1, digits: 1, damaged: 1 } as const
/** A report needs fields in a quarter of the cells, pairs in three eighths, or antigens in half of them. */
const CELLS = { named: 1 / 4, fields: 1 / 4, phenotype: 1 / 4, pair: 1 / 6, antigen: 1 / 8 } as const
const COUNTABLE = { numbers: 1 / 8, digits: 1 / 8 } as const
const TAKEN = { ...CELLS, ...COUNTABLE, damaged: 1 / 8 } as const
/** A report needs one typing. */
const NEARLY_TOLD = TOLD - 1 / 1024

type Weights = Readonly<Partial<Record<ContentKind | 'name', number>>>

/** Evidence of the name alone and of one cell, by the certainty of the name: a word counts nothing, a number below a letter little. */
const WEIGHTS = {
  /** `HLA-A`, `DRB1_1`: a name of another locus is an error of its cell. */
  sure: { name: TOLD, ...ALL },
  /** `A_1`: may have as many names of other loci as of its own. */
  marked: { name: TOLD, ...ALL },
  /** `A1` and `A2`: must have fewer. */
  paired: { name: TOLD, ...ALL },
  /** `A` */
  plain: { name: TOLD, ...ALL, digits: 0.4, damaged: 0.4 },
  /** `E`: a letter with many meanings, or a date of birth. */
  rare: { name: NEARLY_TOLD, ...WHOLE },
  /** Each cell must name which of the three it is. */
  three: { name: TOLD, named: 1, antigen: 1, fields: 0.1, digits: 0.1, damaged: 0.1 },
  /** `F_A1`, where no column is read that belongs to F; `A_1_G` without `A_1`. */
  other: { name: NEARLY_TOLD, ...ALL },
  /** A locus that is read from other columns. */
  taken: TAKEN,
  /** No name, behind the one column of a locus. */
  unnamed: { name: TOLD, ...TAKEN },
  /** `A_maternal` beside `A_paternal` */
  guessed: { ...CELLS, ...COUNTABLE },
  none: CELLS,
} satisfies Record<string, Weights>

export type Certainty = keyof typeof WEIGHTS

export function certaintyOf({ locus, isSure, hasSeparator, slot }: LocusHeader): Certainty {
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

/** The kind of cells that explains the score of an unread column. */
export type CellsFound = 'names' | 'typings' | 'numbers' | 'few' | 'none'

interface UnreadScore {
  readonly score: number
  readonly cells: CellsFound
}

/** Score of a column that is not read: at least what its cells say without a name. */
export function scoreUnread(content: ColumnContent, certainty: Certainty): UnreadScore {
  const { name = 0, ...weights }: Weights = WEIGHTS[certainty]
  if (content.cells === 0) return { score: 0, cells: 'none' }
  const [alone, named] = [mean(content, WEIGHTS.none), mean(content, weights)]
  const score = name + Math.max(alone, named)
  // nothing else looks like two names with their locus, whatever words occur among them
  if (countKinds(content, NAMES) > 1 || isMostly(content, NAMES))
    return { score: Math.max(TOLD, score), cells: 'names' }
  if (alone >= TOLD) return { score, cells: countKinds(content, UNNAMED) > 0 ? 'typings' : 'names' }
  if (mean(content, TAKEN) >= TOLD) return { score, cells: 'numbers' }
  return { score, cells: named > 0 ? 'few' : 'none' }
}

const NAMES = ['named', 'phenotype'] as const
const UNNAMED = ['fields', 'antigen', 'pair'] as const

/** True when more cells name other loci than this one, or as many. */
function isContradicted(content: ColumnContent, locus: string, certainty: Certainty): boolean {
  const { own, others } = countLoci(content, locus)
  if (others === 0 || certainty === 'sure' || certainty === 'three') return false
  return own < others || (own === others && certainty !== 'marked')
}

function weigh(content: ColumnContent, locus: string, certainty: Certainty): number {
  const { others } = countLoci(content, locus)
  const share =
    others === 0 || certainty === 'sure' || certainty === 'three' ? 0 : others / content.counts.named
  // a name of another locus shows nothing, or contradicts the column
  return mean(content, WEIGHTS[certainty], 1 - share * (isContradicted(content, locus, certainty) ? 2 : 1))
}

/** Mean evidence of all cells or of the distinct ones, whichever is higher: one frequent word must not hide typings. */
function mean({ cells, counts, kinds }: ColumnContent, weights: Weights, trustInNames = 1): number {
  const sum = (of: ColumnContent['counts']) =>
    KINDS.reduce((total, kind) => total + (weights[kind] ?? 0) * of[kind] * (kind === 'named' ? trustInNames : 1), 0) // prettier-ignore
  const distinct = Object.values(kinds).reduce((total, count) => total + count, 0)
  return Math.max(sum(counts) / cells, sum(kinds) / distinct)
}

const KINDS = ['named', 'fields', 'phenotype', 'antigen', 'pair', 'numbers', 'digits', 'damaged'] as const
