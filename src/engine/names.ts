/** Which names a release knows: exactly, by their first two fields, or after adding a letter. */
import { EXPRESSION_LETTERS, twoFields } from '../nomenclature/allele.ts'
import type { Engine } from './engine.ts'

/** Valid as the peer has it, or a name that our own answers contain. */
export function isKnownName(name: string, engine: Engine): boolean {
  return engine.release.is('reduced', name) || isValidName(name, engine)
}

/** Specification 2, known(x): any third and later field is accepted once the first two exist (`exact` refuses that). */
export function isValidName(name: string, { release, options }: Engine): boolean {
  if (release.is('allele', name)) return true
  let bare = name
  if (/[GP]$/.test(name)) {
    if (options.strict) return isGroupName(name, release)
    bare = name.slice(0, -1)
  } else if (name.endsWith('g') && !options.strict) {
    bare = name.slice(0, -1)
  }
  return release.is('allele', bare) || (!options.exact && release.is('allele', twoFields(bare)))
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
