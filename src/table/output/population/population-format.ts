/** PopulationFormat: a file with one person per row for a population genetics program. Types only. */
import type { Genotype } from './genotype.ts'
import { advice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { type Header, selectColumns } from '../../plan/header.ts'

export interface PopulationFormat {
  /** Name in messages. */
  readonly title: string
  readonly summary: string
  /** Genotypes that the format can hold. */
  readonly holds: {
    /** A copy may be a list of alleles. */
    readonly lists: boolean
    /** There may be several possible genotypes. */
    readonly alternatives: boolean
    /**
     * A genotype with one copy: `copy`: the other is marked missing; `blank`: left blank, meaning the same or not seen;
     * `none`: both copies are required.
     */
    readonly half: 'copy' | 'blank' | 'none'
    /** True when persons may have any loci in any order, so that whole GL Strings are accepted. */
    readonly anyLoci: boolean
  }
  /** The only possible loci, in this order; undefined: those of the table. */
  readonly loci?: readonly string[]
  /** Text for an absent DRB3, DRB4 or DRB5; undefined when it cannot be expressed. */
  readonly absent?: string
  /** Possible person columns besides the typings. */
  readonly roles: readonly PersonRole[]
  /** Characters not allowed in a value of such a column. */
  readonly forbidden: RegExp
  readonly head: (loci: readonly string[]) => string
  readonly row: (person: WrittenPerson) => string
}

export interface WrittenPerson {
  readonly id: string
  /** Answering release: `3.58.0`. */
  readonly release: string
  /** Empty when there is no such column, or its cell is empty. */
  readonly role: (role: PersonRole) => string
  readonly genotypes: readonly LocusGenotype[]
}

export interface LocusGenotype {
  readonly locus: string
  /** undefined when not typed, or not to be written. */
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
