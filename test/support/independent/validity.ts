/** Which leaves are names, codes or antigens of the release: specification 2 and 5, docs/divergences.md. */
import { cuts, readings, respelled } from './fixed.ts'
import { bare, fields, GROUPED, LETTERS, locus, short } from './names.ts'
import { NoAnswer, once, type World } from './world.ts'

const WELL_FORMED = /^(?:[A-Z][A-Z0-9]*\*[A-Za-z0-9]+(?::[A-Za-z0-9]+)*|[A-Z]+[a-z]?\d+)$/

export function malformed(leaf: string): string | undefined {
  if (WELL_FORMED.test(bare(leaf))) return undefined
  if (leaf === '') return 'empty-part'
  return bare(leaf) !== '' && /[^A-Za-z0-9*:]/.test(bare(leaf)) ? 'bad-character' : 'bad-syntax'
}

/** Without strict names: the name with the first of N, Q, L, S that makes it valid. */
export function relaxed(name: string, { tables: { alleles }, switches }: World): string {
  if (switches.strict || alleles.has(name)) return name
  const letter = LETTERS.find((one) => alleles.has(name + one))
  return letter === undefined ? name : name + letter
}

/** Whether the name is valid: after two existing fields any further field is accepted. */
export function isName(name: string, world: World): boolean {
  const { tables, switches } = world
  if (hasFieldOfZeros(name, world)) return false
  const last = name.slice(-1)
  let rest = name
  if (last === 'G' || last === 'P') {
    if (switches.strict) return isGroup(name, world)
    rest = name.slice(0, -1)
  } else if (last === 'g' && !switches.strict) rest = name.slice(0, -1)
  const after = rest.split('*').slice(1)
  if (after.some((right) => right.split(':').some((field) => !/^[\p{L}\p{N}]+$/u.test(field)))) return false
  if (tables.alleles.has(rest)) return true
  return tables.alleles.has(short(rest, 2)) && !isContradicted(rest, world)
}

/** Whether the fields behind two known ones say that it is no name. The peer accepts all. */
function isContradicted(name: string, world: World): boolean {
  const { habits, switches, tables } = world
  if (!switches.strict) return false
  const [, numbers, letter = ''] = /^([^:]*(?::\d+){2,3})([NLSQCA]?)$/.exec(name) ?? []
  if (numbers === undefined) return !habits.has('contradicted-names')
  if (!habits.has('unlistable-fields') && !numbers.split(':').slice(1).every(isField)) return true
  if (habits.has(letter === '' ? 'missing-letters' : 'contradicted-names') || tables.shortNulls.has(name))
    return false
  return ['', 'N', 'L', 'S', 'Q', 'C', 'A'].some((other) => tables.alleles.has(numbers + other))
}

/** A number of two to four digits without surplus zeros. */
function isField(field: string): boolean {
  return /^(?:0[1-9]|[1-9]\d{1,3})$/.test(field)
}

/** Whether a field is zero; fields are numbered from 1. The peer accepts them. */
function hasFieldOfZeros(name: string, { habits }: World): boolean {
  return (
    !habits.has('field-of-zeros') &&
    name
      .split(':')
      .slice(1)
      .some((field) => /^0+$/.test(field))
  )
}

/** A valid name followed by zeros is a time written by a spreadsheet. */
function problemOfZeros(name: string, unknown: string, world: World): string {
  const rest = name.replace(/(?::0+)+$/, '')
  return rest.includes(':') && isName(rest, world) ? 'excel-artifact' : unknown
}

export function isGroup(name: string, { tables }: Pick<World, 'tables'>): boolean {
  return tables.members.has(name)
}

/** The G group of a two-field lgx name that is not an allele name. */
export function groupOfReduced(name: string, { habits, switches, tables }: World): string | undefined {
  if (habits.has('reduced-names') || !switches.strict || tables.alleles.has(name) || fields(name) !== 2)
    return undefined
  return isGroup(`${name}:01G`, { tables }) ? `${name}:01G` : undefined
}

/** The most frequent first field of a code's members; the first among equally frequent ones. */
export function mainField(members: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const member of members) counts.set(short(member, 1), (counts.get(short(member, 1)) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0] ?? ''
}

export interface FoundCode {
  readonly names: readonly string[]
  readonly isGeneric: boolean
}

/** Names that a code with this locus and first field covers, existing or not; undefined if there is no such code. */
export function codeNames(name: string, { codes }: World): FoundCode | undefined {
  const [left = '', code = '', ...more] = name.split(':')
  const members = more.length > 0 || !/^\p{L}+$/u.test(code) ? undefined : codes.get(code)
  if (members === undefined) return undefined
  const isGeneric = !members.some((member) => member.includes(':'))
  if (isGeneric) return { names: members.map((member) => `${left}:${member}`), isGeneric }
  if (left.slice(left.lastIndexOf('*') + 1) !== mainField(members)) return undefined
  return { names: members.map((member) => `${locus(left)}*${member}`), isGeneric }
}

/** Present spelling of an old name, if an allele or code has it. */
export function modern(name: string, world: World): string | undefined {
  return modernOf(name, world, world.habits.has('before-2002') ? [respelled(name)] : readings(name))
}

function modernOf(name: string, world: World, spellings: readonly string[]): string | undefined {
  if (!world.switches.v2 || !name.includes('*') || name.includes(':')) return undefined
  if (['MICA', 'MICB', 'HFE'].includes(locus(name))) return undefined
  const isPeers = world.habits.has('before-2002')
  const isKnown = (spelling: string) =>
    world.tables.alleles.has(spelling) ||
    codeNames(spelling, world) !== undefined ||
    (!isPeers && fields(spelling) > 2 && world.tables.shortNulls.has(spelling))
  return spellings.find((one) => one !== name && isKnown(one))
}

/** Whether the name has several possible readings, none of them by the peer's rules. */
export function isDoubtful(name: string, world: World): boolean {
  if (world.habits.has('before-2002') || modernOf(name, world, [respelled(name)]) !== undefined) return false
  return cuts(name).filter((one) => modernOf(name, world, [one]) !== undefined).length > 1
}

export function isAntigen(name: string, { tables }: World): boolean {
  return !/[*:]/.test(name) && tables.antigens.has(name)
}

/** The family of an XX code; the peer allows any suffix. */
export function xxFamily(name: string, { tables, habits }: World): string | undefined {
  const [family = '', second, ...more] = name.split(':')
  if (second !== 'XX' || (more.length > 0 && !habits.has('codes-end-a-name'))) return undefined
  return tables.xx.has(family) ? family : undefined
}

export function shortNullOf(name: string, { tables, switches }: World): readonly string[] | undefined {
  return switches.shortNull ? tables.shortNulls.get(name) : undefined
}

export function isIgnored(name: string, { switches }: World): boolean {
  return name.includes('*') && switches.ignored.includes(name.slice(name.indexOf('*') + 1))
}

/** @throws {NoAnswer} with the fault of the leaf */
export function checkLeaf(leaf: string, world: World): void {
  const { habits, switches } = world
  const wrong = malformed(leaf)
  if (wrong !== undefined && !isLetPass(leaf, world)) throw new NoAnswer(wrong)
  if (habits.has('codes-need-a-locus') && !switches.strict) return
  const problem = once(world, `check ${switches.strict} ${leaf}`, () => problemOf(bare(leaf), world) ?? '')
  if (problem !== '') throw new NoAnswer(problem)
}

/** Whether the peer accepts a leaf that is malformed for us. */
function isLetPass(leaf: string, world: World): boolean {
  const { habits, switches } = world
  if (!switches.strict) return habits.has('malformed')
  const name = bare(leaf)
  const isAlphanumeric = /^[\p{L}\p{N}*:]+$/u.test(name)
  const isForeign = isAlphanumeric && name.split('*').length <= 2 && /[^A-Za-z0-9*:]/.test(name)
  if (habits.has('foreign-characters') && isForeign) return true
  if (habits.has('codes-end-a-name') && xxFamily(name, world) !== undefined) return true
  if (!habits.has('codes-need-a-locus') || codeNames(name, world) === undefined) return false
  return isAlphanumeric || !name.includes('*')
}

function problemOf(name: string, world: World): string | undefined {
  const { switches, habits, tables } = world
  if (name === '' || name.endsWith('*') || (name.includes('*') && /[^\p{L}\p{N}*:]/u.test(name)))
    return 'bad-syntax'
  if (isIgnored(name, world)) return undefined
  if (isDoubtful(name, world)) return 'ambiguous-old-name'
  const present = modern(name, world)
  if (present !== undefined) return habits.has('old-spelling') ? undefined : problemOf(present, world)
  if (!name.includes('*') && !name.includes(':'))
    return isAntigen(name, world) ? undefined : 'unknown-antigen'
  const unknown = tables.loci.has(locus(name)) ? 'unknown-allele' : 'unknown-locus'
  if (/^[^:]*:XX(?:$|:)/.test(name)) return xxFamily(name, world) === undefined ? unknown : undefined
  if (/^[^:]*:\p{L}+$/u.test(name)) return codeProblem(name, unknown, world)
  if (/^[^:]*:[A-Za-z]+:/.test(name) && !habits.has('codes-end-a-name')) return unknown
  if (shortNullOf(name, world) !== undefined) return undefined
  if (!habits.has('published-group-names') && tables.published.has(name)) return undefined
  if (groupOfReduced(name, world) !== undefined) return undefined
  if (hasFieldOfZeros(name, world)) return problemOfZeros(name, unknown, world)
  if (!switches.strict)
    return name.includes(':') || !GROUPED.has(locus(name))
      ? undefined
      : (problemOfOldCode(name, world) ?? unknown)
  return isName(name, world) ? undefined : (problemOfOldCode(name, world) ?? unknown)
}

/** A code without its colon: `B*35UMU`. */
function problemOfOldCode(name: string, { codes, tables, switches }: World): string | undefined {
  const [, code] = /^[^*]*\*\d\d([A-Z]{2,})$/.exec(name) ?? []
  const isOld = switches.v2 && tables.loci.has(locus(name)) && !['MICA', 'MICB', 'HFE'].includes(locus(name))
  if (code === undefined || !isOld || code === 'XX') return undefined
  return codes.has(code) ? 'mac-invalid-group' : 'unknown-mac'
}

function codeProblem(name: string, unknown: string, world: World): string | undefined {
  const { codes, tables, habits } = world
  const found = codeNames(name, world)
  const isKnown = codes.has(name.slice(name.indexOf(':') + 1))
  if (habits.has('codes-need-a-locus')) return found === undefined ? 'unknown-mac' : undefined
  if (!tables.loci.has(locus(name))) return 'unknown-locus'
  if (found === undefined) return isKnown ? 'mac-invalid-group' : 'unknown-mac'
  if (found.isGeneric && !tables.firstFields.has(short(name, 1))) return unknown
  const isEmpty = found.names.every((one) => !tables.alleles.has(one))
  return isEmpty && !habits.has('mac-empty') ? 'mac-empty-expansion' : undefined
}
