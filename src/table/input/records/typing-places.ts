/** Where typings stand in a document. Types only. */

/** Where the typings of one person stand in a document: found when somebody asks, which is seldom. */
export interface TypingPlaces {
  readonly find: (locus: string, slot: 1 | 2) => TypingPlace | undefined
}

export interface TypingPlace {
  readonly line: number
  readonly path: string
}
