/** Names -> the alleles below them, and the short names of alleles with an expression letter (specification 1.5, 1.6). */
import { EXPRESSION_LETTERS, firstField, threeFields, twoFields } from '../../nomenclature/allele.ts'

type Names = ReadonlyMap<string, ReadonlySet<string>>

export interface ExpansionTables {
  /** Any short or group name -> every allele below it. */
  readonly who: ReadonlyMap<string, readonly string[]>
  readonly shortNull: ReadonlyMap<string, readonly string[]>
}

export function compileExpansions(
  who: ReadonlySet<string>,
  g: ReadonlyMap<string, string>,
  p: ReadonlyMap<string, string>,
): ExpansionTables {
  const direct = directExpansions(who, g, p)
  return { who: closures(direct, who), shortNull: shortNulls(direct) }
}

/** A group expands to its members and to their two- and three-field forms, as the peer has it. */
function directExpansions(who: Iterable<string>, ...groups: ReadonlyMap<string, string>[]): Names {
  const direct = new Map<string, Set<string>>()
  const put = (key: string, name: string) => {
    const names = direct.get(key)
    if (names === undefined) direct.set(key, new Set([name]))
    else names.add(name)
  }
  for (const name of who) for (const form of [firstField, twoFields, threeFields]) put(form(name), name)
  for (const table of groups) for (const [member, group] of table) put(group, member)
  return direct
}

function closures(direct: Names, who: ReadonlySet<string>): Map<string, string[]> {
  const done = new Map<string, Set<string>>()
  const below = (name: string): ReadonlySet<string> => {
    const names = who.has(name) ? undefined : direct.get(name)
    if (names === undefined) return new Set([name])
    const known = done.get(name)
    if (known !== undefined) return known
    const all = new Set<string>()
    done.set(name, all)
    for (const member of names) for (const allele of below(member)) all.add(allele)
    return all
  }
  const keys = [...direct.keys()].filter((name) => !who.has(name))
  return new Map(keys.map((name) => [name, [...below(name)]]))
}

function shortNulls(direct: Names): Map<string, string[]> {
  const short = new Map<string, string[]>()
  for (const [name, members] of direct) {
    if (!name.includes(':') || /[NQLSGP]$/.test(name)) continue
    for (const letter of EXPRESSION_LETTERS) {
      const lettered = [...members].filter((member) => member.endsWith(letter))
      if (lettered.length > 0) short.set(name + letter, lettered)
    }
  }
  return short
}
