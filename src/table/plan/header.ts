/** Columns of a table by name; lists such as `A_1..DRB1_2,3,r_*`; the column that identifies rows in reports. Pure. */
import { bareName, bareNames, listWords, plainName } from '../words/header-words.ts'
import { type Advice, advice } from '../../advice.ts'
import { visibleLine } from '../../io/visible-text.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { globTest, isGlob } from '../../glob.ts'

export interface Header {
  /** Name of the table, for messages. */
  readonly table: string
  readonly width: number
  /** As in the header; undefined without a header. */
  readonly names: readonly string[] | undefined
  /** Unique: `A#1` for a repeated name; the column's number without a header. */
  readonly labels: readonly string[]
}

export function makeHeader(table: string, names: readonly string[] | undefined, width: number): Header {
  if (names === undefined) {
    return { table, width, names, labels: Array.from({ length: width }, (_, at) => String(at + 1)) }
  }
  const total = new Map<string, number>()
  for (const name of names) total.set(name, (total.get(name) ?? 0) + 1)
  const seen = new Map<string, number>()
  const labels = names.map((name, at) => {
    if (name === '') return String(at + 1)
    if (total.get(name) === 1) return name
    seen.set(name, (seen.get(name) ?? 0) + 1)
    return `${name}#${seen.get(name)}`
  })
  return { table, width, names, labels }
}

/**
 * Column indexes in the order of the list, each once.
 * @throws {HlaError} usage — no such column
 */
export function selectColumns(list: string, header: Header): number[] {
  return [...new Set(columnItems(list).flatMap((item) => selectItem(item, header)))]
}

/** Items of a list of columns. */
export function columnItems(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Like `selectColumns`, but skips items that the table lacks. Removes the found ones from `unmatched`. */
export function selectPresent(list: string, header: Header, unmatched: Set<string>): number[] {
  return columnItems(list).flatMap((item) => {
    try {
      const found = selectItem(item, header)
      unmatched.delete(item)
      return found
    } catch (error) {
      if (isHlaError(error)) return []
      throw error
    }
  })
}

function selectItem(item: string, header: Header): number[] {
  if (header.labels.includes(item) && !/^\d+$/.test(item)) return [header.labels.indexOf(item)]
  const dots = item.indexOf('..', 1)
  if (dots > 0 && dots + 2 < item.length)
    return listRange(findPosition(item.slice(0, dots), header), findPosition(item.slice(dots + 2), header))
  if (isGlob(item, COLUMN_GLOBS) && !item.startsWith('=')) return globbed(item, header)
  const duplicates = findPositions(item, header)
  return duplicates.length > 1 ? duplicates : [findPosition(item, header)]
}

function listRange(from: number, to: number): number[] {
  const step = from <= to ? 1 : -1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + at * step)
}

/** Brackets are literal in names such as `A[1]`. */
const COLUMN_GLOBS = { choices: false }

function globbed(glob: string, header: Header): number[] {
  const fits = globTest(glob, COLUMN_GLOBS)
  const found = header.labels.flatMap((label, at) =>
    fits(label) || fits(header.names?.[at] ?? '') ? [at] : [],
  )
  if (found.length === 0) throw unknownColumn(glob, header)
  return found
}

function findPositions(name: string, { names }: Header): number[] {
  return (names ?? []).flatMap((one, at) => (one === name ? [at] : []))
}

function findPosition(item: string, header: Header): number {
  if (item === 'last' && !header.labels.includes('last')) return header.width - 1
  const name = item.startsWith('=') ? item.slice(1) : item
  if (!item.startsWith('=') && /^\d+$/.test(item)) {
    const index = Number(item) - 1
    if (index >= 0 && index < header.width) return index
    throw unknownColumn(item, header)
  }
  const index = header.labels.indexOf(name)
  const found = index < 0 ? findPositions(name, header) : [index]
  const [first] = found
  if (first === undefined || found.length > 1) throw unknownColumn(name, header)
  return first
}

/** Maximum number of names in a message. */
const MAX_SHOWN = 30
/** Maximum characters of one. */
const MAX_SHOWN_LENGTH = 60

/** `no column "DRB1_1" in donors.tsv. Did you mean DRB11, DRB12?` */
export function unknownColumn(name: string, header: Header): HlaError {
  const near = similarTo(name, header.labels)
  const meant = near.length === 0 ? '' : `. Did you mean ${near.join(', ')}?`
  return new HlaError('usage', `no column "${name}" in ${header.table}${meant}`, {
    offending: name,
    suggestions: near,
    hint: columnsLine(header),
  })
}

export function columnsLine({ labels, names }: Header): Advice {
  if (labels.length === 1)
    return advice`There is one column${names === undefined ? '' : `, ${printable(labels[0] ?? '')}`}`
  if (names === undefined) return `Columns: 1 to ${labels.length} (no header)`
  const more = labels.length > MAX_SHOWN ? ` … (${labels.length})` : ''
  return `Columns: ${labels.slice(0, MAX_SHOWN).map(printable).join(' ')}${more}`
}

function printable(label: string): string {
  const text = visibleLine(label)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}

/** Labels equal but for punctuation and at most the last letter or digit. */
function similarTo(name: string, labels: readonly string[]): string[] {
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const wanted = bare(name)
  const near = labels.map((label) => ({ label, shared: sharedStart(wanted, bare(label)) }))
  return near
    .filter(({ shared }) => shared > 0 && shared >= wanted.length - 1)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 3)
    .map(({ label }) => label)
}

function sharedStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}

const IDENTIFIER = listWords('identifier', 'any')
const IDS: ReadonlySet<string> = new Set([
  ...bareNames(['', ...listWords('person', 'any')], [...IDENTIFIER, ...listWords('identifier', 'other')]),
  ...bareNames(listWords('person', 'any', 'whole')),
])
const GROUPS = bareNames(listWords('group'), ['', ...IDENTIFIER])

export function isIdName(name: string): boolean {
  return IDS.has(bareName(plainName(name)))
}

/** A family, a population, a region: many people's. */
export function isGroupName(name: string): boolean {
  return GROUPS.has(bareName(plainName(name)))
}

/**
 * Identifying column among these, which hold no typings: one called an id without repeats, else one without repeats,
 * else one called an id, else the first. A family, a population or a region is shared by many people.
 */
export function findIdColumn(
  columns: readonly number[],
  { names }: Header,
  values: (column: number) => readonly string[],
): number | undefined {
  const isDistinct = (column: number) => {
    const all = values(column)
    return all.length > 0 && new Set(all).size === all.length && all.every((value) => value.trim() !== '')
  }
  const single = columns.filter((column) => !isGroupName(names?.[column] ?? ''))
  const called = single.filter((column) => isIdName(names?.[column] ?? ''))
  return called.find(isDistinct) ?? called[0] ?? single.find(isDistinct) ?? single[0] ?? columns[0]
}
