/**
 * Names of result columns, and columns written by an earlier conversion, ours or py-ard's batch tool: they do not count
 * as typings unless requested.
 */
import { METHOD_NAMES } from '../../engine/reduce/methods.ts'
import { cellColumns, convertsCells } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import { CIWD_POPULATIONS } from '../../reference/sources/catalogue-files.ts'
import { type LocusHeader, MAX_HEADER_LENGTH, readLocusHeader } from '../words/locus-header.ts'

/** Names of results: methods, `verdict`, `cwd_mac`. */
const RESULT_NAMES = [
  ...new Set(
    OPERATIONS.filter(convertsCells).flatMap(({ cells }) =>
      // each operation reads the properties it knows
      [
        ...METHOD_NAMES.map((method) => ({ reduction_method: method })),
        { category: true, populations: CIWD_POPULATIONS },
      ].flatMap((input) => cellColumns(cells, input, true)),
    ),
  ),
]

const ENDINGS: ReadonlySet<string> = new Set(RESULT_NAMES.map((name) => name.toLowerCase()))
/** Default prefix of py-ard, and result names; a single letter may be a person: `P_A_1` is the patient's. */
const BEGINNINGS: ReadonlySet<string> = new Set([
  'reduced',
  ...[...ENDINGS].filter(({ length }) => length > 1),
])

/** A name divided at each of its separators, the last one first. */
function divisions(name: string): (readonly [before: string, behind: string])[] {
  const separators = Array.from(name.matchAll(/(?<=.)[_. -](?=.)/g)).toReversed()
  return separators.map(({ index }) => [name.slice(0, index), name.slice(index + 1)])
}

/** `A_mother` of `A_mother_G`; undefined without a result's name. */
function nameBeforeResult(name: string): string | undefined {
  return divisions(name).find(([, behind]) => ENDINGS.has(behind.toLowerCase()))?.[0]
}

/** `A_1` of `reduced_A_1`; undefined without a result's name. */
function nameBehindResult(name: string): string | undefined {
  return divisions(name).find(([before]) => BEGINNINGS.has(before.toLowerCase()))?.[1]
}

export interface ResultRequest {
  /** Pattern of this run's names: `{col}_{method}`. */
  readonly naming: string | undefined
  /** Prefixes that are subjects. */
  readonly people: readonly string[]
  /** True when a column holds typings although its name does not say so. */
  readonly isTyped: (column: number) => boolean
}

export interface ResultColumns {
  /** Column -> name of its source, which the table has. */
  readonly results: ReadonlyMap<number, string>
  /** Column -> name of its source, which the table lacks: the column may be a typing. */
  readonly orphans: ReadonlyMap<number, string>
}

/** Readings of the name of a column with this label. */
type ReadingsOf = (label: string) => readonly LocusHeader[] | undefined

/** `readings`: of each column's name. */
export function findResultColumns(
  labels: readonly string[],
  readings: readonly (readonly LocusHeader[])[],
  { naming, people, isTyped }: ResultRequest,
): ResultColumns {
  const [found, orphans] = [new Map<number, string>(), new Map<number, string>()]
  if (readings.length === 0) return { results: found, orphans }
  const columns = new Map(labels.map((label, column) => [label, column]))
  const readingsOf: ReadingsOf = (label) => readings[columns.get(label) ?? -1]
  const isSource = (name: string): boolean => {
    const column = columns.get(name)
    return (readingsOf(name) ?? readLocusHeader(name)).length > 0 || (column !== undefined && isTyped(column))
  }
  const own = ownNames(labels, naming)
  const spellings = new Set(labels.map((label) => label.toLowerCase()))
  for (const [column, name] of labels.entries()) {
    // a longer text is a cell that lost its line end
    if (name.length > MAX_HEADER_LENGTH || isPaternal(name, spellings)) continue
    const sources = sourcesAtStart(name, isSource)
    const behind = nameBehindResult(name) ?? ''
    const source =
      own.get(name) ??
      (columns.has(behind) && isSource(behind) ? behind : undefined) ??
      (sources.some((one) => columns.has(one)) ? sources.at(-1) : undefined) ??
      // `A_1_C` beside `A_1`, whatever the suffix, since no person would be named `A_1`
      readings[column]
        ?.map(({ subject }) => subject)
        .find((subject) => readingsOf(subject)?.some(({ slot }) => slot !== undefined))
    const absent = sources.at(-1)
    if (source !== undefined && source !== '' && source !== name) found.set(column, source)
    else if (absent !== undefined) orphans.set(column, absent)
  }
  return { results: new Map([...found, ...insertedBehind(labels, readingsOf, { people, found })]), orphans }
}

/** Names without result suffixes: `A_1_G_lgx` -> `A_1_G`, `A_1`; the typing column last. */
function sourcesAtStart(name: string, isSource: (name: string) => boolean): readonly string[] {
  const before = nameBeforeResult(name)
  if (before === undefined) return []
  const further = sourcesAtStart(before, isSource)
  return further.length > 0 || isSource(before) ? [before, ...further] : []
}

/** `A_P` beside `A_M` is the paternal typing, not the P group. */
function isPaternal(name: string, spellings: ReadonlySet<string>): boolean {
  return /[_. -]p$/i.test(name) && spellings.has(`${name.slice(0, -1).toLowerCase()}m`)
}

/** `A_mother_G` -> `A_mother`; unchanged without a result's name. */
export function withoutResultName(name: string): string {
  return nameBeforeResult(name) ?? name
}

function ownNames(labels: readonly string[], naming: string | undefined): ReadonlyMap<string, string> {
  // a pattern without the column's name names no source
  if (naming?.includes('{col}') !== true || naming === '{col}') return new Map()
  return new Map(
    labels.flatMap((label) => RESULT_NAMES.map((result) => [resultName(naming, label, result), label])),
  )
}

interface Inserted extends Pick<ResultRequest, 'people'> {
  readonly found: ReadonlyMap<number, string>
}

/** `a1,r_a1,a2,r_a2`: each follows its source, the order of inserted columns and not of people. */
function insertedBehind(
  labels: readonly string[],
  readingsOf: ReadingsOf,
  { people, found }: Inserted,
): Map<number, string> {
  const byPrefix = new Map<string, { column: number; source: string; isBehind: boolean }[]>()
  for (const [column, name] of labels.entries()) {
    const [, prefix = '', source = ''] = /^(.+?[_. -])(.+)$/.exec(name) ?? []
    if (found.has(column) || (readingsOf(source) ?? []).length === 0) continue
    let before = column - 1
    while (found.has(before)) before -= 1
    const same = byPrefix.get(prefix) ?? []
    same.push({ column, source, isBehind: labels[before] === source })
    byPrefix.set(prefix, same)
  }
  const inserted = [...byPrefix].filter(
    ([prefix, same]) => !people.includes(prefix) && same.length > 1 && same.every(({ isBehind }) => isBehind),
  )
  return new Map(inserted.flatMap(([, same]) => same.map(({ column, source }) => [column, source])))
}

/**
 * `{col}_{method}` for A_1 by lgx is `A_1_lgx`. Replaced in one pass by a function, since a label may contain
 * `{method}` or `$&`.
 */
export function resultName(naming: string, label: string, method: string): string {
  return naming.replaceAll(/\{(col|method)\}/g, (_, part: string) => (part === 'col' ? label : method))
}
