/** Positions of typings in a document, and broken rules. Types only. */
import type { HlaError } from '../../../errors.ts'

/** Positions of one person's typings in a document, computed on the rare request. */
export interface TypingPlaces {
  readonly find: (locus: string, slot: 1 | 2) => TypingPlace | undefined
}

export interface TypingPlace {
  readonly line: number
  readonly path: string
}

/** Rule of a format that a person's field breaks. */
export interface BrokenRule extends TypingPlace {
  /** Value as written. */
  readonly value: string
  readonly error: HlaError
}
