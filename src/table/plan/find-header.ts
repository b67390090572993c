/**
 * Presence and position of the header: the first row, alone or with the second, possibly after rows about the data.
 * Pure.
 */
import { countLoci } from '../input/preamble.ts'
import { advice } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { type Encoding, readable } from '../input/encoding.ts'
import type { TableRow } from '../input/read-table.ts'
import { isColumnLocus, readLocusHeader } from '../words/locus-header.ts'
import { bareName, bareNames, listWords } from '../words/header-words.ts'
import { areAlike, headerTexts } from './recognition/odd-rows.ts'
import { looksNamed, looksTyped } from '../words/typing-shape.ts'

/**
 * Decided by the first rows: names of loci that do not continue as values, or no typing in the first and some below.
 */
export function hasHeader(first: readonly string[], second: readonly string[] | undefined): boolean {
  const named = first.flatMap((cell, at) => (isColumnLocus(cell) ? [at] : []))
  if (named.length > 0) {
    if (second === undefined || (second.some(looksTyped) && !first.some(looksTyped))) return true
    // antigens look like names of loci: A1 above A2 is not a header, unless another column has a number only below
    return named.some((at) => !isColumnLocus(second[at] ?? '')) || numbers(second) > numbers(first)
  }
  // names of alleles above counts, such as those of the peptides that they bind
  const alleles = first.flatMap((cell, at) => (looksNamed(cell) ? [at] : []))
  if (second !== undefined && alleles.some((at) => /^\d$/.test(second[at] ?? '')))
    return alleles.every((at) => !looksTyped(second[at] ?? ''))
  if (first.some(looksTyped)) return false
  return numbers(first) === 0 && first.some((cell) => /\p{L}/u.test(cell))
}

export interface FoundHeader {
  /** Number of rows it takes. */
  readonly lines: number
  readonly names: readonly string[] | undefined
  /** Header rows; a later row with the same content is a repeated header. */
  readonly headerLines: readonly (readonly string[])[]
}

/** @throws {HlaError} usage — see `refuseAligned` */
export function findHeader(
  rows: readonly TableRow[],
  {
    table,
    encoding,
    said,
  }: {
    readonly table: string
    readonly encoding: Encoding
    /** Requested presence of a header; undefined when not requested. */
    readonly said: boolean | undefined
  },
): FoundHeader {
  const [head, below] = rows
  const next = rows.find((row) => row !== head && !areAlike(row.values, head?.values ?? []))
  const [first, second] = [head, next].map((row) => row?.values.map((value) => readable(value, encoding)))
  refuseAligned(first ?? [], table)
  const none = { lines: 0, names: undefined, headerLines: [] }
  if (first === undefined || said === false) return none
  const joined = below !== next ? undefined : joinHeaderLines(first, second)
  const isSeen = () => joined !== undefined || hasHeader(first, second)
  if (!(said ?? isSeen())) return none
  const lines = joined === undefined ? 1 : 2
  const texts = () => headerTexts(rows.slice(0, lines).map(({ values }) => values))
  return { lines, names: joined ?? first, headerLines: isSeen() ? texts() : [] }
}

/** @throws {HlaError} usage — columns are aligned with spaces, and read as one column */
function refuseAligned(header: readonly string[], table: string): void {
  const [only = '', another] = header
  const names = only.trim().split(/ {2,}/)
  if (another !== undefined || names.length < 3 || countLoci(names) < 2) return
  throw new HlaError(
    'usage',
    `the columns of ${table} are separated by several spaces, and were not recognised`,
    {
      hint: advice`reduce them to one space: ${[{ shell: `tr -s ' ' < ${table} | hla redux -d space` }]}`,
    },
  )
}

function numbers(cells: readonly string[]): number {
  return cells.filter((cell) => /^-?\d+([.,]\d+)?$/.test(cell)).length
}

/** Names from both lines combined; undefined when the second line does not belong to the header. */
function joinHeaderLines(
  above: readonly string[],
  below: readonly string[] | undefined,
): string[] | undefined {
  if (below === undefined || below.length !== above.length) return undefined
  const filled = fillRight(above)
  const slots = below.map((text, at) =>
    SLOTS.has(bareName(text.trim())) ? slotAt(filled[at] ?? '', text) : undefined,
  )
  const counted = slots.filter((slot) => slot !== undefined)
  const isRest = (_: unknown, at: number) =>
    slots[at] !== undefined || above[at]?.trim() === '' || below[at]?.trim() === ''
  // 1 and 2 in turn, for one locus after another
  const areTurns = counted.every((slot, at) => slot === 1 + (at % 2)) && counted.length % 2 === 0
  if (counted.length === 0 || !areTurns || !below.every(isRest)) return undefined
  // below a complete row of names, 1 and 2 may be antigens of the first person
  const isSaid =
    counted.length > 2 ||
    slots.some(
      (slot, at) => slot !== undefined && (above[at]?.trim() === '' || !/^\d+$/.test(below[at] ?? '')),
    )
  if (!isSaid) return undefined
  return above.map((name, at) =>
    slots[at] === undefined
      ? name.trim() === ''
        ? (below[at] ?? '')
        : name
      : `${filled[at]} ${below[at]?.trim()}`,
  )
}

const SLOTS = bareNames(['', ...listWords('typing')], listWords('slot'))

/** A merged cell extends over the empty cells after it. */
function fillRight(above: readonly string[]): string[] {
  let last = ''
  return above.map((name) => {
    if (name.trim() !== '') last = name.trim()
    return last
  })
}

function slotAt(name: string, slot: string): 0 | 1 | 2 | undefined {
  return readLocusHeader(`${name} ${slot.trim()}`).find((read) => read.slot !== undefined)?.slot
}
