/** Writes what a row has for each person: one GL String, and one DRBX pair, from the results of its columns, as `output/gl-column.ts` makes them. */
import { formatGlStringCode } from '../../nomenclature/gl-string-code.ts'
import { NONE } from '../output/gl-column.ts'
import { DRB345 } from '../plan/locus-spellings.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { PlannedGroup, TablePlan } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import {
  addGenotype,
  clearGenotypes,
  type GlEncoder,
  MOST_GENOTYPES,
  putGenotypes,
  putResult,
} from './compose-gl.ts'
import { isBefore } from './result-order.ts'
import { type OutputBytes, putByte, putText } from './memory/byte-buffers.ts'
import { resultOffset, STATUS, STATUS_OK, STATUS_OPEN, STATUS_UNTYPED } from './memory/typing-record.ts'

/** What stands in one column, or in two. */
export interface SubjectPiece {
  readonly kind: 'gl' | 'drbx'
  readonly loci: readonly LocusColumns[]
  /** Before a GL String that is not empty. */
  readonly prefix: string
}

interface LocusColumns {
  /** One, or two. */
  readonly columns: readonly number[]
  /** A typing that stands alone is written twice. */
  readonly isRepeated: boolean
}

export interface SubjectEncoder extends GlEncoder {
  readonly subjects: readonly SubjectPiece[]
  readonly pieces: readonly unknown[]
  readonly delimiter: number
}

/** In the order of their columns; undefined: only the ordinary writer puts these together. */
export function subjectPieces(
  { groups }: TablePlan,
  request: WriteRequest,
  { gl, drbx }: OutputColumns,
): SubjectPiece[] | undefined {
  const keys = new Set(groups.map(({ subject, locus }) => `${subject}\n${locus}`))
  // results without loci are not what is joined; two columns for one typing may be one too many
  if (request.locusPrefix === 'bare' || keys.size < groups.length || groups.length > MOST_GENOTYPES)
    return undefined
  if (!groups.every(hasOneLocus)) return undefined
  const release = groups[0]?.context.facts.label ?? ''
  const prefix = request.glsc ? formatGlStringCode(release, '') : ''
  const ofSubject = (subject: string) => groups.filter((group) => group.subject === subject)
  const isDrbx = ({ locus }: PlannedGroup) => locus !== undefined && DRB345.includes(locus)
  return [
    ...gl.map(({ subject }) => {
      const loci = ofSubject(subject).map((group) => locusColumns(group, request))
      return { kind: 'gl', loci, prefix } as const
    }),
    ...drbx.map(({ subject }) => {
      const loci = ofSubject(subject).filter(isDrbx).map((group) => locusColumns(group, request)) // prettier-ignore
      return { kind: 'drbx', loci, prefix: '' } as const
    }),
  ]
}

function hasOneLocus({ locus, among, columns }: PlannedGroup): boolean {
  return locus !== undefined && among === undefined && columns.length <= 2
}

function locusColumns({ columns, context }: PlannedGroup, { secondBlank }: WriteRequest): LocusColumns {
  const hasTwo = columns.length === 2 || context.joined?.kind === 'split'
  return { columns, isRepeated: hasTwo && secondBlank === 'homozygous' }
}

export function putSubjects(out: OutputBytes, encoder: SubjectEncoder): void {
  const { subjects, pieces, delimiter } = encoder
  for (let at = 0; at < subjects.length; at += 1) {
    const piece = subjects[at]
    if (piece === undefined) break
    if (at > 0 || pieces.length > 0) putByte(out, delimiter)
    if (piece.kind === 'gl') putGlString(out, encoder, piece)
    else putDrbx(out, encoder, piece)
  }
}

function putGlString(out: OutputBytes, encoder: SubjectEncoder, { loci, prefix }: SubjectPiece): void {
  const { composer } = encoder
  clearGenotypes(composer)
  for (let at = 0; at < loci.length; at += 1) {
    const locus = loci[at]
    if (locus !== undefined) addLocus(encoder, locus)
  }
  if (composer.compounds + composer.singles === 0) return
  if (prefix !== '') putText(out, prefix)
  putGenotypes(out, encoder)
}

/** Nothing where there is nothing to say of it. */
function addLocus(encoder: SubjectEncoder, { columns, isRepeated }: LocusColumns): void {
  const { scan, table, composer } = encoder
  let [first, second, isWhole] = [0, 0, true]
  for (let one = 0; one < columns.length; one += 1) {
    const record = scan.entries[columns[one] ?? 0] ?? 0
    const status = table.records[record + STATUS] ?? 0
    if (status >= STATUS_OPEN) return
    // an absent second typing is not a second copy of the first
    if (status !== STATUS_OK && status !== STATUS_UNTYPED) isWhole = false
    if (status !== STATUS_OK) continue
    if (first === 0) first = resultOffset(record, 0)
    else second = resultOffset(record, 0)
  }
  if (first === 0) return
  if (second === 0 && isRepeated && isWhole) second = first
  addGenotype(composer, table, first, second)
}

/** The different typings of DRB3, DRB4 and DRB5 of a person. */
interface DrbxPair {
  /** Results; 0: there is none. */
  first: number
  second: number
  /** Equal ones, too. */
  copies: number
  /** There is a third. */
  isOver: boolean
  /** Something is said of one. */
  isTyped: boolean
  /** Something is not known, or failed. */
  isOpen: boolean
}

/** false: a person has more different typings of DRB3, DRB4 and DRB5 than two, and one of them fails. */
export function havePairs(encoder: SubjectEncoder): boolean {
  return encoder.subjects.every(({ kind, loci }) => kind === 'gl' || !findPair(encoder, loci).isOver)
}

function findPair({ scan, table }: SubjectEncoder, loci: readonly LocusColumns[]): DrbxPair {
  const pair = { first: 0, second: 0, copies: 0, isOver: false, isTyped: false, isOpen: false }
  for (const { columns } of loci) {
    for (const column of columns) {
      const record = scan.entries[column] ?? 0
      const status = table.records[record + STATUS] ?? 0
      if (status >= STATUS_OPEN) pair.isOpen = true
      if (status !== STATUS_UNTYPED) pair.isTyped = true
      if (status !== STATUS_OK) continue
      const result = resultOffset(record, 0)
      pair.copies += 1
      if (pair.first === 0) pair.first = result
      else if (isSame(table, pair.first, result)) continue
      else if (pair.second === 0) pair.second = result
      else if (!isSame(table, pair.second, result)) pair.isOver = true
    }
  }
  return pair
}

function isSame(table: SubjectEncoder['table'], one: number, other: number): boolean {
  return isBefore(table, one, other) && isBefore(table, other, one)
}

function putDrbx(out: OutputBytes, encoder: SubjectEncoder, { loci }: SubjectPiece): void {
  const { table, delimiter } = encoder
  const { first, second, copies, isTyped, isOpen } = findPair(encoder, loci)
  const isSaid = isTyped && !isOpen
  if (isSaid && first === 0) putText(out, NONE)
  else if (isSaid) putResult(out, table, first)
  putByte(out, delimiter)
  if (isSaid && second !== 0) putResult(out, table, second)
  else if (isSaid && copies < 2) putText(out, NONE)
}
