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

function putDrbx(out: OutputBytes, encoder: SubjectEncoder, { loci }: SubjectPiece): void {
  const { scan, table, delimiter } = encoder
  let [first, second, count, said] = [0, 0, 0, 0]
  for (let at = 0; at < loci.length; at += 1) {
    const columns = loci[at]?.columns ?? []
    for (let one = 0; one < columns.length; one += 1) {
      const record = scan.entries[columns[one] ?? 0] ?? 0
      const status = table.records[record + STATUS] ?? 0
      if (status >= STATUS_OPEN) {
        putByte(out, delimiter)
        return
      }
      if (status !== STATUS_UNTYPED) said += 1
      if (status !== STATUS_OK) continue
      count += 1
      if (count === 1) first = resultOffset(record, 0)
      else second = resultOffset(record, 0)
    }
  }
  putPair(out, encoder, { first, second, count: said === 0 ? -1 : count })
}

/** `count`: of typings; below 0: nothing is said of any. */
function putPair(
  out: OutputBytes,
  { table, delimiter }: SubjectEncoder,
  { first, second, count }: { readonly first: number; readonly second: number; readonly count: number },
): void {
  const isPair = count === 1 || count === 2
  if (isPair) putResult(out, table, first)
  else if (count >= 0) putText(out, NONE)
  putByte(out, delimiter)
  if (count === 2) {
    const isSame = isBefore(table, first, second) && isBefore(table, second, first)
    if (!isSame) putResult(out, table, second)
  } else if (count >= 0) putText(out, NONE)
}
