/** Present readings of names from before April 2010, which had no colons (specification 1.11). */
import { HlaError, type Note } from '../errors.ts'
import { canHaveOldNames, readLocus } from '../nomenclature/allele.ts'
import { allRespellings, isByRule, respellings } from '../nomenclature/version2.ts'

/** Old name -> present name, for names that no rule respells: a table of the release. */
export type OldNames = Readonly<Record<string, string>>

/**
 * Possible spellings, likeliest first: by the exceptions, else by the rules; empty for a name of today's form.
 * Existence is not checked.
 */
export function presentSpellings(name: string, oldNames: OldNames): readonly string[] {
  if (!name.includes('*') || name.includes(':') || !canHaveOldNames(readLocus(name))) return []
  const exception = oldNames[name]
  return (exception === undefined ? respellings(name) : [exception]).filter((one) => one !== name)
}

/** Reading of a name from before 2010 among the known names. */
export interface OldReading {
  /** undefined when several known names are possible and none follows the rules of 2010. */
  readonly read: string | undefined
  /** Other known names that it may stand for. */
  readonly others: readonly string[]
}

/** undefined when no way of splitting its digits gives a known name. */
export function readOldName(
  name: string,
  oldNames: OldNames,
  isKnown: (spelling: string) => boolean,
): OldReading | undefined {
  const spellings = presentSpellings(name, oldNames)
  if (spellings.length === 0) return undefined
  const read = spellings.find(isKnown)
  // the table of exceptions decides such a name
  const all = oldNames[name] === undefined ? allRespellings(name).filter(isKnown) : []
  const others = all.filter((one) => one !== read)
  if (read === undefined) return others.length > 1 ? { read, others } : undefined
  return others.length === 0 || isByRule(name, read) ? { read, others } : { read: undefined, others: [read, ...others] } // prettier-ignore
}

export function otherReadingNote(name: string, { read = name, others }: OldReading): Note {
  const message = `${name} is read as ${read}; it can also be ${others.join(' or ')}`
  return { level: 'note', code: 'old-name-readings', message, offending: name }
}

export function ambiguousOldName(name: string, { others }: OldReading): HlaError {
  const message = `${name.slice(0, 60)} can be ${others.join(' or ')}`
  return new HlaError('ambiguous-old-name', message, {
    offending: name,
    suggestions: others,
    hint: 'write the name with its colons',
  })
}
