/** Names that the answers of a table do not have: counted by name, with their lines in the summary. */
import { LOSS_KINDS, type Loss, type LossKind } from '../../errors.ts'
import { lossText } from '../../engine/expand/expand-mac.ts'
import { SUFFIXES, splitSuffix } from '../../engine/lift/relation.ts'
import { counted, formatCount } from '../../format-count.ts'
import { readLocus, withoutPrefix } from '../../nomenclature/allele.ts'
import { compareNames, compareText } from '../../nomenclature/order.ts'
import type { CellAnswer } from '../answers/answers.ts'

export interface LossCounts {
  /** Key: kind, name and present name. */
  readonly names: Map<string, LossCount>
  /** Cells that lose an expression letter, by letter. */
  readonly letters: Map<string, number>
}

interface LossCount {
  readonly loss: Loss
  cells: number
  /** Distinct codes that list the name, the first `MAX_CODES` of the table. */
  readonly codes: Set<string>
}

/** Maximum number of codes distinguished per name. */
const MAX_CODES = 10_000

export function newLossCounts(): LossCounts {
  return { names: new Map(), letters: new Map() }
}

/** Counts a cell once per name, and once per letter, however many codes and methods note it. */
export function countLosses(counts: LossCounts, notes: CellAnswer['notes']): void {
  const noted = new Set<LossCount>()
  const letters = new Set<string>()
  for (const note of notes) {
    if (!('losses' in note)) continue
    const typed = withoutPrefix(note.offending ?? '')
    for (const loss of note.losses ?? []) {
      const count = findCount(counts, loss)
      if (!noted.has(count)) count.cells += 1
      noted.add(count)
      if (loss.kind === 'letter') letters.add(splitSuffix(loss.name).letter)
      else if (count.codes.size < MAX_CODES) count.codes.add(typed)
    }
  }
  for (const letter of letters) counts.letters.set(letter, (counts.letters.get(letter) ?? 0) + 1)
}

function findCount({ names }: LossCounts, loss: Loss): LossCount {
  const key = `${loss.kind} ${loss.name} ${loss.present?.join('/') ?? ''}`
  let count = names.get(key)
  if (count === undefined) names.set(key, (count = { loss, cells: 0, codes: new Set() }))
  return count
}

/** Maximum number of names shown per kind. */
const MAX_LINES = 10

/**
 * `B*14:78 is B*14:78N now: 12 codes, 40 cells`, in the order of the names: those with the most cells, and the number
 * of others. `details`: all of them, with the codes. Letters without `details` have one line: `cells that lose an expression letter: 9 N, 3 L`.
 */
export function lossLines(counts: LossCounts, kind: LossKind, details: boolean): string[] {
  const all = inOrder(counts, kind)
  if (details) return all.map((one) => `${lossLine(one)}${codesText(one)}`)
  if (kind === 'letter') {
    const each = lettersInOrder(counts).map(([letter, cells]) => `${formatCount(cells)} ${letter}`)
    return all.length === 0 ? [] : [`cells that lose an expression letter: ${each.join(', ')}`]
  }
  const shown = new Set([...all].sort((a, b) => b.cells - a.cells).slice(0, MAX_LINES))
  const lines = all.filter((one) => shown.has(one)).map(lossLine)
  const more = all.length - lines.length
  return more === 0
    ? lines
    : [...lines, `${counted(more, 'more member')} of codes ${more === 1 ? 'is' : 'are'} ${MORE[kind]}`]
}

const MORE: Readonly<Record<Exclude<LossKind, 'letter'>, string>> = {
  renamed: 'now named differently',
  retired: 'no longer listed',
  later: 'first named in later releases',
  unknown: 'not listed',
}

function lettersInOrder({ letters }: LossCounts): (readonly [letter: string, cells: number])[] {
  return SUFFIXES.flatMap((letter) => {
    const cells = letters.get(letter)
    return cells === undefined ? [] : [[letter, cells] as const]
  })
}

function lossLine({ loss, cells, codes }: LossCount): string {
  const read = loss.lifted === true ? ', and read under that name' : ''
  const most = codes.size < MAX_CODES ? '' : ' or more'
  const inCodes = codes.size === 0 ? '' : `${counted(codes.size, 'code')}${most}, `
  const what = loss.kind === 'letter' ? `${loss.name} loses its letter` : lossText(loss)
  return `${what}${read}: ${inCodes}${counted(cells, 'cell')}`
}

function codesText({ codes }: LossCount): string {
  return codes.size === 0 ? '' : ` (${[...codes].sort(compareNames).join(' ')})`
}

/** JSON form. */
export interface LossRecords {
  /** Members of codes; absent when there are none. */
  readonly members?: readonly MemberRecord[]
  /** Cells that lose an expression letter, by letter; absent when there are none. */
  readonly letters?: Readonly<Record<string, number>>
}

interface MemberRecord extends Loss {
  /** Number of codes. */
  readonly codes: number
  readonly cells: number
}

export function lossRecords(counts: LossCounts): LossRecords {
  const members = LOSS_KINDS.filter((kind) => kind !== 'letter').flatMap((kind) => inOrder(counts, kind))
  const letters = lettersInOrder(counts)
  return {
    ...(members.length === 0
      ? {}
      : { members: members.map(({ loss, codes, cells }) => ({ ...loss, codes: codes.size, cells })) }),
    ...(letters.length === 0 ? {} : { letters: Object.fromEntries(letters) }),
  }
}

/** By locus, then in the order of names. */
function inOrder({ names }: LossCounts, kind: LossKind): LossCount[] {
  const of = ({ loss: { name } }: LossCount) => name
  const present = ({ loss }: LossCount) => loss.present?.[0] ?? ''
  return [...names.values()]
    .filter(({ loss }) => loss.kind === kind)
    .sort(
      (a, b) =>
        compareText(readLocus(of(a)), readLocus(of(b))) ||
        compareNames(of(a), of(b)) ||
        compareNames(present(a), present(b)),
    )
}
