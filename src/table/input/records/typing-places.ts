/** Where typings stand in a document, and what is wrong beside them. Types only. */
import type { HlaError } from '../../../errors.ts'

/** Where the typings of one person stand in a document: found when somebody asks, which is seldom. */
export interface TypingPlaces {
  readonly find: (locus: string, slot: 1 | 2) => TypingPlace | undefined
}

export interface TypingPlace {
  readonly line: number
  readonly path: string
}

/** What a person's fields are not as the rules of a format have them. */
export interface BrokenRule extends TypingPlace {
  /** As it is written. */
  readonly value: string
  readonly error: HlaError
}
