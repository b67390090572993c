/** PopulationFormat: a file with a person a row that a program of population genetics reads. Types only. */
import type { Genotype } from './genotype.ts'
import type { PersonRole } from './person-columns.ts'

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
