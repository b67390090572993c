/** OutputFormat: how persons are written in a format other than a table; and the texts of their genotypes. Pure. */
import type { Sink } from '../../../io/sink.ts'
import type { FieldRule } from '../../sources/exchange/rules/field-rules.ts'

export interface OutputFormat {
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
    /** Antigens in columns of a locus; their names do not say it. */
    readonly antigens: boolean
  }
  /** The only possible loci, in this order; undefined: those of the table. */
  readonly loci?: readonly string[]
  /** Text for an absent DRB3, DRB4 or DRB5; undefined when it cannot be expressed. */
  readonly absent?: string
  /** Facts besides the typings, of a person or of the whole file. */
  readonly fields: readonly FormatField[]
  /** Characters not allowed in a name or a field. */
  readonly forbidden: RegExp
  /** Text before the first person. */
  readonly head?: (loci: readonly string[], field: FieldValue) => string
  readonly row: (person: WrittenPerson) => string
  /** Reason why a genotype cannot be written, besides `holds`. */
  readonly refuseGenotype?: (genotype: Genotype, locus: string) => string | undefined
  /** Reason why a person cannot be written. */
  readonly refusePerson?: (person: WrittenPerson) => string | undefined
  /** Shapes the rows of all persons to a file. */
  readonly sink?: (sink: Sink, ended: (text: string) => string) => Sink
}

export interface FormatField {
  readonly name: string
  /** Names of columns that hold it, in lower case; omit for a fact of the whole file. */
  readonly columns?: readonly string[]
  /** Value when none is given. */
  readonly fallback?: string
  /** `required`: nothing is written without it; `expected`: a note says that it is missing. */
  readonly need?: 'required' | 'expected'
  readonly rule?: FieldRule
  /** Shown in place of a value in advice: `D|C|B`. */
  readonly form?: string
}

/** Empty when not given. */
export type FieldValue = (name: string) => string

export interface WrittenPerson {
  readonly id: string
  /** Release of the written names: `3.58.0`. */
  readonly release: string
  readonly field: FieldValue
  readonly genotypes: readonly LocusGenotype[]
}

export interface LocusGenotype {
  readonly locus: string
  /** undefined when not typed, or not to be written. */
  readonly genotype: Genotype | undefined
}

/** Genotype of a person at a locus. */
export interface Genotype {
  /** Possible genotypes of the person. Each has one copy or two; a copy is an allele, or a list with `/`. */
  readonly alternatives: readonly (readonly string[])[]
}

/** `A*01:01/A*01:02+A*02:01`, possible genotypes with `|`. */
export function joinGenotype({ alternatives }: Genotype): string {
  return alternatives.map((copies) => copies.join('+')).join('|')
}

/** The same with the prefix `HLA-`, which the names of MICA, MICB, TAP1, TAP2 and HFE do not have. */
export function prefixedGenotype(genotype: Genotype): string {
  return joinGenotype(genotype).replaceAll(/(?<=^|[|+/])(?!MIC[AB]\*|TAP[12]\*|HFE\*)/g, 'HLA-')
}

/** `A*01:01/A*01:02` -> `01:01/01:02`; antigens keep their letters. */
export function bareCopy(copy: string): string {
  return copy.replaceAll(/[^/*]+\*/g, '')
}
