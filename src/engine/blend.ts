/** DRBX: the DRB3, DRB4 and DRB5 typings that belong to a DRB1 genotype (specification 9.8). */
import { HlaError, type Note } from '../errors.ts'

export const DRBX_GENES = ['DRB3', 'DRB4', 'DRB5'] as const
export type DrbxGene = (typeof DRBX_GENES)[number]

export function isDrbxGene(locus: string | undefined): locus is DrbxGene {
  return DRBX_GENES.some((gene) => gene === locus)
}

/** DRB1 first field -> gene on the same chromosome; other first fields carry none. */
const CARRIED: ReadonlyMap<string, DrbxGene> = new Map([
  ...['03', '05', '06', '11', '12', '13', '14'].map((field) => [field, 'DRB3'] as const),
  ...['04', '07', '09'].map((field) => [field, 'DRB4'] as const),
  ...['02', '15', '16'].map((field) => [field, 'DRB5'] as const),
])

/** Typings as given; '' means not typed. */
export type DrbxTypings = Readonly<Record<DrbxGene, string>>

export interface Blend {
  /** '' when nothing is expected or typed. */
  readonly text: string
  readonly notes: readonly Note[]
}

/** Gene that a chromosome carries; undefined for none. */
export type Carried = DrbxGene | undefined

/** Gene whose typings contradict the DRB1 genotype. */
export interface DrbxMisfit {
  readonly gene: DrbxGene
  /** True: one chromosome carries the gene, but it has two alleles; false: neither carries it. */
  readonly isHeterozygous: boolean
  /** blend-mismatch; `facts` has `found` and `expected` */
  readonly error: HlaError
}

/** Genes of both chromosomes; undefined when DRB1 is not two typings with first fields, or alternatives disagree. */
export function carriedGenes(drb1: string): readonly [Carried, Carried] | undefined {
  const [one, other, ...others] = drb1.split('+').map((typing) => {
    const names = typing.split('/')
    return new Set(names.map((name) => (name.includes('*') ? CARRIED.get(readFirstField(name)) : null)))
  })
  if (one?.size !== 1 || other?.size !== 1 || others.length > 0) return undefined
  const [first, second] = [...one, ...other]
  return first === null || second === null ? undefined : [first, second]
}

/**
 * Blends without validating or reducing. DRB1 that is not two typings with first fields gives ''.
 * @throws {HlaError} blend-mismatch — the first misfit
 */
export function blendDrbx(drb1: string, typings: DrbxTypings): Blend {
  const families = readFamilies(drb1)
  if (families === undefined) return untypedDrb1(drb1)
  const [misfit] = findMisfits(drb1, typings)
  if (misfit !== undefined) throw misfit.error
  const carried = families.map((family) => CARRIED.get(family))
  const [one, other] = carried
  if (one !== undefined && one === other) return { text: typings[one], notes: [] }
  const single = one === undefined || other === undefined
  const parts = DRBX_GENES.filter((gene) => carried.includes(gene)).map((gene) =>
    oneCopy(gene, typings[gene], single),
  )
  return {
    text: parts.map(({ text }) => text).filter((text) => text !== '').join('+'), // prettier-ignore
    notes: parts.flatMap(({ notes }) => notes),
  }
}

/**
 * Misfits: first genes that neither chromosome carries, then genes with two alleles where one chromosome carries the
 * gene.
 */
export function findMisfits(drb1: string, typings: DrbxTypings): readonly DrbxMisfit[] {
  const families = readFamilies(drb1)
  if (families === undefined) return []
  const carried = families.map((family) => CARRIED.get(family))
  const carriers = families.map((family) => `DRB1*${family} carries ${CARRIED.get(family) ?? 'none of DRB3, DRB4 and DRB5'}`).join(', ') // prettier-ignore
  const excluded = DRBX_GENES.filter((gene) => typings[gene] !== '' && !carried.includes(gene)).map(
    (gene) => ({
      gene,
      isHeterozygous: false,
      error: mismatch(gene, 'none', gene, `${carriers}: neither chromosome carries ${gene}`),
    }),
  )
  if (carried[0] === carried[1]) return excluded
  const doubled = DRBX_GENES.filter((gene) => carried.includes(gene) && isHeterozygous(typings[gene])).map(
    (gene) => ({
      gene,
      isHeterozygous: true,
      error: mismatch(`${gene} het`, 'hom', typings[gene], `${carriers}: at most one ${gene} allele`),
    }),
  )
  return [...excluded, ...doubled]
}

/** First fields of the two typings. */
function readFamilies(drb1: string): readonly string[] | undefined {
  const typings = drb1.split('+')
  if (typings.length !== 2 || !typings.every((typing) => typing.includes('*'))) return undefined
  return typings.map(readFirstField)
}

/** Three or more parts do not count as two alleles: `oneCopy` answers them as py-ard does. */
function isHeterozygous(typing: string): boolean {
  const [first, second, ...others] = typing.split('+')
  return second !== undefined && others.length === 0 && first !== second
}

/** Answer when one chromosome carries the gene: one allele, or the same twice. Three or more parts follow py-ard. */
function oneCopy(gene: DrbxGene, typing: string, single: boolean): Blend {
  const parts = typing.split('+')
  const [first = ''] = parts
  if (parts.length < 3) return { text: first, notes: [] }
  if (single) return { text: typing, notes: [] }
  const message = `${gene} has ${parts.length} typings where one is expected; all of them are left out`
  return { text: '', notes: [{ level: 'warning', code: 'three-copies', message, offending: typing }] }
}

function untypedDrb1(drb1: string): Blend {
  const message =
    'DRB1 is not typed on both chromosomes: which of DRB3, DRB4 and DRB5 belong to it is not known'
  return { text: '', notes: [{ level: 'warning', code: 'untyped', message, offending: drb1 }] }
}

/** First field of the first alternative: from the first `*` to the next colon, slash, star or the end. */
function readFirstField(typing: string): string {
  return typing.split('*')[1]?.split(/[:/]/)[0] ?? ''
}

function mismatch(found: string, expected: string, offending: string, hint: string): HlaError {
  const message =
    expected === 'none' ? `${found} where none is expected` : `${found} where ${expected} is expected`
  return new HlaError('blend-mismatch', message, { offending, hint, facts: { found, expected } })
}
