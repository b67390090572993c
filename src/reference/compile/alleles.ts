/** Allele list -> which names may be typed, and the families they lie in (specification 1.2). */
import { cutFields, readExpression, firstField, threeFields, twoFields } from '../../nomenclature/allele.ts'
import { sortNames } from '../../nomenclature/order.ts'

export interface AlleleTables {
  /** Names of the allele list. */
  readonly who: ReadonlySet<string>
  /** Every valid name: the list, its two- and three-field forms, and unanimous letters on two fields. */
  readonly alleles: ReadonlySet<string>
  /** Locus and first field, as in the list. */
  readonly firstFields: ReadonlySet<string>
  /** XX codes: locus and first field (also of broad families) -> two-field names. */
  readonly families: ReadonlyMap<string, readonly string[]>
}

export function compileAlleles(
  names: readonly string[],
  broads: Readonly<Record<string, readonly string[]>>,
): AlleleTables {
  const who = new Set(names)
  const short = new Set([...names.map(twoFields), ...names.map(threeFields)])
  const alleles = new Set([...who, ...short, ...unanimousLetters(names)])
  const members = groupBy(new Set(names.map(twoFields)), firstField)
  const families = new Map([...members].map(([family, list]) => [family, sortNames(list)]))
  for (const [broad, splits] of Object.entries(broads)) {
    const list = splits.flatMap((split) => families.get(split) ?? [])
    if (list.length > 0) families.set(broad, sortNames(list))
  }
  return { who, alleles, firstFields: new Set(members.keys()), families }
}

/**
 * `A*24:09N` stands for `A*24:09:01:01N …` when every name of three or more fields with a letter below `A*24:09` has that one.
 * Names without a letter are not looked at: `DRB4*01:03N` exists although most `DRB4*01:03` are expressed.
 */
function unanimousLetters(names: readonly string[]): string[] {
  const lettered = names.filter((name) => readExpression(name) !== '' && cutFields(name, 2) !== name)
  const short: string[] = []
  for (const [prefix, list] of groupBy(lettered, twoFields)) {
    const [letter, ...others] = new Set(list.map(readExpression))
    if (letter !== undefined && others.length === 0) short.push(prefix + letter)
  }
  return short
}

export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
