/** Tables of a release's published files: specification 1. */
import { ANTIGENS, BROAD_FIELDS } from './fixed.ts'
import { type GroupLine, type PublishedFiles, readPublishedFiles } from './files.ts'
import { fields, grouped, letterOf, LETTERS, locus, short } from './names.ts'
import { sorted } from './order.ts'

export interface Tables {
  readonly files: PublishedFiles
  readonly loci: ReadonlySet<string>
  readonly who: ReadonlySet<string>
  /**
   * Valid names: the list, their first two and three fields, and two fields with a letter that all longer names share.
   */
  readonly alleles: ReadonlySet<string>
  readonly firstFields: ReadonlySet<string>
  readonly xx: ReadonlyMap<string, readonly string[]>
  /** Name or prefix of a member -> its groups; two fields can have several. */
  readonly g: ReadonlyMap<string, readonly string[]>
  readonly p: ReadonlyMap<string, string>
  readonly lgx: ReadonlyMap<string, string>
  /** Group -> members as listed. */
  readonly members: ReadonlyMap<string, readonly string[]>
  /** Group name in the file -> name by its first member, where they differ. */
  readonly published: ReadonlyMap<string, string>
  /** Full members of P groups whose two fields are in no G group -> two fields of the P group. */
  readonly outsideG: ReadonlyMap<string, string>
  readonly outsideGValues: ReadonlySet<string>
  readonly inG: ReadonlySet<string>
  readonly expand: ReadonlyMap<string, ReadonlySet<string>>
  readonly shortNulls: ReadonlyMap<string, readonly string[]>
  /** Antigen -> full alleles; empty if no allele has it. */
  readonly antigens: ReadonlyMap<string, ReadonlySet<string>>
}

const built = new Map<string, Tables>()

/** `compact`: release such as `3580`. Built once per process. */
export function tablesOf(compact: string): Tables {
  const known = built.get(compact)
  if (known !== undefined) return known
  const tables = buildTables(readPublishedFiles(compact))
  built.set(compact, tables)
  return tables
}

export function buildTables(files: PublishedFiles): Tables {
  const { names } = files
  const g = files.g.map(({ members }) => ({ members, name: namedByFirst(members[0] ?? '') }))
  const groupsOfG = lastOf(g)
  const groupsOfP = lastOf(files.p)
  const several = new Map([...allGroups(g)].filter(([, groups]) => groups.length > 1))
  const inG = new Set(g.flatMap(({ members }) => members))
  const twoOfG = new Set([...inG].map((member) => short(member, 2)))
  const outsideG = new Map(
    files.p.flatMap(({ members, name }) =>
      members.filter((one) => !twoOfG.has(short(one, 2))).map((one) => [one, short(name, 2)] as const),
    ),
  )
  const who = new Set(names)
  const expand = expansions(names, [groupsOfG, groupsOfP])
  return {
    files,
    loci: new Set(names.map(locus)),
    who,
    alleles: new Set([...names, ...names.flatMap((name) => [short(name, 2), short(name, 3)]), ...lettered(names)]),
    firstFields: new Set(names.map((name) => short(name, 1))),
    xx: families(names),
    g: new Map([...groupsOfG].map(([key, name]) => [key, several.get(key) ?? [name]])),
    p: groupsOfP,
    lgx: new Map([...groupsOfG].map(([key, name]) => [key, lgxOf(several.get(key) ?? [name])])),
    members: new Map([...g, ...files.p].map(({ members, name }) => [name, members])),
    published: new Map(files.g.map(({ name }, at) => [name, g[at]?.name ?? ''] as const).filter(([a, b]) => a !== b)),
    outsideG,
    outsideGValues: new Set(outsideG.values()),
    inG,
    expand,
    shortNulls: shortNulls(expand),
    antigens: antigens(files),
  } // prettier-ignore
}

/** Name of a G group by its first member. */
function namedByFirst(member: string): string {
  const name = member.replace(/[NQLSPG]$/, '')
  return fields(name) === 2 ? `${name}:01G` : `${name.split(':').slice(0, 3).join(':')}G`
}

/**
 * Name by two fields, three fields and full name: the last line that has the form counts, longer forms replace shorter
 * ones.
 */
function lastOf(lines: readonly GroupLine[]): Map<string, string> {
  const forms = [2, 3, 9].flatMap((count) =>
    lines.flatMap(({ members, name }) =>
      members.map((member) => [count === 9 ? member : short(member, count), name] as const),
    ),
  )
  return new Map(forms)
}

function allGroups(lines: readonly GroupLine[]): Map<string, string[]> {
  const pairs = lines.flatMap(({ members, name }) =>
    members.map((member) => [short(member, 2), name] as const),
  )
  return new Map([...grouped(pairs)].map(([key, groups]) => [key, sorted(new Set(groups))]))
}

function lgxOf(groups: readonly string[]): string {
  return sorted(groups.map((group) => short(group, 2)))[0] ?? ''
}

function lettered(names: readonly string[]): string[] {
  const long = names.filter((name) => fields(name) > 2 && letterOf(name) !== '')
  const letters = grouped(long.map((name) => [short(name, 2), letterOf(name)] as const))
  return [...letters].filter(([, all]) => new Set(all).size === 1).map(([two, [letter = '']]) => two + letter)
}

function families(names: readonly string[]): Map<string, string[]> {
  const two = grouped(
    [...new Set(names.map((name) => short(name, 2)))].map((name) => [short(name, 1), name] as const),
  )
  const broad = BROAD_FIELDS.map(
    ([field, splits]) => [field, splits.flatMap((one) => two.get(one) ?? [])] as const,
  )
  const all = [...two, ...broad.filter(([, list]) => list.length > 0)]
  return new Map(all.map(([field, list]) => [field, sorted(list)]))
}

function expansions(names: readonly string[], groups: readonly ReadonlyMap<string, string>[]) {
  const pairs = [
    ...names.flatMap((name) => [1, 2, 3].map((count) => [short(name, count), name] as const)),
    ...groups.flatMap((table) => [...table].map(([member, group]) => [group, member] as const)),
  ]
  return new Map([...grouped(pairs)].map(([key, all]) => [key, new Set(all)]))
}

function shortNulls(expand: ReadonlyMap<string, ReadonlySet<string>>): Map<string, string[]> {
  const keys = [...expand].filter(([key]) => key.includes(':') && !/[NQLSGP]$/.test(key))
  const all = keys.flatMap(([key, below]) =>
    LETTERS.map((letter) => [key + letter, [...below].filter((name) => name.endsWith(letter))] as const),
  )
  return new Map(all.filter(([, below]) => below.length > 0))
}

function antigens({ antigens: lines, families: broads }: PublishedFiles): Map<string, Set<string>> {
  const pairs = lines.flatMap(({ allele, numbers }) => {
    const letters = locus(allele) === 'C' ? 'Cw' : locus(allele).slice(0, 2)
    return numbers.map((number) => [letters + number, allele] as const)
  })
  const table = new Map([...grouped(pairs)].map(([antigen, alleles]) => [antigen, new Set(alleles)]))
  for (const { letters, number, splits } of broads) {
    const own = table.get(letters + number) ?? new Set()
    for (const split of splits) for (const allele of table.get(letters + split) ?? []) own.add(allele)
    if (own.size > 0) table.set(letters + number, own)
  }
  for (const antigen of ANTIGENS) if (!table.has(antigen)) table.set(antigen, new Set())
  return table
}
