/** Retired names: those of other releases, for alleles that have another name in this one. By the installed allele lists. */
import type { Note } from '../errors.ts'
import { twoFields, withoutPrefix } from '../nomenclature/allele.ts'
import type { History } from '../reference/history/history.ts'
import type { Engine } from './engine.ts'
import { liftName } from './lift/lift.ts'
import { splitSuffix } from './lift/relation.ts'
import { isNotPublic } from './names.ts'
import { adviseFromPast } from './suggest/past.ts'

/** History of names; undefined when it is not installed or lacks the release in use. */
export function coveringHistory({ history, release }: Engine): History | undefined {
  const lists = history?.()
  return lists?.releases.includes(release.facts.label) === true ? lists : undefined
}

/**
 * Present name of the allele that had this name in another release. undefined where no release had it, where it stood
 * for several alleles, and without the lists of other releases.
 */
export function findSuccessor(name: string, engine: Engine): string | undefined {
  const history = coveringHistory(engine)
  if (history === undefined) return undefined
  const { result } = liftName(history, withoutPrefix(name), { to: engine.release.facts.label })
  return result === name ? undefined : (result ?? undefined)
}

/** False when the first two fields or the letter differ: read by its fields, the name would be another allele. */
export function isSameProtein(name: string, successor: string): boolean {
  const short = (one: string) => twoFields(splitSuffix(one).stem) + splitSuffix(one).letter
  return short(name) === short(successor)
}

/** Note on a retired name that is read as `read`. */
export function retiredNote(name: string, read: string, engine: Engine): Note | undefined {
  const history = coveringHistory(engine)
  if (history === undefined || isNotPublic(name, engine.release)) return undefined
  // before 2010 all names were spelled differently; the file lists the retired ones
  if (!name.includes(':') && history.deletionOf(name) === undefined) return undefined
  const advice = adviseFromPast(name, engine.release.facts.label, history)
  if (advice === undefined || advice.code === 'unknown-allele') return undefined
  const { code, facts, suggestions, hint = '' } = advice
  const message = `${name}: ${hint}; it is read as ${read}`
  return {
    level: 'note',
    code,
    message,
    offending: name,
    suggestions,
    ...(facts === undefined ? {} : { facts }),
  }
}
