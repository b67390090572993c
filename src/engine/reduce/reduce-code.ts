/** Reduction of codes. The same members occur in thousands of codes: each member's reduction is kept by number. */
import { assured, type Loss } from '../../errors.ts'
import { firstField, twoFields } from '../../nomenclature/allele.ts'
import type { SortPart } from '../../nomenclature/order.ts'
import type { MacExpansion } from '../../reference/mac-table.ts'
import type { Code } from '../designate.ts'
import type { Engine } from '../engine.ts'
import { withoutShortNull } from '../expand/covered.ts'
import { expandMac, isOwnMember, listLosses } from '../expand/expand-mac.ts'
import { beforeMembers } from '../expand/mac.ts'
import { expressionOf } from '../expand/nulls.ts'
import { splitSuffix } from '../lift/relation.ts'
import type { MemberParts, TypingMemo } from '../memory.ts'
import { keepMember, type NameRun, reduceName } from './typing-memo.ts'

export interface ReducedCode {
  /** Reductions of the members, in order; a part may repeat. */
  readonly parts: readonly SortPart[]
  /** Members whose answer no other member gives: left out, read by another name, or without their expression letter. */
  readonly losses: readonly Loss[]
}

/** @throws {HlaError} mac-empty-expansion, starter */
export function reduceCode(code: Code, run: NameRun): ReducedCode {
  const { mac, definition } = code
  const { release, membersOf } = run.engine
  const before = beforeMembers(mac, definition)
  const known = run.memo.members.get(before) ?? []
  run.memo.members.set(before, known)
  const numbers = memberNumbers(definition, run.memo)
  const { parts, valid } = reduceMembers({ before, definition, numbers, known, run })
  const isWhole = valid === definition.members.length
  // throws the error for a code without valid alleles, or one that the starter set lacks
  if (!isWhole && (valid === 0 || release.facts.dataset === 'starter')) expandMac(mac, run.engine)
  const losses = findLosses(code, parts, run)
  const lifted =
    membersOf !== undefined
      ? losses.flatMap(({ present = [] }) => present.flatMap((name) => reduceValid(name, run)))
      : []
  return { parts: lifted.length === 0 ? parts : [...parts, ...lifted], losses }
}

function reduceValid(name: string, run: NameRun): readonly SortPart[] {
  return withoutShortNull(name, run.engine).flatMap((one) => reduceName(one, run))
}

/**
 * Losses that change the answer: half of the codes of sixty members have a renamed one, most codes of G groups have null
 * alleles, and few answers depend on them.
 */
function findLosses({ mac, definition }: Code, parts: readonly SortPart[], run: NameRun): readonly Loss[] {
  const before = beforeMembers(mac, definition)
  const names = definition.members.map((member) => before + member)
  const valid = names.filter((name) => isOwnMember(name, run.engine))
  const letters = lostLetters(valid, run)
  if (valid.length === names.length) return letters
  const answered = new Set(parts.map(({ text }) => text))
  const missing = listLosses(mac, definition, run.engine).filter((loss) => !isAnswered(loss, answered, run))
  return [...missing, ...letters]
}

const NO_LOSSES: readonly Loss[] = []

/** Members reduced to a name without their letter that no member without a letter has. */
function lostLetters(names: readonly string[], run: NameRun): readonly Loss[] {
  if (run.method === 'S' || run.method === 'hats') return NO_LOSSES
  const lettered = names.filter((name) => letteredNames(name, run.engine).length > 0)
  if (lettered.length === 0) return NO_LOSSES
  const plain = names.filter((name) => !lettered.includes(name))
  const answered = new Set(plain.flatMap((name) => reduceValid(name, run).map(({ text }) => text)))
  return lettered.flatMap((name) => {
    const reduced = reduceValid(name, run)
    return reduced.some(({ text }) => !answered.has(text)) ? letterLosses(name, reduced, run.engine) : []
  })
}

/** Losses of a name that stands for alleles with a letter alone, where no reduction has the letter. */
export function letterLosses(name: string, reduced: readonly SortPart[], engine: Engine): readonly Loss[] {
  const names = letteredNames(name, engine)
  const letters = new Set(reduced.map(({ text }) => splitSuffix(text.replace(/(?:g|ARS)$/, '')).letter))
  return names.flatMap((one) => (letters.has(splitSuffix(one).letter) ? [] : [{ name: one, kind: 'letter' }]))
}

/** The name, if it has a letter; the null alleles of one without, such as A*01:04, that has no others. */
function letteredNames(name: string, { release }: Engine): readonly string[] {
  if (splitSuffix(name).letter !== '') return [name]
  // listing the alleles of a name takes longer than finding that it has no null
  const lettered = `${release.is('allele', name) ? name : twoFields(name)}N`
  const mayBeNull = release.is('allele', lettered) || release.listOf('shortNull', lettered) !== undefined
  if (!mayBeNull && !/[GP]$/.test(name)) return []
  const { nulls, isExpressed } = expressionOf(name, release)
  return isExpressed ? [] : nulls
}

/** True when the answer has the reduction of the member all the same; that of an unlisted name is known by 1F only. */
function isAnswered({ name, present }: Loss, answered: ReadonlySet<string>, run: NameRun): boolean {
  if (present !== undefined)
    return present.every((one) => reduceValid(one, run).every(({ text }) => answered.has(text)))
  return run.method === '1F' && answered.has(firstField(name))
}

interface CodeMembers {
  /** `A*01:` */
  readonly before: string
  readonly definition: MacExpansion
  /** Numbers of its members. */
  readonly numbers: readonly number[]
  /** Reductions by member number, shared by all codes after `before`. */
  readonly known: MemberParts
  readonly run: NameRun
}

function reduceMembers(members: CodeMembers) {
  const parts: SortPart[] = []
  let valid = 0
  for (let at = 0; at < members.numbers.length; at += 1) {
    const reduced = findMember(members, at)
    if (reduced === null) continue
    valid += 1
    for (const part of reduced) parts.push(part)
  }
  return { parts, valid }
}

/** Reduction of the member at an index; null when it is not an allele. */
function findMember({ before, definition, numbers, known, run }: CodeMembers, at: number) {
  const number = assured(numbers[at], 'every member of a code has a number')
  const found = known[number]
  if (found !== undefined) return found
  const reduced = reduceMember(before + definition.members[at], run)
  keepMember(known, number, reduced, run.memo)
  return reduced
}

function reduceMember(name: string, run: NameRun): readonly SortPart[] | null {
  if (!isOwnMember(name, run.engine)) return null
  const names = withoutShortNull(name, run.engine)
  const [only] = names
  if (only !== undefined && names.length === 1) return reduceName(only, run)
  return names.flatMap((one) => reduceName(one, run))
}

function memberNumbers(definition: MacExpansion, { memory: { codes } }: TypingMemo): readonly number[] {
  const known = codes.known.get(definition)
  if (known !== undefined) return known
  const ofTexts = codes[definition.generic ? 'generic' : 'specific']
  const numbers: number[] = []
  for (const member of definition.members) {
    const number = ofTexts.get(member) ?? ofTexts.size
    if (number === ofTexts.size) ofTexts.set(member, number)
    numbers.push(number)
  }
  codes.known.set(definition, numbers)
  return numbers
}
