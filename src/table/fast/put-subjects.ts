/**
 * Writes the columns of a row per person: one GL String, and one DRBX pair, as `output/gl-column.ts` and
 * `output/drbx-pair.ts` do.
 */
import { DRBX_GENES, carriedGenes } from '../../engine/blend.ts'
import { formatGlStringCode } from '../../nomenclature/gl-string-code.ts'
import { NONE } from '../output/drbx-pair.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { PlannedGroup, TablePlan } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import {
  type GlEncoder,
  MAX_GENOTYPES,
  addGenotype,
  clearGenotypes,
  isBefore,
  putGenotypes,
  putResult,
} from './compose-gl.ts'
import { type OutputBytes, putByte, putText } from './memory/byte-buffers.ts'
import {
  STATUS,
  STATUS_ABSENT,
  STATUS_OK,
  STATUS_OPEN,
  STATUS_UNTYPED,
  TEXT,
  TEXT_SIZE,
  resultOffset,
} from './memory/typing-table.ts'

/** Content of one column, or of two. */
export interface SubjectPiece {
  readonly kind: 'gl' | 'drbx'
  /** For DRBX: DRB3, DRB4 and DRB5, in this order. */
  readonly loci: readonly LocusColumns[]
  /** For DRBX, if the table has DRB1. */
  readonly drb1: LocusColumns | undefined
  /** Precedes a GL String that is not empty. */
  readonly prefix: string
}

interface LocusColumns {
  /** One or two columns. */
  readonly columns: readonly number[]
  /** Index in `DRBX_GENES`; negative for another locus. */
  readonly gene: number
  /** True when a single typing is written twice. */
  readonly isRepeated: boolean
}

export interface SubjectEncoder extends GlEncoder {
  readonly subjects: readonly SubjectPiece[]
  readonly pieces: readonly unknown[]
  readonly delimiter: number
}

/** In column order; undefined when only the ordinary writer can compose them. */
export function subjectPieces(
  { groups }: TablePlan,
  request: WriteRequest,
  { gl, drbx }: OutputColumns,
): SubjectPiece[] | undefined {
  const keys = new Set(groups.map(({ subject, locus }) => `${subject}\n${locus}`))
  // results without loci cannot be joined; two columns for one typing may be one too many
  if (request.locusPrefix === 'bare' || keys.size < groups.length || groups.length > MAX_GENOTYPES)
    return undefined
  if (!groups.every(hasOneLocus)) return undefined
  const release = groups[0]?.context.facts.label ?? ''
  const prefix = request.glsc ? formatGlStringCode(release, '') : ''
  const ofSubject = (subject: string) => groups.filter((group) => group.subject === subject)
  return [
    ...gl.map(({ subject }) => {
      const loci = ofSubject(subject).map((group) => locusColumns(group, request))
      return { kind: 'gl', loci, drb1: undefined, prefix } as const
    }),
    ...drbx.map(({ subject }) => {
      const all = ofSubject(subject)
      const drb1 = all.find(({ locus }) => locus === 'DRB1')
      const loci = all.map((group) => locusColumns(group, request)).filter(({ gene }) => gene >= 0)
      return {
        kind: 'drbx',
        loci: loci.toSorted((one, other) => one.gene - other.gene),
        drb1: drb1 && locusColumns(drb1, request),
        prefix: '',
      } as const
    }),
  ]
}

function hasOneLocus({ locus, among, columns }: PlannedGroup): boolean {
  return locus !== undefined && among === undefined && columns.length <= 2
}

function locusColumns(
  { locus, columns, context }: PlannedGroup,
  { secondBlank }: WriteRequest,
): LocusColumns {
  const hasTwo = columns.length === 2 || context.joined?.kind === 'split'
  const gene = DRBX_GENES.findIndex((name) => name === locus)
  return { columns, gene, isRepeated: hasTwo && secondBlank === 'homozygous' }
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

/** Adds nothing for a locus without results. */
function addLocus(encoder: SubjectEncoder, locus: LocusColumns): void {
  const [first, second] = readGenotype(encoder, locus)
  if (first > 0) addGenotype(encoder.composer, encoder.table, first, second)
}

/** Results of both copies, 0 for none; the first is 0 too where a typing is unknown or new. */
function readGenotype(
  { scan, table }: SubjectEncoder,
  { columns, isRepeated }: LocusColumns,
): readonly [number, number] {
  let [first, second, isWhole] = [0, 0, true]
  for (let one = 0; one < columns.length; one += 1) {
    const record = scan.entries[columns[one] ?? 0] ?? 0
    const status = table.records[record + STATUS] ?? 0
    if (status >= STATUS_OPEN) return [0, 0]
    // an absent second typing is not a second copy of the first
    if (status !== STATUS_OK && status !== STATUS_UNTYPED) isWhole = false
    if (status !== STATUS_OK) continue
    if (first === 0) first = resultOffset(record, 0)
    else second = resultOffset(record, 0)
  }
  return [first, second === 0 && isRepeated && isWhole ? first : second]
}

/** Distinct typings of a person's DRB3, DRB4 and DRB5, and the genes that DRB1 implies. */
interface DrbxPair {
  /** Results; 0 for none. */
  first: number
  second: number
  /** Number of typings, equal ones included. */
  copies: number
  /** Gene of the first. */
  gene: number
  /** Genes on the chromosomes, as indices in `DRBX_GENES`; `NO_GENE`; `NOT_KNOWN`, for both. */
  one: number
  other: number
  /** Bit set of genes that a cell calls absent. */
  absent: number
  /** True for a third typing, or one that DRB1 excludes. */
  isUnfit: boolean
  /** True when something is unknown. */
  isOpen: boolean
}

const NO_GENE = -1
const NOT_KNOWN = -2

/** false when a typing of DRB3, DRB4 or DRB5 conflicts with the others of its person. */
export function havePairs(encoder: SubjectEncoder): boolean {
  return encoder.subjects.every((piece) => piece.kind === 'gl' || !findPair(encoder, piece).isUnfit)
}

function findPair(encoder: SubjectEncoder, { loci, drb1 }: SubjectPiece): DrbxPair {
  const { scan, table } = encoder
  const [one, other] = drb1 === undefined ? BOTH_NOT_KNOWN : readCarried(encoder, drb1)
  const pair = { first: 0, second: 0, copies: 0, gene: NO_GENE, one, other, absent: 0, isUnfit: false, isOpen: false } // prettier-ignore
  for (const { columns, gene } of loci) {
    const isCarried = one === NOT_KNOWN || one === gene || other === gene
    const [isSingle, before] = [one !== other, pair.copies]
    let found = 0
    for (const column of columns) {
      const record = scan.entries[column] ?? 0
      const status = table.records[record + STATUS] ?? 0
      if (status >= STATUS_OPEN) pair.isOpen = true
      if (status === STATUS_ABSENT) pair.absent |= 1 << gene
      if (status !== STATUS_OK) continue
      const result = resultOffset(record, 0)
      pair.copies += 1
      if (!isCarried) pair.isUnfit = true
      if (isSingle && before + 1 < pair.copies && !isSame(table, found, result)) pair.isUnfit = true
      found = result
      if (pair.first === 0) {
        pair.first = result
        pair.gene = gene
      } else if (isSame(table, pair.first, result)) continue
      else if (pair.second === 0) pair.second = result
      else if (!isSame(table, pair.second, result)) pair.isUnfit = true
    }
  }
  return pair
}

const BOTH_NOT_KNOWN = [NOT_KNOWN, NOT_KNOWN] as const

function readCarried(encoder: SubjectEncoder, drb1: LocusColumns): readonly [number, number] {
  const [first, second] = readGenotype(encoder, drb1)
  if (first === 0 || second === 0) return BOTH_NOT_KNOWN
  const one = carriedBy(encoder.table, first)
  const other = carriedBy(encoder.table, second)
  return one === NOT_KNOWN || other === NOT_KNOWN ? BOTH_NOT_KNOWN : [one, other]
}

const [STAR, COLON, SLASH] = [42, 58, 47]

/** Indexed by a first field of two digits. */
const CARRIED = Int8Array.from({ length: 100 }, (_, field) => {
  const name = `DRB1*${String(field).padStart(2, '0')}`
  const gene = carriedGenes(`${name}+${name}`)?.[0]
  return gene === undefined ? NO_GENE : DRBX_GENES.indexOf(gene)
})

/** Gene implied by all alternatives of a result, as in `carriedGenes`. */
function carriedBy({ records, view }: SubjectEncoder['table'], result: number): number {
  let at = records[result + TEXT] ?? 0
  const end = at + (records[result + TEXT_SIZE] ?? 0)
  let carried = NOT_KNOWN
  while (at < end) {
    let [star, colon] = [0, 0]
    for (; at < end && view.getUint8(at) !== SLASH; at += 1) {
      const byte = view.getUint8(at)
      if (byte === STAR && star === 0) star = at
      else if (byte === COLON && colon === 0 && star > 0) colon = at
    }
    if (star === 0) return NOT_KNOWN
    const size = (colon === 0 ? at : colon) - star - 1
    const field = size === 2 ? readDigit(view, star + 1) * 10 + readDigit(view, star + 2) : Number.NaN
    const gene = CARRIED[field] ?? NO_GENE
    if (carried !== NOT_KNOWN && carried !== gene) return NOT_KNOWN
    carried = gene
    at += 1
  }
  return carried
}

function readDigit(view: DataView, at: number): number {
  const digit = view.getUint8(at) - 48
  return digit >= 0 && digit <= 9 ? digit : Number.NaN
}

function isSame(table: SubjectEncoder['table'], one: number, other: number): boolean {
  return isBefore(table, one, other) && isBefore(table, other, one)
}

function putDrbx(out: OutputBytes, encoder: SubjectEncoder, piece: SubjectPiece): void {
  const { table, delimiter } = encoder
  const pair = findPair(encoder, piece)
  const isSaid = !pair.isOpen && (pair.copies > 0 || pair.absent > 0)
  const isNone = isSaid && pair.second === 0 && lacksSecond(pair)
  if (isSaid && pair.first !== 0) putResult(out, table, pair.first)
  else if (isNone) putText(out, NONE)
  putByte(out, delimiter)
  if (isSaid && pair.second !== 0) putResult(out, table, pair.second)
  else if (isNone) putText(out, NONE)
}

/** True when a pair lacks its second: a chromosome carries no gene, or both do when there is no first either. */
function lacksSecond({ first, copies, gene, one, other, absent }: DrbxPair): boolean {
  if (one === NOT_KNOWN) return copies < 2
  const isNone = (carried: number) => carried === NO_GENE || (absent & (1 << carried)) !== 0
  if (first === 0) return isNone(one) && isNone(other)
  return isNone(one === gene ? other : one)
}
