/** Allele list -> codes for exactly that list: sets are compared, so order, repeats and leading zeros do not matter. */
import { HlaError, type Note } from '../../errors.ts'
import { countFields, hasPrefix, readLocus, PREFIX, withoutPrefix } from '../../nomenclature/allele.ts'
import type { GlLeaf } from '../../nomenclature/gl-string.ts'
import type { MacTable } from '../../reference/mac-table.ts'
import { parseAlleleList } from './allele-list.ts'
import { unknownName } from '../designate.ts'
import { type Engine, requireMacTable, releaseTitle } from '../engine.ts'
import { mainFirstField, parseMac, starterError } from './mac.ts'
import { locateError } from '../locate-error.ts'

export interface FoundCodes {
  /** Best first, with locus, first field, and `HLA-` when the list begins with it; never empty. */
  readonly codes: readonly string[]
  readonly notes: readonly Note[]
}

/**
 * Codes for an allele list. Codes of second fields precede those with their own first fields; then shortest, then by
 * alphabet.
 * @throws {HlaError} as `parseAlleleList`; no-mac — no such code, or a member that no code can hold; unknown-locus;
 * no-data; starter — the built-in list of codes may lack it
 */
export function lookUpCodes(engine: Engine, text: string): FoundCodes {
  const leaves = parseAlleleList(text)
  const [first] = leaves
  const locus = readLocus(withoutPrefix(first?.text ?? ''))
  const members = leaves.map((leaf) => toMember(leaf, engine))
  const found = listMemberCodes(requireMacTable(engine), locus, members)
  const notes = notesOnUnknown(leaves, engine)
  if (found.length === 0) throw noCode(text, new Set(members).size, engine)
  const prefix = hasPrefix(text) ? PREFIX : ''
  return { codes: found.map((code) => prefix + code), notes }
}

/** Codes at `locus` for members such as `01:02`; empty when there are none. */
export function listMemberCodes(table: MacTable, locus: string, members: readonly string[]): string[] {
  const families = new Set(members.map(readFirstField))
  const [family = ''] = families
  const seconds = members.map((member) => member.slice(member.indexOf(':') + 1))
  const generic = families.size === 1 ? table.codesOf(seconds, true) : []
  const specific = table.codesOf(members, false)
  return [
    ...generic.map((code) => `${locus}*${family}:${code}`),
    // a code with its own first fields is filed under the most frequent of them
    ...specific.map(
      (code) => `${locus}*${mainFirstField(table.expand(code)?.members ?? members) ?? family}:${code}`,
    ),
  ]
}

function readFirstField(member: string): string {
  return member.slice(0, member.indexOf(':'))
}

/** `A*01:04N` -> `01:04N`. */
function toMember(leaf: GlLeaf, engine: Engine): string {
  const name = withoutPrefix(leaf.text)
  const member = /\*(\d+:\d+[NQLSCA]?)$/.exec(name)?.[1]
  if (member === undefined) throw locateError(new HlaError('no-mac', reasonAgainst(name)), leaf)
  if (!engine.release.facts.loci.includes(readLocus(name))) throw locateError(unknownName(name, engine), leaf)
  return member
}

function reasonAgainst(name: string): string {
  const shown = name.slice(0, 60)
  if (parseMac(name) !== undefined || name.endsWith(':XX'))
    return `${shown} is a code itself: expand it first`
  if (countFields(name) > 2) return `${shown} has more than two fields, and MACs stand for two-field names`
  return `${shown} is not a two-field allele name, and MACs stand only for those`
}

function noCode(text: string, count: number, engine: Engine): HlaError {
  if (engine.release.facts.dataset === 'starter') return starterError(text, engine)
  const { date } = requireMacTable(engine)
  const what = count === 1 ? 'this allele' : `exactly these ${count} alleles`
  return new HlaError('no-mac', `no code of the MAC list of ${date} stands for ${what}`, {
    offending: text,
    position: [0, text.length],
  })
}

/** A note, not an error: codes also stand for alleles of other releases. */
function notesOnUnknown(leaves: readonly GlLeaf[], engine: Engine): Note[] {
  const unknown = leaves.filter(({ text }) => !engine.release.is('allele', withoutPrefix(text)))
  const [first] = unknown
  if (first === undefined) return []
  if (engine.release.facts.dataset === 'starter') throw locateError(starterError(first.text, engine), first)
  const all = unknown.length === leaves.length
  const names = unknown.map(({ text }) => text).slice(0, 4).join(', ') // prettier-ignore
  const more = unknown.length > 4 ? ` and ${unknown.length - 4} more` : ''
  const message = all
    ? `none of these alleles is in ${releaseTitle(engine)}`
    : `not in ${releaseTitle(engine)}: ${names}${more}`
  const position = [first.start, first.start + first.text.length] as const
  return [
    { level: all ? 'warning' : 'detail', code: 'unknown-allele', message, offending: first.text, position },
  ]
}
