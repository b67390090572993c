/** Rules for the fields of a donor in a donor import file of Atlas, read or written. Pure. */
import { ETHNIC_GROUPS, atMostLong, oneOf } from './field-rules.ts'

export const DONOR_RULES = {
  changeType: oneOf('D', 'U', 'N', 'NU'),
  // adult, cord, banked
  donorType: oneOf('D', 'C', 'B'),
  ethn: oneOf(...ETHNIC_GROUPS),
} as const

export const DONOR_LOCI: readonly string[] = ['a', 'b', 'c', 'drb1', 'drb3', 'drb4', 'drb5', 'dqa1', 'dqb1', 'dpa1', 'dpb1'] // prettier-ignore

export const DONOR_LENGTHS = { dna: atMostLong(20), ser: atMostLong(5) } as const
