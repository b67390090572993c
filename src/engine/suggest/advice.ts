/** What can be said about a name that a release does not know. */
import type { Advice as AdviceText } from '../../advice.ts'

/** The names of one release. */
export interface NameSource {
  isKnown(name: string): boolean
  /** The same of a text in UTF-16 units. */
  isKnownText(units: Uint16Array): boolean
  /** Valid allele names that begin with `prefix`, in order. */
  withPrefix(prefix: string): Iterable<string>
  /** Label: `3.58.0`. */
  readonly release: string
  /** Names that were counted below prefixes. A column of wrong names asks for the same few again and again. */
  readonly counts: Map<string, number>
}

export interface Advice {
  readonly code: 'unknown-allele' | 'renamed-allele' | 'deleted-allele' | 'missing-suffix'
  /** One line: what is known about the name. */
  readonly hint?: string
  /** One line: what to do. */
  readonly detail?: AdviceText
  /** At most three, best first, none twice. */
  readonly suggestions: readonly string[]
}

export const MOST_SUGGESTIONS = 3
