/** Names known to a release: exactly, by their first two fields, or after adding a letter. */
import type { Note } from '../errors.ts'
import { couldBeListed, countFields, EXPRESSION_LETTERS, twoFields } from '../nomenclature/allele.ts'
import { SUFFIXES, splitSuffix } from './lift/relation.ts'
import type { Engine } from './engine.ts'

/** Valid by py-ard's rules, or an lgx answer. */
export function isKnownName(name: string, engine: Engine): boolean {
  return isValidName(name, engine) || groupOfAnswer(name, engine) !== undefined
}

/**
 * G group of an lgx answer that is no allele's name: `A*11:403`, two fields of A*11:403:01G, whose first member is
 * A*11:403N. `exact` refuses the name; without validation the letter is added.
 */
export function groupOfAnswer(name: string, { release, options }: Engine): string | undefined {
  if (options.exact || !options.strict) return undefined
  if (!release.is('reduced', name) || release.is('allele', name)) return undefined
  const group = `${name}:01G`
  return release.is('gGroup', group) ? group : undefined
}

/**
 * Specification 2, known(x): third and fourth fields are accepted once the first two exist (`exact` refuses that),
 * unless the release contradicts them.
 */
export function isValidName(name: string, { release, options }: Engine): boolean {
  if (release.is('allele', name)) return true
  if (hasFieldOfZeros(name)) return false
  let bare = name
  if (/[GP]$/.test(name)) {
    if (options.strict) return isGroupName(name, release)
    bare = name.slice(0, -1)
  } else if (name.endsWith('g') && !options.strict) {
    bare = name.slice(0, -1)
  }
  if (release.is('allele', bare)) return true
  if (options.exact || !release.is('allele', twoFields(bare))) return false
  return !options.strict || !isContradicted(bare, release)
}

/** Fields count from 1: a field of zeros is a time (`41:02:00`), or names nothing. */
export function hasFieldOfZeros(name: string): boolean {
  return name.includes(':0') && /:0+(?::|$)/.test(name)
}

/**
 * True for a name read by its first two fields, since its further fields are not listed; a later release may list them.
 */
export function isReadByTwoFields(name: string, { release, options }: Engine): boolean {
  if (countFields(name) < 3 || release.is('allele', name)) return false
  if (!options.off.includes('null') && release.listOf('shortNull', name) !== undefined) return false
  return (
    !isGroupName(name, release) && release.is('allele', twoFields(name)) && !isContradicted(name, release)
  )
}

/**
 * Impossible further fields of two known ones: those that no release could list, or that are listed with another letter
 * or without one.
 */
function isContradicted(name: string, release: Engine['release']): boolean {
  if (!couldBeListed(name)) return true
  if (release.listOf('shortNull', name) !== undefined) return false
  const { stem } = splitSuffix(name)
  return ['', ...SUFFIXES].some((other) => release.is('allele', stem + other))
}

/** Code of the note on an unlisted further field. */
const UNLISTED = 'unlisted-fields'

/** Note on a name with unlisted further fields; `leftBy` is the method that left it unchanged. */
export function unlistedNote(name: string, engine: Engine, leftBy?: string): Note {
  const { release } = engine
  const fields = `its first two fields, ${twoFields(name)}`
  const reading =
    leftBy === undefined
      ? `it is read by ${fields}`
      : `${fields}, are, but method ${leftBy} leaves it unchanged`
  const isConfidential = isNotPublic(name, release)
  const status = isConfidential ? 'assigned, not public' : 'not listed'
  const message = `${name} is ${status} in ${release.facts.label}; ${reading}`
  return { level: 'note', code: isConfidential ? NOT_PUBLIC : UNLISTED, message, offending: name }
}

const NOT_PUBLIC = 'not-public'

/** Official name with a confidential sequence: in `hla_nom.txt`, but not in the release's allele list. */
export function isNotPublic(name: string, release: Engine['release']): boolean {
  return release.listOf('notPublic', name) !== undefined
}

/**
 * Members of a group whose name without the letter, `short`, is not a name of the release: its first member is
 * `A*02:10`, or has an expression letter, or was renamed. undefined for other names.
 */
export function membersInstead(
  group: string,
  short: string,
  { release }: Engine,
): readonly string[] | undefined {
  return release.is('allele', short) ? undefined : release.listOf('groupMembers', group)
}

export function isGroupName(name: string, release: Engine['release']): boolean {
  return release.is(name.endsWith('G') ? 'gGroup' : 'pGroup', name)
}

/** Specification 2, relax(x): the name, or with the first of N, Q, L, S that makes it valid. */
export function withMissingLetter(name: string, { release }: Engine): string {
  if (release.is('allele', name)) return name
  const letter = EXPRESSION_LETTERS.find((one) => release.is('allele', name + one))
  return letter === undefined ? name : name + letter
}
