/** DRBX: the DRB3, DRB4 and DRB5 typings that belong to a DRB1 genotype (specification 9.8). */
import { HlaError, type Note } from '../errors.ts'

export const DRBX_GENES = ['DRB3', 'DRB4', 'DRB5'] as const
export type DrbxGene = (typeof DRBX_GENES)[number]

/** Which gene the chromosomes of a DRB1 first field carry; the others carry none. */
const CARRIED: ReadonlyMap<string, DrbxGene> = new Map([
  ...['03', '05', '06', '11', '12', '13', '14'].map((field) => [field, 'DRB3'] as const),
  ...['04', '07', '09'].map((field) => [field, 'DRB4'] as const),
  ...['02', '15', '16'].map((field) => [field, 'DRB5'] as const),
])

/** Typings as given; '' is not typed. */
export type DrbxTypings = Readonly<Record<DrbxGene, string>>

export interface Blend {
  /** '' when nothing is expected or typed. */
  readonly text: string
  readonly notes: readonly Note[]
}

/**
 * Nothing is validated or reduced. DRB1 that is not two typings with first fields tells nothing, and the answer is ''.
 * @throws {HlaError} blend-mismatch — a gene that neither chromosome carries, or two alleles where one carries it;
 * `facts` has `found` and `expected`
 */
export function blendDrbx(drb1: string, typings: DrbxTypings): Blend {
  const families = drb1.split('+')
  if (families.length !== 2 || !families.every((typing) => typing.includes('*'))) return untypedDrb1(drb1)
  const carried = families.map(readFirstField).map((field) => CARRIED.get(field))
  const [one, other] = carried
  const carriers = findCarriers(families.map(readFirstField), carried)
  for (const gene of DRBX_GENES) {
    if (typings[gene] !== '' && !carried.includes(gene))
      throw mismatch(gene, 'none', gene, `${carriers}: neither carries ${gene}`)
  }
  if (one !== undefined && one === other) return { text: typings[one], notes: [] }
  const single = one === undefined || other === undefined
  const parts = DRBX_GENES.filter((gene) => carried.includes(gene)).map((gene) =>
    oneCopy(gene, typings[gene], single, carriers),
  )
  return {
    text: parts.map(({ text }) => text).filter((text) => text !== '').join('+'), // prettier-ignore
    notes: parts.flatMap(({ notes }) => notes),
  }
}

/** One chromosome carries the gene: one allele, or the same twice. Of three or more parts the peer makes nothing good. */
function oneCopy(gene: DrbxGene, typing: string, single: boolean, carriers: string): Blend {
  const parts = typing.split('+')
  const [first = ''] = parts
  if (parts.length < 2) return { text: first, notes: [] }
  if (parts.length === 2) {
    if (first === parts[1]) return { text: first, notes: [] }
    throw mismatch(`${gene} het`, 'hom', typing, `${carriers}: at most one ${gene} allele`)
  }
  if (single) return { text: typing, notes: [] }
  const message = `${gene} has ${parts.length} copies where one is expected; all are left out`
  return { text: '', notes: [{ level: 'warning', code: 'three-copies', message, offending: typing }] }
}

function untypedDrb1(drb1: string): Blend {
  const message =
    'DRB1 is not typed on both chromosomes: which of DRB3, DRB4 and DRB5 belong to it is not known'
  return { text: '', notes: [{ level: 'warning', code: 'untyped', message, offending: drb1 }] }
}

/** Between the first `*` and the next colon, star or the end. */
function readFirstField(typing: string): string {
  return typing.split('*')[1]?.split(':')[0] ?? ''
}

function findCarriers(fields: readonly string[], carried: readonly (DrbxGene | undefined)[]): string {
  return fields.map((field, at) => `DRB1*${field} carries ${carried[at] ?? 'none of them'}`).join(', ')
}

function mismatch(found: string, expected: string, offending: string, hint: string): HlaError {
  const message =
    expected === 'none' ? `${found} where none is expected` : `${found} where ${expected} expected`
  return new HlaError('blend-mismatch', message, { offending, hint, facts: { found, expected } })
}
