/** S and hats: the antigens of an allele (rel_dna_ser.txt; specification 7.2 and 7.3). */
import { HlaError } from '../../errors.ts'
import { countFields } from '../../nomenclature/allele.ts'
import { sortNames } from '../../nomenclature/order.ts'
import { type Engine, releaseTitle } from '../engine.ts'
import { starterError } from '../expand/mac.ts'
import { withMissingLetter } from '../names.ts'
import { reduceToLgx } from './ard.ts'

/**
 * Two fields: the antigens of its lgx name. More: its own; of an abbreviated name or group, those of the alleles it covers.
 * A null allele is not expressed and has none. Empty when there is none.
 */
export function reduceToS(name: string, engine: Engine): readonly string[] {
  const { release, options } = engine
  const full = options.strict ? name : withMissingLetter(name, engine)
  const covered = release.listOf('groupMembers', full) ?? release.listOf('who', full) ?? [full]
  if (covered.every((allele) => allele.endsWith('N'))) return []
  if (countFields(full) === 2) {
    const list = options.ping ? 'lgxAntigens' : 'lgxAntigensPlain'
    return release.listOf(list, reduceToLgx(full, engine)) ?? noneKnown(full, engine)
  }
  const antigens = covered.flatMap(
    (allele) => release.listOf('alleleAntigens', allele) ?? noneKnown(allele, engine),
  )
  return sortNames(new Set(antigens))
}

/** What is not listed has no antigen, except in the starter set, which lists that too. */
function noneKnown(name: string, engine: Engine): readonly string[] {
  if (engine.release.facts.dataset === 'starter') throw starterError(name, engine)
  return []
}

/**
 * The published HATS antigen, looked up exactly as written.
 * @throws {HlaError} no-hats — the release was published without that column (before 3.64.0)
 */
export function reduceToHats(name: string, engine: Engine): readonly string[] {
  const { release } = engine
  if (!release.facts.hasHats) {
    throw new HlaError(
      'no-hats',
      `${releaseTitle(engine)} has no HATS antigens; they are published from 3.64.0 on`,
      { offending: name },
    )
  }
  const antigen = release.valueOf('hats', name)
  return antigen === undefined ? [] : [antigen]
}
