/** What the peer (py-ard 2.3.1) would answer where we mean to differ: our own reduction with single habits of the peer switched back on. */
import { designate, type Designation } from '../../src/engine/designate.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { isGroupName, isValidName, membersInstead, withMissingLetter } from '../../src/engine/names.ts'
import { reduceToLgx } from '../../src/engine/reduce/ard.ts'
import { METHODS, type Method } from '../../src/engine/reduce/methods.ts'
import {
  countFields,
  cutFields,
  hasPrefix,
  locusOf,
  PREFIX,
  withoutGroupLetter,
  withoutPrefix,
} from '../../src/nomenclature/allele.ts'
import { isGrouped } from '../../src/nomenclature/locus.ts'
import { sortParts } from '../../src/nomenclature/order.ts'
import { sortAsPeer } from './peer-order.ts'

/** Habits of the peer that we did not take over, named as in docs/divergences.md. */
export const HABITS = [
  'group-letter',
  'reduced-names',
  'published-group-names',
  'short-name-antigens',
  'null-antigens',
  'dangling-tilde',
  'genotype-order',
  'old-spelling',
] as const
export type Habit = (typeof HABITS)[number]

interface Peer {
  readonly engine: Engine
  readonly method: Method
  readonly habits: ReadonlySet<Habit>
}

/** undefined where the peer raises an error. */
export function peerAnswer(engine: Engine, input: string, method: Method, habits: ReadonlySet<Habit>) {
  return reduceText(input, { engine, method, habits })
}

/** Splits at the loosest operator that occurs, reduces each part, puts the answers together (specification 3). */
function reduceText(text: string, peer: Peer): string | undefined {
  const operator = ['^', '|', '+', '~', '/'].find((one) => text.includes(one))
  if (operator === undefined) return reduceLeaf(text, peer)
  const reduced = text.split(operator).map((part) => reduceText(part, peer))
  const parts = reduced.filter((part) => part !== undefined)
  if (parts.length < reduced.length) return undefined
  return joinParts(operator, parts, peer)
}

function joinParts(operator: string, parts: readonly string[], { engine, habits }: Peer): string | undefined {
  const filled = parts.filter((part) => part !== '')
  const { ignoredSuffixes } = engine.options
  if (operator === '~') return (habits.has('dangling-tilde') ? parts : filled).join('~')
  const last = (part: string) => ignoredSuffixes.includes(part.slice(part.indexOf('*') + 1))
  if (operator === '+' && habits.has('genotype-order')) return sortAsPeer(filled, ignoredSuffixes)?.join('+')
  const distinct = operator === '+' ? filled : [...new Set(filled.flatMap((part) => part.split(operator)))]
  return sortParts(distinct, ignoredSuffixes.length === 0 ? undefined : last).join(operator)
}

function reduceLeaf(leaf: string, peer: Peer): string | undefined {
  const names = reduceName(withoutPrefix(leaf), peer)
  if (names === undefined) return undefined
  const prefix = hasPrefix(leaf) ? PREFIX : ''
  const distinct = [...new Set(names)].map((name) => prefix + name)
  return distinct.length === 0 ? '' : joinParts('/', distinct, peer)
}

function reduceName(name: string, peer: Peer): readonly string[] | undefined {
  const { engine, habits } = peer
  if (habits.has('published-group-names') && name in engine.release.facts.groupAliases) return undefined
  if (habits.has('reduced-names') && isReducedOnly(name, engine)) return undefined
  const designation = attempt(() => designate(name, engine))
  if (designation === undefined) return undefined
  if (designation.as === 'typed')
    return [habits.has('old-spelling') && isOldSpelling(name) ? name : designation.name]
  const reduced = listOf(designation).map((one) => reduceOne(one, peer))
  const answers = reduced.filter((one) => one !== undefined)
  return answers.length < reduced.length ? undefined : answers.flat()
}

function listOf(designation: Exclude<Designation, { as: 'typed' }>): readonly string[] {
  return designation.as === 'list' ? designation.names : [designation.name]
}

function reduceOne(name: string, peer: Peer): readonly string[] | undefined {
  const { engine, habits, method } = peer
  if ((method === 'G' || method === 'P') && habits.has('group-letter'))
    return reduceToGroup(name, method, engine)
  if (method === 'S') return antigensOf(name, peer)
  if ((method === 'lgx' || method === 'lg') && habits.has('group-letter') && isNamedAfterNone(name, engine))
    return attempt(() => METHODS[method].reduce(withoutGroupLetter(name), engine))
  return attempt(() => METHODS[method].reduce(name, engine))
}

/** The letter is dropped first, whatever the name (A5, A6). */
function reduceToGroup(name: string, method: 'G' | 'P', engine: Engine): readonly string[] | undefined {
  const { release, options } = engine
  const bare = withoutGroupLetter(options.strict ? name : withMissingLetter(name, engine))
  const group = release.valueOf(method === 'G' ? 'g' : 'p', bare)
  const several = method === 'G' && group !== undefined ? release.listOf('gDuplicates', bare) : undefined
  if (several !== undefined) return several
  if (group !== undefined) return [group]
  const known = /[GP]$/.test(bare) ? isGroupName(bare, release) : isValidName(bare, engine)
  return known ? [bare] : undefined
}

/** Two fields go through lgx, even of a null allele (A10); anything else is looked up exactly as written (A9). */
function antigensOf(name: string, { engine, habits }: Peer): readonly string[] | undefined {
  const { release, options } = engine
  const full = options.strict ? name : withMissingLetter(name, engine)
  const short = countFields(full) === 2
  const byName = habits.has('short-name-antigens')
  const isLost = byName && METHODS.S.reduce(name, engine).length > 0
  if (short && (habits.has('null-antigens') || isLost)) {
    const lgx =
      byName && isNamedAfterNone(full, engine) ? withoutGroupLetter(full) : reduceToLgx(full, engine)
    return release.listOf(options.ping ? 'lgxAntigens' : 'lgxAntigensPlain', lgx) ?? []
  }
  if (!short && habits.has('short-name-antigens')) return release.listOf('alleleAntigens', full) ?? []
  return attempt(() => METHODS.S.reduce(name, engine))
}

/** A group that has no name of the release: we answer by its members, the peer by the letters of its name. */
function isNamedAfterNone(name: string, engine: Engine): boolean {
  return membersInstead(name, cutFields(withoutGroupLetter(name), 2), engine) !== undefined
}

function isReducedOnly(name: string, engine: Engine): boolean {
  return engine.release.is('reduced', name) && !isValidName(name, engine)
}

function isOldSpelling(name: string): boolean {
  return name.includes('*') && !name.includes(':') && !isGrouped(locusOf(name))
}

function attempt<T>(answer: () => T): T | undefined {
  try {
    return answer()
  } catch {
    return undefined
  }
}
