/** S and hats: antigens of an allele (rel_dna_ser.txt; specification 7.2 and 7.3). */
import { HlaError } from '../../errors.ts'
import { countFields, twoFields } from '../../nomenclature/allele.ts'
import { sortNames } from '../../nomenclature/order.ts'
import { namesAntigensOf2026 } from '../../reference/release-number.ts'
import { type AnsweredLevel, answeredLevel, atLevel, narrowest, widerAntigens } from '../antigen-levels.ts'
import { type Engine, releaseTitle } from '../engine.ts'
import { coveredAlleles, isNull } from '../expand/covered.ts'
import { starterError } from '../expand/mac.ts'
import { withMissingLetter } from '../names.ts'
import { reduceToLgx } from './ard.ts'

/**
 * Two fields: the antigens of the lgx name; if it has none, with `ownAntigens`, and at a level, those of the covered
 * alleles. More fields, or a group: those of the covered alleles; at a level, a name of more fields has the antigens of
 * its two fields. A null allele is not expressed and has none. May be empty.
 */
export function reduceToS(name: string, engine: Engine): readonly string[] {
  const full = engine.options.strict ? name : withMissingLetter(name, engine)
  const covered = coveredAlleles(full, engine.release)
  if (covered.every(isNull)) return []
  const level = answeredLevel(engine, name)
  if (level === undefined) return antigensByLgx(full, engine) ?? ownAntigens(covered, engine)
  return atLevels(narrowest(sharedAntigens(covered, engine), engine.release), level, engine)
}

/**
 * Reduces an antigen to S at the requested level: of the antigens of its alleles, keeps the antigen itself and those
 * that belong to it. An antigen without alleles is its own answer. Returns undefined if no level applies.
 */
export function reduceAntigenToS(
  antigen: string,
  alleles: readonly string[],
  engine: Engine,
): readonly string[] | undefined {
  const level = answeredLevel(engine, antigen)
  if (level === undefined) return undefined
  const { release } = engine
  const isWithin = (one: string) => one === antigen || widerAntigens(one, release).includes(antigen)
  const found = new Set(
    alleles.flatMap((allele) =>
      narrowest((release.listOf('alleleAntigens', allele) ?? []).filter(isWithin), release),
    ),
  )
  return atLevels(found.size === 0 ? [antigen] : [...found], level, engine)
}

function atLevels(antigens: readonly string[], level: AnsweredLevel, { release }: Engine): readonly string[] {
  return sortNames(new Set(antigens.flatMap((antigen) => atLevel(antigen, level, release))))
}

/** Antigens of the alleles' two-field names: alleles of one protein share antigens, whatever each row says. */
export function sharedAntigens(alleles: readonly string[], engine: Engine): readonly string[] {
  const proteins = new Set(alleles.filter((allele) => !isNull(allele)).map(twoFields))
  const antigens = [...proteins].flatMap(
    (protein) =>
      antigensByLgx(protein, engine) ?? ownAntigens(coveredAlleles(protein, engine.release), engine),
  )
  return [...new Set(antigens)]
}

/** True when S uses a name's own alleles, not all of the same lgx name: by the option, or at a requested level. */
export function areOwnAntigens({ options }: Engine): boolean {
  return options.ownAntigens || options.antigens !== 'usual'
}

/** undefined unless the name has two fields and its lgx name an antigen, and where antigens are a name's own. */
export function antigensByLgx(full: string, engine: Engine): readonly string[] | undefined {
  const { release, options } = engine
  if (countFields(full) !== 2 || areOwnAntigens(engine)) return undefined
  // the starter set holds only one kind of lgx name
  if (!options.ping && release.facts.dataset === 'starter') throw starterError(full, engine)
  return release.listOf(options.ping ? 'lgxAntigens' : 'lgxAntigensPlain', reduceToLgx(full, engine))
}

/** Antigens that the release lists for the alleles themselves. */
export function ownAntigens(alleles: readonly string[], engine: Engine): readonly string[] {
  const antigens = alleles.flatMap(
    (allele) => engine.release.listOf('alleleAntigens', allele) ?? noneKnown(allele, engine),
  )
  return sortNames(new Set(antigens))
}

/** An unlisted allele has no antigen, except in the starter set, which lists those without. */
function noneKnown(name: string, engine: Engine): readonly string[] {
  if (engine.release.facts.dataset === 'starter') throw starterError(name, engine)
  return []
}

/**
 * Published HATS antigen of exactly this name.
 * @throws {HlaError} no-hats — the release was published without that column (before 3.64.0)
 */
export function reduceToHats(name: string, engine: Engine): readonly string[] {
  const { release } = engine
  if (!release.facts.hasHats) {
    const why = namesAntigensOf2026(release.facts.label)
      ? 'is installed with the antigens before 2026, which have no HATS antigens'
      : 'has no HATS antigens; they are published from 3.64.0 on'
    throw new HlaError('no-hats', `${releaseTitle(engine)} ${why}`, { offending: name })
  }
  const antigen = release.valueOf('hats', name)
  return antigen === undefined ? [] : [antigen]
}
