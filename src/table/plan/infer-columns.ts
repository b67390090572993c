/** Typing columns by the names and content of columns. Ambiguity is an error, never guessed. */
import type { ColumnGroup } from '../cells/joined/decide-joined.ts'
import { type Header } from './header.ts'
import { DRB345, DRB345_TITLE } from '../words/locus-header.ts'
import { READ, scoreColumn, scoreHalf, scorePair } from './score.ts'
import { type ColumnContent, countKinds, isMostly, joinContent } from '../words/typing-shape.ts'
import { type ColumnNames, type ColumnReading, pairKey } from './recognition/column-names.ts'
import { type ColumnPair, ambiguous, findPairs, labelIn } from './recognition/locus-pairs.ts'

/** Content of a column in the sample. */
export type Contents = (column: number) => ColumnContent

export interface InferRequest {
  readonly header: Header
  readonly names: ColumnNames
  readonly contents: Contents
}

/**
 * Typing columns among these, in order. A result column among them counts as its source.
 * @throws {HlaError} usage — two pairs of columns may be the same locus
 */
export function inferColumns(
  columns: readonly number[],
  { header, names, contents }: InferRequest,
): ColumnGroup[] {
  const among = new Set(columns)
  const candidates = names.believed.filter(({ column }) => among.has(column))
  const unnamed = columns.filter((column) => names.plain[column] === '')
  const mayHold = (candidate: ColumnReading) => scoreHalf(contents(candidate.column), candidate) >= READ
  const pairs = findPairs({ header, names, candidates, unnamed, mayHold })
  const alike = new Set(pairs.filter((pair) => isPlausiblePair(pair, contents)))
  const isMerged = [...alike].some(
    ({ second, isUnnamed }) => isUnnamed === true && holdsTypings(contents(second.column)),
  )
  // under merged header cells, a column of words is the second of its pair too: each word is reported
  const plausible = pairs.filter(
    (pair) =>
      alike.has(pair) || (isMerged && pair.isUnnamed === true && holdsTypings(contents(pair.first.column))),
  )
  const chosen = choosePairs(plausible, header)
  // if half of a pair holds no typings, neither does the other
  const isPlausible = new Set(plausible)
  const refused = pairs.filter((pair) => !isPlausible.has(pair) && !areApart(pair, contents))
  const used = new Set([
    ...chosen.flatMap(({ columns: two }) => two),
    ...refused.flatMap(({ first, second }) => [first.column, second.column]),
  ])
  const firsts = new Set(chosen.map(({ columns: [one] }) => one))
  const singles = chooseSingles(
    candidates.filter(({ column }) => !used.has(column)),
    new Set(plausible.filter(({ first }) => firsts.has(first.column)).map(({ first }) => pairKey(first))),
    contents,
    header,
  )
  return [...chosen, ...singles].sort((a, b) => (a.columns[0] ?? 0) - (b.columns[0] ?? 0))
}

/** Columns of GL Strings, or of names with their locus. */
export function inferGlColumns(columns: readonly number[], contents: Contents): ColumnGroup[] {
  return columns
    .filter((column) => holdsNames(contents(column)))
    .map((column) => ({ subject: '', locus: undefined, columns: [column] }))
}

/** True for GL Strings, or names with their locus. */
export function holdsNames(content: ColumnContent): boolean {
  return isMostly(content, ['named', 'phenotype'])
}

const NUMBERS = ['digits', 'damaged'] as const
const TYPINGS = ['named', 'fields', 'antigen', 'pair', 'numbers', ...NUMBERS] as const

function isPlausiblePair({ first, second, isGuess }: ColumnPair, contents: Contents): boolean {
  if (isGuess && areUnlike({ first, second }, contents)) return false
  return scorePair(joinContent(contents(first.column), contents(second.column)), first) >= READ
}

/** True when C and C1 differ, one holding typings and the other numbers. */
function areUnlike({ first, second }: Pick<ColumnPair, 'first' | 'second'>, contents: Contents): boolean {
  const both = [contents(first.column), contents(second.column)]
  return both.some((one) => isMostly(one, ['named', 'fields'])) && both.some((one) => isMostly(one, NUMBERS))
}

function holdsTypings(content: ColumnContent): boolean {
  return countKinds(content, TYPINGS) > 0
}

/** True when a guessed pair is wrong: the first is a column of its own. */
function areApart({ first, second, isGuess, isUnnamed }: ColumnPair, contents: Contents): boolean {
  if (isUnnamed === true) return !holdsTypings(contents(second.column))
  return isGuess && areUnlike({ first, second }, contents)
}

/** Chooses pairs, longest locus first: `DRB11` is the first of DRB1, not the eleventh of DRB. */
function choosePairs(pairs: readonly ColumnPair[], header: Header): ColumnGroup[] {
  const used = new Set<number>()
  const chosen = new Map<string, ColumnPair>()
  const surest = [...pairs].sort(
    (a, b) => Number(a.isGuess) - Number(b.isGuess) || b.first.length - a.first.length,
  )
  for (const pair of surest) {
    const { first, second, isGuess } = pair
    if (used.has(first.column) || used.has(second.column)) continue
    const before = chosen.get(pairKey(first))
    if (before !== undefined) {
      if (isGuess && !before.isGuess) continue
      const columns = [before.first, before.second, first, second]
      throw ambiguous(first, columns.map(labelIn(header)))
    }
    chosen.set(pairKey(first), pair)
    used.add(first.column).add(second.column)
  }
  return [...chosen.values()].map(({ first, second }) => groupOf(first, [first.column, second.column]))
}

function groupOf({ subject, locus }: ColumnReading, columns: readonly number[]): ColumnGroup {
  return locus === DRB345_TITLE
    ? { subject, locus: undefined, among: DRB345, columns }
    : { subject, locus, columns }
}

/**
 * Single columns of a locus: genotypes, or its only typing. Their values must look like typings.
 * @throws {HlaError} usage — two columns may be the one, or the halves of a pair
 */
function chooseSingles(
  candidates: readonly ColumnReading[],
  paired: ReadonlySet<string>,
  contents: Contents,
  header: Header,
): ColumnGroup[] {
  const seen = new Set<number>()
  const chosen = new Map<string, ColumnReading>()
  for (const candidate of candidates) {
    const { column } = candidate
    const key = pairKey(candidate)
    if (seen.has(column) || paired.has(key) || scoreColumn(contents(column), candidate) < READ) continue
    const other = chosen.get(key)
    if (other !== undefined) throw ambiguous(candidate, [other, candidate].map(labelIn(header)))
    seen.add(column)
    chosen.set(key, candidate)
  }
  return [...chosen.values()].map((candidate) => groupOf(candidate, [candidate.column]))
}
