/** G and P: the published groups (hla_nom_g.txt, hla_nom_p.txt; specification 7.1). */
import { HlaError } from '../../errors.ts'
import { withoutGroupLetter } from '../../nomenclature/allele.ts'
import { type Engine, releaseTitle } from '../engine.ts'
import { starterError } from '../expand/mac.ts'
import { isKnownName, membersInstead, withMissingLetter } from '../names.ts'

/** G groups of a name; a two-field name may have several. */
export function reduceToG(name: string, engine: Engine): readonly string[] {
  const { release, options } = engine
  if (release.is('gGroup', name)) return [name]
  const bare = withoutGroupLetter(options.strict ? name : withMissingLetter(name, engine))
  const group = release.valueOf('g', bare)
  if (group === undefined) return withoutGroup(name, bare, engine, 'g')
  return release.listOf('gDuplicates', bare) ?? [group]
}

export function reduceToP(name: string, engine: Engine): readonly string[] {
  const { release, options } = engine
  if (release.is('pGroup', name)) return [name]
  const bare = withoutGroupLetter(options.strict ? name : withMissingLetter(name, engine))
  const group = release.valueOf('p', bare)
  return group === undefined ? withoutGroup(name, bare, engine, 'p') : [group]
}

/**
 * A name outside every group is its own answer; a group whose name the release lacks is answered through its members.
 */
function withoutGroup(name: string, bare: string, engine: Engine, column: 'g' | 'p'): readonly string[] {
  const members = membersInstead(name, bare, engine)
  if (members !== undefined)
    return [...new Set(members.map((member) => engine.release.valueOf(column, member) ?? member))]
  if (isKnownName(bare, engine)) return [bare]
  if (engine.release.facts.dataset === 'starter') throw starterError(name, engine)
  throw new HlaError('unknown-allele', `${bare.slice(0, 60)} is not in ${releaseTitle(engine)}`, {
    offending: name,
  })
}
