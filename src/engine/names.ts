/** Which names a release knows: exactly, by their first two fields, or after adding a letter. */
import type { Note } from '../errors.ts'
import { countFields, EXPRESSION_LETTERS, twoFields } from '../nomenclature/allele.ts'
import { SUFFIXES, splitSuffix } from './lift/relation.ts'
import { findSuccessor } from './lift/retired.ts'
import type { Engine } from './engine.ts'

/** Valid as the peer has it, or an answer of lgx. */
export function isKnownName(name: string, engine: Engine): boolean {
  return isValidName(name, engine) || groupOfAnswer(name, engine) !== undefined
}

/**
 * The G group of an answer of lgx that no allele is called: `A*11:403`, two fields of A*11:403:01G, whose first member is A*11:403N.
 * `exact` refuses the name; without validation the letter is added.
 */
export function groupOfAnswer(name: string, { release, options }: Engine): string | undefined {
  if (options.exact || !options.strict) return undefined
  if (!release.is('reduced', name) || release.is('allele', name)) return undefined
  const group = `${name}:01G`
  return release.is('gGroup', group) ? group : undefined
}

/**
 * Specification 2, known(x): a third and fourth field is accepted once the first two exist (`exact` refuses that), unless the release says
 * otherwise.
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

/** Numbers of fields begin with 1: what has such a field was a time (`41:02:00`), or names nothing. */
export function hasFieldOfZeros(name: string): boolean {
  return name.includes(':0') && /:0+(?::|$)/.test(name)
}

/** A further field is not listed: a later release may list it, or nobody. */
export function isReadByTwoFields(name: string, { release, options }: Engine): boolean {
  if (countFields(name) < 3 || hasFieldOfZeros(name) || release.is('allele', name)) return false
  if (!options.off.includes('null') && release.listOf('shortNull', name) !== undefined) return false
  return (
    !isGroupName(name, release) && release.is('allele', twoFields(name)) && !isContradicted(name, release)
  )
}

/** Further fields of two known ones that cannot be: a fifth, one that is no number, a letter that no name below the listed fields bears. */
function isContradicted(name: string, release: Engine['release']): boolean {
  const { stem, letter } = splitSuffix(name)
  if (!/^[^:]*:\d+(?::\d+){1,2}$/.test(stem)) return true
  if (letter === '' || release.listOf('shortNull', name) !== undefined) return false
  return ['', ...SUFFIXES].some((other) => release.is('allele', stem + other))
}

/** The code of the note on a further field that is not listed. */
const UNLISTED = 'unlisted-fields'

/** `leftBy`: the method that left it as it is. */
export function unlistedNote(name: string, engine: Engine, leftBy?: string): Note {
  const { release } = engine
  const fields = `its first two fields, ${twoFields(name)}`
  const reading =
    leftBy === undefined
      ? `it is read by ${fields}`
      : `${fields}, are, but method ${leftBy} leaves it as it is`
  const isConfidential = isNotPublic(name, release)
  const status = isConfidential ? 'assigned, not public' : 'not listed'
  const successor = findSuccessor(name, engine)
  const today = successor === undefined ? '' : `; its allele is called ${successor} there`
  const message = `${name} is ${status} in ${release.facts.label}; ${reading}${today}`
  return { level: 'note', code: isConfidential ? NOT_PUBLIC : UNLISTED, message, offending: name }
}

/** Whether a note says that a valid name is not in the allele list. */
export function isOfUnlisted({ code }: Note): boolean {
  return code === UNLISTED || code === NOT_PUBLIC
}

const NOT_PUBLIC = 'not-public'

/** An official name whose sequence is confidential: `hla_nom.txt` has it, the allele list of the release has not. */
export function isNotPublic(name: string, release: Engine['release']): boolean {
  return release.listOf('notPublic', name) !== undefined
}

/**
 * The members of a group of which `short`, its name without the letter, is no name of the release: its first member is
 * `A*02:10`, or has an expression letter, or was renamed. Undefined for any other name.
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

/** Specification 2, relax(x): the name, or it with the first of N, Q, L, S that makes it valid. */
export function withMissingLetter(name: string, { release }: Engine): string {
  if (release.is('allele', name)) return name
  const letter = EXPRESSION_LETTERS.find((one) => release.is('allele', name + one))
  return letter === undefined ? name : name + letter
}
