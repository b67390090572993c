/**
 * Associated, split and broad antigens of a release: their relations, and an antigen at a level
 * (docs/adr/answers.md#levels-of-antigens).
 */
import { isNamedIn2026, otherSpelling, parseWhoSpelling } from '../nomenclature/antigen.ts'
import { sortNames } from '../nomenclature/order.ts'
import type { Release } from '../reference/release.ts'
import type { Engine } from './engine.ts'
import { starterError } from './expand/mac.ts'
import type { AntigenLevel } from './options.ts'

/** Level of an answer. Before 2026, S gave two levels at once: A9/A23. */
export type AnsweredLevel = Exclude<AntigenLevel, 'usual'> | 'split-and-broad'

interface Relations {
  /** Narrower antigen -> the antigen it is associated with or a split of. */
  readonly parents: ReadonlyMap<string, string>
  readonly isOf2026: boolean
}

/**
 * undefined: as the release lists antigens, which is how tables before 2026 list them.
 * @throws {HlaError} starter — the built-in set has no relations
 */
export function answeredLevel({ release, options }: Engine, name: string): AnsweredLevel | undefined {
  if (options.antigens === 'usual') return isOf2026(release) ? 'split-and-broad' : undefined
  if (release.facts.dataset === 'starter') throw starterError(name, { release })
  return options.antigens
}

/** The antigens that have no narrower one among them. */
export function narrowest(antigens: readonly string[], release: Release): readonly string[] {
  const wider = new Set(antigens.flatMap((antigen) => widerAntigens(antigen, release)))
  return antigens.filter((antigen) => !wider.has(antigen))
}

/** Antigens that this one belongs to, nearest first. */
export function widerAntigens(antigen: string, release: Release): readonly string[] {
  const { parents } = relationsIn(release)
  const wider: string[] = []
  let next = parents.get(antigen)
  while (next !== undefined && !wider.includes(next)) {
    wider.push(next)
    next = parents.get(next)
  }
  return wider
}

/** True when one belongs to the other. */
export function areRelated(one: string, other: string, release: Release): boolean {
  return widerAntigens(one, release).includes(other) || widerAntigens(other, release).includes(one)
}

/** The antigen at a level; one without such an antigen stays itself. */
export function atLevel(antigen: string, level: AnsweredLevel, release: Release): readonly string[] {
  if (level === 'associated') return [antigen]
  const { associated } = release.facts
  const split = associated[antigen] ?? antigen
  if (level === 'split') return [split]
  const broad = relationsIn(release).parents.get(split) ?? split
  return level === 'broad' ? [broad] : [split, broad]
}

/** The antigen of this name or of its other spelling: A203 is A0203; A23(9) is A23, a split of A9. */
export function findAntigen(name: string, release: Release): string | undefined {
  if (release.is('antigen', name)) return name
  const who = parseWhoSpelling(name)
  if (who !== undefined) {
    const split = findAntigen(who.split, release)
    return split !== undefined && broadOf(split, release) === who.broad ? split : undefined
  }
  const other = otherSpelling(name)
  return other !== undefined && release.is('antigen', other) ? other : undefined
}

/** undefined when it is not a split. */
export function broadOf(antigen: string, release: Release): string | undefined {
  return release.facts.associated[antigen] === undefined
    ? relationsIn(release).parents.get(antigen)
    : undefined
}

/** Alleles of the antigen; at a level, and with the names of 2026, also those of its associated antigens. */
export function listAntigenAlleles(antigen: string, { release, options }: Engine): readonly string[] {
  const own = release.listOf('antigenAlleles', antigen) ?? []
  if (options.antigens === 'usual' || isOf2026(release)) return own
  const { parents } = relationsIn(release)
  const narrower = [...parents.keys()].filter((one) => widerAntigens(one, release).includes(antigen))
  if (narrower.length === 0) return own
  return sortNames(
    new Set([...own, ...narrower.flatMap((one) => release.listOf('antigenAlleles', one) ?? [])]),
  )
}

/** True when associated antigens have the names of 2026. */
export function isOf2026(release: Release): boolean {
  return relationsIn(release).isOf2026
}

function relationsIn(release: Release): Relations {
  return release.derive(makeRelations)
}

function makeRelations({ facts: { broads, associated } }: Release): Relations {
  const parents = new Map(Object.entries(associated))
  for (const [broad, splits] of Object.entries(broads)) for (const split of splits) parents.set(split, broad)
  return { parents, isOf2026: Object.keys(associated).some(isNamedIn2026) }
}
