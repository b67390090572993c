/** Advice on a name that a release does not know. */
import { type Advice as AdviceText, joinAdvice } from '../../advice.ts'
import { HlaError } from '../../errors.ts'

/** Names of one release. */
export interface NameSource {
  isKnown(name: string): boolean
  /** `isKnown` for a text in UTF-16 units. */
  isKnownText(units: Uint16Array): boolean
  /** Valid allele names that begin with `prefix`, in order. */
  withPrefix(prefix: string): Iterable<string>
  /** Label: `3.58.0`. */
  readonly release: string
  /** Prefix -> number of names below it; a column of wrong names repeats the same few prefixes. */
  readonly counts: Map<string, number>
}

export interface Advice {
  readonly code: 'unknown-allele' | 'renamed-allele' | 'deleted-allele' | 'missing-suffix'
  /** One line: facts about the name. */
  readonly hint?: string
  /** One line: what to do. */
  readonly detail?: AdviceText
  /** Of a retired name: `successor`, `since` (the release of the new name), `last` (with the name), `reason`, `accession`; those that are known. */
  readonly facts?: Readonly<Record<string, string>>
  /** At most three, best first, distinct. */
  readonly suggestions: readonly string[]
}

/** Leniencies that a text needs to be read as the name that is advised on; undefined when none reads it. */
export type Slips = readonly string[] | undefined

export const MAX_SUGGESTIONS = 3

/** The error about an unknown name, with code, hint and suggestions of the advice. */
export function addAdvice(error: HlaError, { code, hint, detail, suggestions, facts }: Advice): HlaError {
  const lines = [hint, detail].filter((line) => line !== undefined)
  return new HlaError(code, error.message, {
    offending: error.offending,
    position: error.position,
    suggestions,
    hint: lines.length === 0 ? undefined : joinAdvice(lines, '\n'),
    facts,
    cause: error,
  })
}
