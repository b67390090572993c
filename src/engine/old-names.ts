/** What names from before April 2010, which had no colons, may be today (specification 1.11). */
import { HlaError, type Note } from '../errors.ts'
import { canHaveOldNames, readLocus } from '../nomenclature/allele.ts'
import { allRespellings, isByRule, respellings } from '../nomenclature/version2.ts'

/** Old names that no rule respells, and what each is today: a table of the release. */
export type OldNames = Readonly<Record<string, string>>

/** The likeliest first: by the exceptions, else by the rules; none for a name of today's form. Whether there is such an allele is not asked. */
export function presentSpellings(name: string, oldNames: OldNames): readonly string[] {
  if (!name.includes('*') || name.includes(':') || !canHaveOldNames(readLocus(name))) return []
  const exception = oldNames[name]
  return (exception === undefined ? respellings(name) : [exception]).filter((one) => one !== name)
}

/** What a name from before 2010 is among the names that are `known`. */
export interface OldReading {
  /** Undefined: it can be several of the known names, and none by the rules of 2010. */
  readonly read: string | undefined
  /** The other known names that it can be. */
  readonly others: readonly string[]
}

/** Undefined when it is no known name, however its digits are cut. */
export function readOldName(
  name: string,
  oldNames: OldNames,
  isKnown: (spelling: string) => boolean,
): OldReading | undefined {
  const spellings = presentSpellings(name, oldNames)
  if (spellings.length === 0) return undefined
  const read = spellings.find(isKnown)
  // the table of exceptions says what such a name is
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
