/** Members of codes that are called otherwise in the release, counted over a table: a line a name, whatever codes it stands in. */
import type { RenamedMember } from '../../errors.ts'
import { readLocus } from '../../nomenclature/allele.ts'
import { compareNames, compareText } from '../../nomenclature/order.ts'
import type { CellAnswer } from '../cells/answers.ts'

export interface RenamedCount extends Omit<RenamedMember, 'code'> {
  cells: number
  /** Different ones, the first MOST_CODES of the table. */
  readonly codes: Set<string>
}

/** By member and present name. */
export type RenamedCounts = Map<string, RenamedCount>

/** Codes of one name that are kept apart. */
const MOST_CODES = 10_000

/** A cell is counted once a name, however many codes and methods note it. */
export function countRenamed(counts: RenamedCounts, notes: CellAnswer['notes']): void {
  const counted = new Set<RenamedCount>()
  for (const note of notes) {
    if (!('renamed' in note) || note.renamed === undefined) continue
    const count = findCount(counts, note.renamed)
    if (!counted.has(count)) count.cells += 1
    counted.add(count)
    addCode(count, note.renamed.code)
  }
}

/** `more` was counted behind `counts`. */
export function addRenamed(counts: RenamedCounts, more: RenamedCounts): void {
  for (const renamed of more.values()) {
    const count = findCount(counts, renamed)
    count.cells += renamed.cells
    for (const code of renamed.codes) addCode(count, code)
  }
}

function findCount(
  counts: RenamedCounts,
  { member, name, lifted }: Omit<RenamedMember, 'code'>,
): RenamedCount {
  const key = `${member} ${name}`
  const known = counts.get(key)
  if (known !== undefined) return known
  const count = { member, name, ...(lifted === true ? { lifted } : {}), cells: 0, codes: new Set<string>() }
  counts.set(key, count)
  return count
}

function addCode({ codes }: RenamedCount, code: string): void {
  if (codes.size < MOST_CODES) codes.add(code)
}

/** Names that are shown one by one. */
const MOST_LINES = 10

/**
 * `B*14:78 is B*14:78N now: 12 codes, 40 cells`, in the order of the names: those of the most cells, and how many more there are.
 * `details`: all of them, with the codes.
 */
export function renamedLines(counts: RenamedCounts, details: boolean): string[] {
  const all = inOrder(counts)
  if (details) return all.map((one) => `${renamedLine(one)} (${[...one.codes].sort(compareNames).join(' ')})`)
  const shown = new Set([...all].sort((a, b) => b.cells - a.cells).slice(0, MOST_LINES))
  const lines = all.filter((one) => shown.has(one)).map(renamedLine)
  const more = all.length - lines.length
  return more === 0
    ? lines
    : [...lines, `${counted(more, 'more member')} of codes ${more === 1 ? 'is' : 'are'} called otherwise now`]
}

function renamedLine({ member, name, lifted, cells, codes }: RenamedCount): string {
  const read = lifted === true ? ', and read so' : ''
  const most = codes.size < MOST_CODES ? '' : ' or more'
  return `${member} is ${name} now${read}: ${counted(codes.size, 'code')}${most}, ${counted(cells, 'cell')}`
}

/** For programs. */
export interface RenamedRecord extends Omit<RenamedMember, 'code'> {
  /** How many. */
  readonly codes: number
  readonly cells: number
}

export function renamedRecords(counts: RenamedCounts): RenamedRecord[] {
  return inOrder(counts).map(({ cells, codes, ...renamed }) => ({ ...renamed, codes: codes.size, cells }))
}

/** By locus, then as names are ordered. */
function inOrder(counts: RenamedCounts): RenamedCount[] {
  const locus = ({ member }: RenamedCount) => readLocus(member)
  return [...counts.values()].sort(
    (a, b) =>
      compareText(locus(a), locus(b)) || compareNames(a.member, b.member) || compareNames(a.name, b.name),
  )
}

function counted(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`
}
