/** Reduction of one name by one method: specification 7. */
import { fields, letterOf, short } from './names.ts'
import { sorted } from './order.ts'
import { isGroup, isName, relaxed, shortNullOf } from './validity.ts'
import { NoAnswer, once, type World } from './world.ts'

/** The whole procedure for a list of names, for methods that reduce their intermediate results again. */
export type ReduceList = (names: readonly string[], method: string, world: World) => readonly string[]

export function reduceName(
  given: string,
  method: string,
  world: World,
  reduceList: ReduceList,
): readonly string[] {
  const name = relaxed(given, world)
  switch (method) {
    case 'G':
    case 'P':
      return toGroup(name, method, world)
    case 'lg':
    case 'lgx':
    case 'U2':
      return [toTwoFields(name, method, world)]
    case 'W':
      return toAlleles(name, world, reduceList)
    case 'exon':
      return toExon(name, world, reduceList)
    case 'S':
      return toAntigens(name, world)
    case '1F':
      return [short(name, 1)]
    default:
      throw new Error(`no method ${method}`)
  }
}

function toGroup(name: string, method: 'G' | 'P', world: World): readonly string[] {
  const { tables, habits } = world
  const isOurs = !habits.has('group-letter')
  if (isOurs && name.endsWith(method) && isGroup(name, world)) return [name]
  const stem = name.replace(/[GP]$/, '')
  const groups = groupsOf(stem, method, world)
  if (groups !== undefined) return groups
  const members = isOurs && !tables.alleles.has(stem) ? tables.members.get(name) : undefined
  if (members !== undefined)
    return [...new Set(members.flatMap((member) => groupsOf(member, method, world) ?? [member]))]
  if (/[GP]$/.test(stem) ? isGroup(stem, world) : isName(stem, world)) return [stem]
  throw new NoAnswer('unknown-allele')
}

function groupsOf(name: string, method: 'G' | 'P', { tables }: World): readonly string[] | undefined {
  if (method === 'G') return tables.g.get(name)
  const group = tables.p.get(name)
  return group === undefined ? undefined : [group]
}

/** lgx name without and with the second lookup ("ping"). */
export function toTwoFields(given: string, method: string, world: World): string {
  if (method !== 'U2' && isGroupNamedAfterNone(given, world)) return twoFieldsOfMembers(given, method, world)
  const name = method === 'U2' ? given : given.replace(/[GP]$/, '')
  const suffix = method !== 'lg' ? '' : world.switches.ars ? 'ARS' : 'g'
  if (!world.switches.ping) return firstLook(name, method, world)
  const rescued = world.tables.outsideG.get(name)
  if (rescued !== undefined) return rescued + suffix
  const first = firstLook(name, method, world)
  const stem = first.replace(/(?:g|ARS)$/, '')
  if (stem === name || world.tables.outsideGValues.has(stem)) return first
  const second = firstLook(stem, method, world)
  if (isName(second, world)) return second
  return first
}

/** Whether the group name without its letter is not a name of the release. */
function isGroupNamedAfterNone(name: string, { tables, habits }: World): boolean {
  if (habits.has('group-letter') || !tables.members.has(name)) return false
  return !tables.lgx.has(name.slice(0, -1)) && !tables.alleles.has(short(name, 2))
}

/** Two-field name of the members; the lowest if they differ. */
function twoFieldsOfMembers(group: string, method: string, world: World): string {
  const members = world.tables.members.get(group) ?? []
  return sorted(new Set(members.map((member) => toTwoFields(member, method, world))))[0] ?? group
}

function firstLook(given: string, method: string, world: World): string {
  const { tables, switches, habits } = world
  const name = relaxed(given, world)
  if (method === 'U2') {
    if (fields(name) === 2) return name
    const two = name.split(':').slice(0, 2).join(':') + letterOf(name)
    return tables.alleles.has(two) ? two : toTwoFields(name, 'lgx', world)
  }
  const two = tables.lgx.get(name) ?? name.split(':').slice(0, 2).join(':')
  if (method === 'lgx') return two
  if (switches.ars) return `${two}ARS`
  return two.endsWith('g') && !habits.has('double-g') ? two : `${two}g`
}

function toAlleles(name: string, world: World, reduceList: ReduceList): readonly string[] {
  const below = world.tables.who.has(name) ? undefined : world.tables.expand.get(name)
  return below === undefined
    ? [name]
    : once(world, `alleles of ${name}`, () => reduceList([...below], 'W', world))
}

function toExon(name: string, world: World, reduceList: ReduceList): readonly string[] {
  if (world.tables.inG.has(name)) {
    const three = short(name, 3)
    const isShortNull = letterOf(name) !== '' && shortNullOf(three + letterOf(name), world) !== undefined
    return [isShortNull ? three + letterOf(name) : three]
  }
  const alleles = toAlleles(name, world, reduceList)
  const [only = ''] = alleles
  if (alleles.length === 1 && (only === name || fields(only) === 2)) return [name]
  return reduceList(alleles, 'exon', world)
}

function toAntigens(name: string, world: World): readonly string[] {
  const { habits } = world
  const isShort = fields(name) === 2
  const covered = coveredBy(name, world)
  if (!habits.has(isShort ? 'null-antigens' : 'short-name-antigens')) {
    if (covered.every((allele) => allele.endsWith('N'))) return []
    if (!isShort) return antigensOfAlleles(covered, world)
  }
  if (!isShort) return antigensOfAllele(name, world)
  const ofClass = antigensOfClass(toTwoFields(name, 'lgx', world), world)
  return ofClass.length > 0 || habits.has('short-name-antigens') ? ofClass : antigensOfAlleles(covered, world)
}

/** Alleles of the list that the name covers. */
export function coveredBy(name: string, { tables }: World): readonly string[] {
  const members = tables.members.get(name)
  if (members !== undefined) return members
  const below = [...(tables.expand.get(name) ?? [])].filter((one) => tables.who.has(one))
  return tables.who.has(name) || below.length === 0 ? [name] : below
}

export function antigensOfAlleles(alleles: readonly string[], world: World): readonly string[] {
  return sorted(new Set(alleles.flatMap((allele) => antigensOfAllele(allele, world))))
}

function antigensOfAllele(allele: string, world: World): readonly string[] {
  return (
    once({ memo: world.shared }, 'antigens of alleles', () => inverse(world, (one) => one)).get(allele) ?? []
  )
}

/** Antigens of all alleles with that lgx name. */
function antigensOfClass(lgx: string, world: World): readonly string[] {
  const classOf = (allele: string) => toTwoFields(allele, 'lgx', world)
  return once({ memo: world.shared }, 'antigens of classes', () => inverse(world, classOf)).get(lgx) ?? []
}

function inverse({ tables }: World, keyOf: (allele: string) => string): Map<string, readonly string[]> {
  const sets = new Map<string, Set<string>>()
  for (const [antigen, alleles] of tables.antigens) {
    for (const allele of alleles) {
      const key = keyOf(allele)
      sets.set(key, (sets.get(key) ?? new Set()).add(antigen))
    }
  }
  return new Map([...sets].map(([key, antigens]) => [key, sorted(antigens)]))
}
