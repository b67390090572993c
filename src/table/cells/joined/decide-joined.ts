/**
 * Findings in the first rows of one person's columns: the separator of typings within a cell, and the reading of
 * digits. Ambiguity is an error, never guessed. Pure.
 */
import { type DigitColumns, type DigitFits, type DigitReading, countFits, decideDigits } from '../digits.ts'
import type { NameFacts } from '../name-facts.ts'
import { registryCode } from '../tokens.ts'
import { type Joined, SEPARATORS, areApart, isShortened, isTypingLike, splitCell } from './joined.ts'
import { isPhenotype, splitPhenotype } from '../../words/phenotype.ts'

import { countValues, distinctValues, withoutMarks } from '../../words/typing-shape.ts'

export interface JoinedColumn {
  /** undefined when every name carries its locus. */
  readonly locus: string | undefined
  /** True when the locus has no second column, or an empty one. */
  readonly isAlone: boolean
  /** Distinct typings of the sample. */
  readonly values: readonly string[]
}

export interface JoinedRequest {
  /** `auto`, `none`, or the requested separator. */
  readonly separator: string
  readonly facts: NameFacts
}

/** One per column, in column order; undefined: a cell is one typing or a GL String. */
export function decideJoined(
  columns: readonly JoinedColumn[],
  { separator, facts }: JoinedRequest,
): (Joined | undefined)[] {
  if (separator === 'none') return columns.map(() => undefined)
  const told = { kind: 'split', separator, slash: 'list' } as const
  const ofLoci = separator === 'auto' ? decideSeparator(columns) : told
  return columns.map((column) => {
    if (column.locus === undefined) return decidePhenotype(column, separator, facts)
    return column.isAlone ? ofLoci : undefined
  })
}

/** Separator of two typings in the cells of a column for each locus; undefined when a cell is one typing. */
export function findSeparator(columns: readonly JoinedColumn[], asked: string): string | undefined {
  if (asked !== 'auto') return asked === 'none' ? undefined : asked
  const joined = decideSeparator(columns)
  return joined.kind === 'split' ? joined.separator : undefined
}

function decideSeparator(columns: readonly JoinedColumn[]): Joined {
  const alone = columns.filter(({ locus, isAlone }) => locus !== undefined && isAlone)
  const sure = SEPARATORS.find((one) => areTwoTypings(alone.flatMap((column) => findPairs(column, one))))
  const slash = decideSlash(columns, sure)
  if (sure === undefined) return { kind: 'asked', slash }
  return { kind: 'split', separator: sure, slash: slash === 'list' ? 'list' : 'open' }
}

interface FoundPair {
  readonly parts: readonly string[]
  /** True for DP, where first fields distinguish alleles, and differ within a list too. */
  readonly isDp: boolean
}

/** Cells that contain more than one typing; cells without typings do not count. */
function findPairs({ locus = '', values }: JoinedColumn, separator: string): FoundPair[] {
  return values
    .map((value) => splitCell(value, separator).filter((part) => part !== ''))
    .filter((parts) => parts.length > 1 && parts.every(isTypingLike))
    .map((parts) => ({ parts, isDp: locus.startsWith('DP') }))
}

/** True when no cell has more than two, and most pairs cannot be a list of possible alleles. */
function areTwoTypings(pairs: readonly FoundPair[]): boolean {
  if (pairs.some(({ parts }) => parts.length > 2)) return false
  const telling = pairs.filter(({ parts, isDp }) => !isDp || parts[0] === parts[1])
  const apart = telling.filter(({ parts }) => areApart(parts) || parts.some((part) => part.includes('/')))
  return apart.length > 0 && apart.length * 2 >= telling.length
}

/**
 * `/` makes a list where `+` or the separator joins typings, where lists are longer than two, or where first fields
 * differ though the other typing has its own column.
 */
function decideSlash(
  columns: readonly JoinedColumn[],
  separator: string | undefined,
): 'asked' | 'open' | 'list' {
  const ofLoci = columns.filter(({ locus }) => locus !== undefined)
  const isList = ofLoci.some(({ isAlone, values }) =>
    values.some((value) => {
      const parts = value.split('/')
      const isJoined = separator !== undefined && splitCell(value, separator).length > 1
      // possible alleles of one first field do not rule out two typings
      const isWide = !isAlone && areApart(parts)
      return value.includes('+') || (parts.length > 1 && (isJoined || parts.length > 2 || isWide))
    }),
  )
  if (isList) return 'list'
  const pairs = ofLoci.flatMap((column) => findPairs(column, '/')).filter(({ parts }) => !isShortened(parts))
  return pairs.some(({ parts }) => areApart(parts)) ? 'asked' : 'open'
}

/** Names of several loci in one cell, joined by something other than an operator. */
function decidePhenotype({ values }: JoinedColumn, separator: string, facts: NameFacts): Joined | undefined {
  const several = values.filter((value) => /[,;\s]/.test(value.trim()))
  if (several.length === 0 && separator === 'auto') return undefined
  const cells = several.flatMap((value) => splitPhenotype(value) ?? [])
  const asked = { kind: 'asked', slash: 'list' } as const
  if (separator === 'auto' && several.filter(isPhenotype).length * 2 < several.length) return asked
  const loci = [...new Set(cells.map(({ locus }) => locus))]
  const digits = loci.map((locus): DigitColumns => {
    const texts = cells.filter((cell) => cell.locus === locus).map(({ text }) => text)
    return { locus, values: [...new Set(texts)].filter((text) => /^\d+$/.test(text)) }
  })
  const read = { kind: 'phenotype', digits: decideDigits(digits, facts) } as const
  const pairs = several.flatMap(findGenotypes)
  return separator !== 'auto' || pairs.length === 0 || areTwoTypings(pairs) ? read : asked
}

/** Typings of each locus that has more than one. */
function findGenotypes(value: string): FoundPair[] {
  const cells = splitPhenotype(value) ?? []
  const loci = [...new Set(cells.map(({ locus }) => locus))]
  return loci
    .map((locus) => ({
      parts: cells.filter((cell) => cell.locus === locus).map(({ text }) => text),
      isDp: locus.startsWith('DP'),
    }))
    .filter(({ parts }) => parts.length > 1)
}

export interface SampledGroup extends ColumnGroup {
  /** Distinct typings of the sample, in order of occurrence. */
  readonly values: readonly string[]
  readonly joined: Joined | undefined
  /** True when some typings consist of digits. */
  readonly hasDigits: boolean
  /** undefined when there are none. */
  readonly digits: DigitReading | undefined
  /** Number of cells that each reading of digits fits; undefined without such cells. */
  readonly digitFits?: DigitFits | undefined
}

/** `typings`: returns those values of a column that are typings. */
export function samplePerson(
  groups: readonly ColumnGroup[],
  typings: (column: number) => readonly string[],
  request: JoinedRequest,
): SampledGroup[] {
  const sampled = groups.map((group) => ({
    group,
    locus: group.locus,
    isAlone: group.columns.slice(1).every((column) => typings(column).length === 0),
    values: distinctValues(group.columns.map(typings)).filter((value) => isNoCode(value, group.locus)),
  }))
  const joined = decideJoined(sampled, request)
  const written = sampled.map(({ group, locus }, at): DigitColumns | undefined => {
    const counts =
      locus === undefined
        ? undefined
        : countDigits(
            group.columns.flatMap(typings).filter((value) => isNoCode(value, locus)),
            joined[at],
          )
    return locus === undefined || counts === undefined || counts.size === 0
      ? undefined
      : { locus, values: [...counts.keys()], counts }
  })
  const digits = decideDigits(
    written.flatMap((one) => one ?? []),
    request.facts,
  )
  return sampled.map(({ group, locus, values }, at) => {
    const own = written[at]
    return {
      ...group,
      values,
      joined: joined[at],
      hasDigits: own !== undefined,
      digits: locus === undefined ? undefined : digits.get(locus),
      ...(own === undefined ? {} : { digitFits: countFits(own, request.facts) }),
    }
  })
}

function isNoCode(value: string, locus: string | undefined): boolean {
  return registryCode(value.trim(), locus) === undefined
}

function countDigits(typings: readonly string[], joined: Joined | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [value, times] of countValues(typings))
    for (const digits of splitValues([value], joined).flatMap(listDigits))
      counts.set(digits, (counts.get(digits) ?? 0) + times)
  return counts
}

function splitValues(values: readonly string[], joined: Joined | undefined): readonly string[] {
  if (joined?.kind !== 'split') return values
  return [...new Set(values.flatMap((value) => splitCell(withoutMarks(value), joined.separator)))]
}

/** `2`, `*0101` and both of `1+3`, but not the `02` of `01:01/02`. */
function listDigits(value: string): string[] {
  const leaves = withoutMarks(value.trim()).split(/[\^|+~/]/)
  return leaves.every((leaf) => /^\d+$/.test(leaf)) ? leaves : []
}

/** Columns with the typings of one locus of one person, or with GL Strings when `locus` is undefined. */
export interface ColumnGroup {
  /** Empty when the table has one person per row. */
  readonly subject: string
  readonly locus: string | undefined
  readonly columns: readonly number[]
  /** Loci of which each cell names one, for columns shared by several loci. */
  readonly among?: readonly string[]
}
