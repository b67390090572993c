/** W, exon and 1F: all alleles below a name, their three-field forms, the first field (specification 7.1). */
import { countFields, readExpression, firstField } from '../../nomenclature/allele.ts'
import { sortNames } from '../../nomenclature/order.ts'
import { type Engine } from '../engine.ts'
import { starterError } from '../expand/mac.ts'
import { withMissingLetter } from '../names.ts'

/** A group expands to all alleles below the short names of its members; `members` gives the group itself. */
export function reduceToW(name: string, engine: Engine): readonly string[] {
  const { release, options } = engine
  const full = options.strict ? name : withMissingLetter(name, engine)
  if (release.is('who', full)) return [full]
  if (release.facts.dataset === 'starter') throw starterError(name, engine)
  const members = options.members ? release.listOf('groupMembers', full) : undefined
  return members ?? release.listOf('who', full) ?? [full]
}

/** Three fields of every allele that is in a G group; the letter stays where the three fields then name a short null. */
export function reduceToExon(name: string, engine: Engine): readonly string[] {
  const full = engine.options.strict ? name : withMissingLetter(name, engine)
  const own = exonName(full, engine)
  if (own !== undefined) return [own]
  const alleles = reduceToW(full, engine)
  const [only] = alleles
  if (alleles.length === 1 && (only === undefined || only === full || countFields(only) === 2)) return [full]
  return sortNames(new Set(alleles.map((allele) => exonName(allele, engine) ?? allele)))
}

export function reduceToFirstField(name: string, engine: Engine): readonly string[] {
  return [firstField(engine.options.strict ? name : withMissingLetter(name, engine))]
}

function exonName(name: string, { release, options }: Engine): string | undefined {
  const short = release.valueOf('exon', name)
  if (short === undefined) return undefined
  const lettered = short + readExpression(name)
  const isShortNull = !options.off.includes('null') && release.listOf('shortNull', lettered) !== undefined
  return lettered !== short && isShortNull ? lettered : short
}
