/** lgx, lg and U2: two-field forms of the antigen recognition domain (specification 7.1). */
import { countFields, cutFields, readExpression, withoutGroupLetter } from '../../nomenclature/allele.ts'
import { sortNames } from '../../nomenclature/order.ts'
import type { Engine } from '../engine.ts'
import { isValidName, membersInstead, withMissingLetter } from '../names.ts'

type Reduction = (name: string, engine: Engine) => string

/** Two fields of the G group; without one, of the P group ("ping"). */
export function reduceToLgx(name: string, engine: Engine): string {
  return withPing(name, plainLgx, '', engine)
}

/** lgx with a trailing `g` (or `ARS`). Unlike lgx, it does not reduce its answer again, as in py-ard; with `consistentLg` it does. */
export function reduceToLg(name: string, engine: Engine): string {
  const suffix = engine.options.ars ? 'ARS' : 'g'
  if (engine.options.consistentLg) return reduceToLgx(name, engine) + suffix
  return withPing(name, (one) => suffixed(plainLgx(one, engine), suffix), suffix, engine)
}

/** Two fields with the expression letter where that is an unambiguous name, else lgx. */
export function reduceToU2(name: string, engine: Engine): string {
  return withPing(name, plainU2, '', engine)
}

function plainLgx(name: string, engine: Engine): string {
  const bare = withoutGroupLetter(engine.options.strict ? name : withMissingLetter(name, engine))
  const group = engine.release.valueOf('lgx', bare)
  if (group !== undefined) return group
  const short = cutFields(bare, 2)
  // the lowest member decides, should members ever differ
  const [lowest] = sortNames(membersInstead(name, short, engine) ?? []).map((one) => plainLgx(one, engine))
  return lowest ?? short
}

function plainU2(name: string, engine: Engine): string {
  const full = engine.options.strict ? name : withMissingLetter(name, engine)
  if (countFields(full) === 2) return full
  const short = cutFields(full, 2) + readExpression(full)
  return engine.release.is('allele', short) ? short : reduceToLgx(full, engine)
}

/** Divergence B15: a name that already ends in `g` gets no second one. */
function suffixed(name: string, suffix: string): string {
  return suffix === 'g' && name.endsWith('g') ? name : name + suffix
}

function withPing(name: string, reduce: Reduction, suffix: string, engine: Engine): string {
  if (!engine.options.ping) return reduce(name, engine)
  const { release } = engine
  const rescued = release.valueOf('pNotG', reduce === plainU2 ? name : withoutGroupLetter(name))
  if (rescued !== undefined) return rescued + suffix
  const once = reduce(name, engine)
  const bare = once.replace(/(?:g|ARS)$/, '')
  if (bare === name || release.is('pNotGValue', bare)) return once
  const twice = reduce(bare, engine)
  return isValidName(twice, engine) ? twice : once
}
