/** PopulationFormat: a file with a person a row that a program of population genetics reads. Types only. */
import type { Genotype } from './genotype.ts'
import { advice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { type Header, selectColumns } from '../../plan/header.ts'

export interface PopulationFormat {
  /** For messages. */
  readonly title: string
  readonly summary: string
  /** What a genotype may be. */
  readonly holds: {
    /** A copy may be a list of alleles. */
    readonly lists: boolean
    /** There may be several possible genotypes. */
    readonly alternatives: boolean
    /** `copy`: each copy has a sign for missing; `blank`: a copy alone means that the other is the same or not seen; `none`: both copies or nothing. */
    readonly half: 'copy' | 'blank' | 'none'
    /** Loci of a person may be any, in any order: whole GL Strings will do. */
    readonly anyLoci: boolean
  }
  /** The only loci there are, in this order; undefined: those of the table. */
  readonly loci?: readonly string[]
  /** What an absent DRB3, DRB4 or DRB5 is written as; undefined: it cannot be. */
  readonly absent?: string
  /** What columns of a person besides the typings there are. */
  readonly roles: readonly PersonRole[]
  /** Characters that a value of such a column must not have. */
  readonly forbidden: RegExp
  readonly head: (loci: readonly string[]) => string
  readonly row: (person: WrittenPerson) => string
}

export interface WrittenPerson {
  readonly id: string
  /** That answered: `3.58.0`. */
  readonly release: string
  /** Empty where there is no such column, or nothing in it. */
  readonly role: (role: PersonRole) => string
  readonly genotypes: readonly LocusGenotype[]
}

export interface LocusGenotype {
  readonly locus: string
  /** undefined: not typed, or not to be written. */
  readonly genotype: Genotype | undefined
}

const PERSON_ROLES = [
  'population', 'race', 'race2', 'family', 'father', 'mother', 'sex', 'phenotype',
] as const // prettier-ignore

export type PersonRole = (typeof PERSON_ROLES)[number]

/** @throws {HlaError} usage — no such role or column, or one that the format `title` does not have */
export function findPersonColumns(
  text: string | undefined,
  header: Header,
  { title, roles }: { readonly title: string; readonly roles: readonly PersonRole[] },
): ReadonlyMap<PersonRole, number> {
  const found = new Map<PersonRole, number>()
  for (const item of (text ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [, name = '', column = ''] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(item) ?? []
    const role = roles.find((one) => one === name)
    if (role === undefined || found.has(role)) {
      const has = roles.length === 0 ? 'has none' : `has ${roles.join(', ')}`
      throw new HlaError(
        'usage',
        advice`${option('person-columns')} ${JSON.stringify(item)}: ${title} ${has}, each once`,
        {
          hint: 'name=column, with commas between: population=POP',
        },
      )
    }
    const [at, another] = selectColumns(column, header)
    if (at === undefined || another !== undefined)
      throw new HlaError(
        'usage',
        advice`${option('person-columns')} ${JSON.stringify(item)} names more than one column`,
      )
    found.set(role, at)
  }
  return found
}
