/** Reduction of codes. Their members come again in thousands of others: what each becomes is kept by its number. */
import { assured } from '../../errors.ts'
import { distinctParts, type SortPart } from '../../nomenclature/order.ts'
import type { MacExpansion } from '../../reference/mac-table.ts'
import type { Code } from '../designate.ts'
import type { Engine } from '../engine.ts'
import { withoutShortNull } from '../expand/covered.ts'
import { beforeMembers, expandMac } from '../expand/mac.ts'
import type { Method } from './methods.ts'
import { keepMember, findMemo, type NameRun, reduceName } from './typing-memo.ts'

/**
 * What the members become, in their order; the same part may come twice.
 * @throws {HlaError} mac-empty-expansion, starter
 */
export function reduceCode({ mac, definition }: Code, run: NameRun): readonly SortPart[] {
  const { release } = run.engine
  const { parts, valid } = reduceMembers(beforeMembers(mac, definition), definition, run)
  const isWhole = valid === definition.members.length
  // says what is wrong with a code of no valid allele, or with one that the starter set does not hold
  if (!isWhole && (valid === 0 || release.facts.dataset === 'starter')) expandMac(mac, run.engine)
  return parts
}

/**
 * The answer of `redux` to `A*01:AB`, in parts of a list, where codes behind `A*01` were asked about before and all is plain;
 * undefined: to be asked about.
 */
export function knownCode(
  engine: Engine,
  method: Method,
  family: string,
  code: string,
): readonly SortPart[] | undefined {
  const memo = findMemo(engine, method)
  const before = `${family}:`
  const isKnown = memo.members.has(before) && engine.release.facts.dataset === 'full'
  const definition = isKnown ? engine.mac?.expand(code) : undefined
  if (definition === undefined || !definition.generic) return undefined
  const { parts } = reduceMembers(before, definition, { engine, method, memo })
  return parts.length === 0 ? undefined : distinctParts(parts)
}

function reduceMembers(before: string, definition: MacExpansion, run: NameRun) {
  const { members } = definition
  const numbers = memberNumbers(definition)
  const known = run.memo.members.get(before) ?? []
  run.memo.members.set(before, known)
  const parts: SortPart[] = []
  let valid = 0
  for (let at = 0; at < members.length; at += 1) {
    const number = assured(numbers[at], 'every member of a code has a number')
    const found = known[number]
    const reduced = found === undefined ? reduceMember(before + members[at], run) : found
    if (found === undefined) keepMember(known, number, reduced)
    if (reduced === null) continue
    valid += 1
    for (const part of reduced) parts.push(part)
  }
  return { parts, valid }
}

function reduceMember(name: string, run: NameRun): readonly SortPart[] | null {
  if (!run.engine.release.is('allele', name)) return null
  const names = withoutShortNull(name, run.engine)
  const [only] = names
  if (only !== undefined && names.length === 1) return reduceName(only, run)
  return names.flatMap((one) => reduceName(one, run))
}

const numbered = new WeakMap<MacExpansion, readonly number[]>()
/** Of the texts of members, of which there are some thousands. */
const memberTextNumbers = { generic: new Map<string, number>(), specific: new Map<string, number>() }

function memberNumbers(definition: MacExpansion): readonly number[] {
  const known = numbered.get(definition)
  if (known !== undefined) return known
  const ofTexts = memberTextNumbers[definition.generic ? 'generic' : 'specific']
  const numbers: number[] = []
  for (const member of definition.members) {
    const number = ofTexts.get(member) ?? ofTexts.size
    if (number === ofTexts.size) ofTexts.set(member, number)
    numbers.push(number)
  }
  numbered.set(definition, numbers)
  return numbers
}
