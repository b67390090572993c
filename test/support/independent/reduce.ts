/** Reduction of whole GL Strings: specification 3 and 6. */
import { type ReduceList, reduceName } from './methods.ts'
import { bare, grouped, GROUPED, locus } from './names.ts'
import { sorted } from './order.ts'
import { sortAsPeer } from './peer-order.ts'
import {
  checkLeaf,
  codeNames,
  groupOfReduced,
  isAntigen,
  isIgnored,
  modern,
  shortNullOf,
  xxFamily,
} from './validity.ts'
import { leavesOf, NoAnswer, once, type World } from './world.ts'

/** Names that every comparison accepts. */
const PLAIN = /^(?:HLA-)?[A-Z0-9]+\*\d+:\d+(?::\d+)*[NQLSGPg]?$/

export type Answer = { readonly text: string } | { readonly error: string }

/** The reduced text, which is not empty, or the code of an error. */
export function answer(text: string, method: string, world: World): Answer {
  try {
    const reduced = reduceText(text, method, world)
    if (reduced !== '' || world.habits.has('no-silence')) return { text: reduced }
    return { error: hasAlleles(text, world) ? 'no-serology' : 'no-alleles' }
  } catch (error) {
    if (error instanceof NoAnswer) return { error: error.code }
    throw error
  }
}

/** The first leaf decides between the two errors for an empty result. */
function hasAlleles(text: string, world: World): boolean {
  const [first = ''] = leavesOf(text, world)
  return !isAntigen(bare(first), world) || world.tables.antigens.get(bare(first))?.size !== 0
}

function reduceText(text: string, method: string, world: World): string {
  const isPeer = world.habits.has('coded-errors') && world.switches.strict
  if (isPeer) for (const leaf of leavesOf(text, world)) checkLeaf(leaf, world)
  return reduceParts(text, method, world)
}

function reduceParts(text: string, method: string, world: World): string {
  const loosest = world.habits.has('possible-genes') ? [] : ['?']
  const operator = [...loosest, '^', '|', '+', '~', '/'].find((one) => text.includes(one))
  if (operator === undefined) return reduceLeaf(text, method, world)
  const parts = text.split(operator).map((part) => reduceParts(part, method, world))
  const joined = together(operator, parts, world)
  // the peer treats an unchanged list of genotypes as a single name
  const isUnchanged = joined === text && !/[/+^~]/.test(text) && world.habits.has('unchanged-lists')
  return isUnchanged ? reduceLeaf(text, method, world) : joined
}

function together(operator: string, parts: readonly string[], { habits, switches }: World): string {
  const left = parts.filter((part) => part !== '')
  if (operator === '~') return (habits.has('dangling-tilde') ? parts : left).join('~')
  const all = operator === '+' ? left : [...new Set(left.flatMap((part) => part.split(operator)))]
  const distinct = operator === '+' || habits.has('equal-but-for-prefix') ? all : withoutTwins(all)
  if (habits.size > 0 && !distinct.every((one) => PLAIN.test(one))) {
    if (habits.has('coded-errors') && sortAsPeer(distinct, switches.ignored) === undefined)
      throw new NoAnswer('peer')
  }
  const asPeer =
    operator === '+' && habits.has('genotype-order') ? sortAsPeer(left, switches.ignored) : undefined
  if (asPeer !== undefined) return asPeer.join('+')
  return sorted(distinct, switches.ignored).join(operator)
}

/** Of parts that are equal but for `HLA-` the one with most of them, or the first of these. */
function withoutTwins(parts: readonly string[]): readonly string[] {
  const twins = grouped(parts.map((part) => [part.replaceAll('HLA-', ''), part])).values()
  return [...twins].map((same) => same.sort((a, b) => b.length - a.length || (a < b ? -1 : 1))[0] ?? '')
}

function reduceLeaf(leaf: string, method: string, world: World): string {
  return once(world, `${method} ${leaf}`, () => {
    const isPrefixed = leaf.startsWith('HLA-')
    // the peer cuts at the next hyphen, unless it refuses the name
    const name = world.habits.has('malformed') && isPrefixed ? (leaf.split('-')[1] ?? '') : bare(leaf)
    if (!/[|]/.test(leaf)) checkLeaf(leaf, world)
    const reduced = new Set(namesOf(name, method, world))
    return together(
      '/',
      [...reduced].map((one) => (isPrefixed ? `HLA-${one}` : one)),
      world,
    )
  })
}

const reduceList: ReduceList = (names, method, world) => {
  const all = new Set(names.flatMap((name) => namesOf(name, method, world, true)))
  return sorted(all, world.switches.ignored)
}

/** Reduces a leaf without `HLA-`, or a member of its expansion. */
function namesOf(name: string, method: string, world: World, isMember = false): readonly string[] {
  const { habits, switches, tables } = world
  if (isIgnored(name, world) && (!isMember || habits.has('ignored-members'))) return [name]
  const present = modern(name, world)
  const isGrouped = GROUPED.has(locus(name))
  if (name.split('*').length > 2) throw new NoAnswer('peer')
  if (name.includes('*') && !isGrouped) return [habits.has('old-spelling') ? name : (present ?? name)]
  if (present !== undefined) return namesOf(present, method, world)
  if (isAntigen(name, world)) {
    if (!switches.serology) throw new NoAnswer('not-expanded')
    const alleles = [...(tables.antigens.get(name) ?? [])].filter((allele) => tables.alleles.has(allele))
    return reduceList(alleles, method, world)
  }
  if (!name.includes(':') || name.split(':').slice(1).includes('')) throw new NoAnswer('peer')
  const listed = listOf(name, world)
  if (listed !== undefined) return reduceList(listed, method, world)
  const read = habits.has('published-group-names') ? name : (tables.published.get(name) ?? name)
  return reduceName(groupOfReduced(read, world) ?? read, method, world, reduceList)
}

/** Expansion of a code or short null. */
function listOf(name: string, world: World): readonly string[] | undefined {
  const { switches, tables } = world
  const family = xxFamily(name, world)
  if (family !== undefined && switches.xx) return tables.xx.get(family)
  if (switches.mac && /^[^:]*:\p{L}+(?:$|:)/u.test(name)) {
    if (family !== undefined) throw new NoAnswer('not-expanded')
    const found = codeNames(name, world)
    if (found === undefined) throw new NoAnswer('unknown-mac')
    const existing = found.names.filter((one) => tables.alleles.has(one))
    if (existing.length === 0) throw new NoAnswer('mac-empty-expansion')
    return existing
  }
  return shortNullOf(name, world)
}
