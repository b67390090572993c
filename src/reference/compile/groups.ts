/** G and P group files -> reduction tables (specification 1.3 and 1.4). */
import { countFields, cutFields, threeFields, twoFields } from '../../nomenclature/allele.ts'
import { compareNames, sortNames } from '../../nomenclature/order.ts'
import type { GroupRow } from '../sources/groups.ts'

export interface GGroupTables {
  readonly g: ReadonlyMap<string, string>
  readonly gDuplicates: ReadonlyMap<string, readonly string[]>
  readonly lgx: ReadonlyMap<string, string>
  readonly exon: ReadonlyMap<string, string>
  /** Two-field forms of all members. */
  readonly twoFieldMembers: ReadonlySet<string>
  /** Published name -> computed name, where they differ. */
  readonly aliases: Readonly<Record<string, string>>
  readonly members: ReadonlyMap<string, readonly string[]>
}

export interface PGroupTables {
  readonly p: ReadonlyMap<string, string>
  /** Members of P groups whose two-field form is in no G group -> two fields of their P group. */
  readonly pNotG: ReadonlyMap<string, string>
  readonly members: ReadonlyMap<string, readonly string[]>
}

export function compileGGroups(rows: readonly GroupRow[]): GGroupTables {
  const namedRows = rows.map(({ members, name }) => ({
    members,
    published: name,
    name: computedName(members[0] ?? name),
  }))
  const g = threePasses(namedRows)
  const gDuplicates = severalGroups(namedRows)
  const lgx = new Map([...g].map(([key, name]) => [key, twoFields(name)]))
  for (const [key, groups] of gDuplicates) {
    const values = sortNames(new Set(groups.map(twoFields)))
    if (values.length > 1 && values[0] !== undefined) lgx.set(key, values[0])
  }
  const all = namedRows.flatMap(({ members }) => members)
  return {
    g,
    gDuplicates,
    lgx,
    exon: new Map(all.map((member) => [member, threeFields(member)])),
    twoFieldMembers: new Set(all.map(twoFields)),
    aliases: Object.fromEntries(
      namedRows.filter(({ name, published }) => name !== published).map((row) => [row.published, row.name]),
    ),
    members: new Map(namedRows.map(({ name, members }) => [name, members])),
  }
}

export function compilePGroups(
  rows: readonly GroupRow[],
  twoFieldMembersOfG: ReadonlySet<string>,
): PGroupTables {
  const pNotG = new Map<string, string>()
  for (const { members, name } of rows) {
    for (const member of members)
      if (!twoFieldMembersOfG.has(twoFields(member))) pNotG.set(member, twoFields(name))
  }
  return { p: threePasses(rows), pNotG, members: new Map(rows.map(({ name, members }) => [name, members])) }
}

/** Group name from the first member, as in py-ard: in 3.58.0 it differs from the published name for 3 of 707 groups. */
function computedName(first: string): string {
  const bare = first.replace(/[NQLSPG]$/, '')
  return `${countFields(bare) === 2 ? `${bare}:01` : cutFields(bare, 3)}G`
}

/** Fills the table in three passes over all rows: two fields, three fields, the member itself; later entries win. */
function threePasses(rows: readonly { members: readonly string[]; name: string }[]): Map<string, string> {
  const table = new Map<string, string>()
  for (const form of [twoFields, threeFields, (member: string) => member]) {
    for (const { members, name } of rows) for (const member of members) table.set(form(member), name)
  }
  return table
}

/** Adds a value to the set of a key. */
export function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const values = sets.get(key)
  if (values === undefined) sets.set(key, new Set([value]))
  else values.add(value)
}

function severalGroups(rows: readonly { members: readonly string[]; name: string }[]): Map<string, string[]> {
  const groups = new Map<string, Set<string>>()
  for (const { members, name } of rows) for (const member of members) addTo(groups, twoFields(member), name)
  return new Map(
    [...groups]
      .filter(([, names]) => names.size > 1)
      .map(([key, names]) => [key, [...names].sort(compareNames)]),
  )
}
