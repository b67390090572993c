/** Multiple Allele Code or XX code as typed -> its names. */
import { advice, command } from '../advice.ts'
import { HlaError, isHlaError, type Note } from '../errors.ts'
import {
  countFields,
  hasPrefix,
  isGrouped,
  readLocus,
  PREFIX,
  withoutPrefix,
} from '../nomenclature/allele.ts'
import { findMalformation, malformedError } from '../nomenclature/grammar.ts'
import { designate, unknownName } from './designate.ts'
import type { Engine } from './engine.ts'
import { expandHats } from './expand/hats.ts'
import { expandFamily, expandMac, memberNotes } from './expand/expand-mac.ts'
import { findDefinition, listMacNames, parseMac } from './expand/mac.ts'
import { withoutSwitches } from './expand/nulls.ts'
import { locateError } from './locate-error.ts'

export interface ExpandOptions {
  /** Also accept XX codes. */
  readonly xx?: boolean | undefined
  /** Names as the list defines them, including those that do not exist. */
  readonly raw?: boolean | undefined
  /** All two-field names with the HATS antigens of the code's names. */
  readonly hats?: boolean | undefined
}

export interface ExpandedCode {
  /** Never empty; in the order of the list, with `HLA-` when the code has it. */
  readonly names: readonly string[]
  readonly notes: readonly Note[]
}

/**
 * @throws {HlaError} not-a-single-allele, xx-not-mac, unknown-mac, mac-invalid-group, mac-empty-expansion,
 * unknown-locus, unknown-allele, no-data, starter; no-hats, no-serology; as `findMalformation` for a malformed name
 */
export function expandCode(engine: Engine, text: string, options: ExpandOptions = {}): ExpandedCode {
  const leaf = { text, start: 0 }
  checkSingle(text)
  const malformed = findMalformation(text)
  if (malformed !== undefined) throw malformedError(malformed, text, 0)
  try {
    const members = expandName(withoutPrefix(text), text, engine, options)
    const expanded = options.hats === true ? withNotesOf(members, expandHats(engine, members.names)) : members
    return hasPrefix(text) ? { ...expanded, names: expanded.names.map((name) => PREFIX + name) } : expanded
  } catch (error) {
    throw isHlaError(error) ? locateError(error, leaf) : error
  }
}

function withNotesOf({ notes }: ExpandedCode, expanded: ExpandedCode): ExpandedCode {
  return { names: expanded.names, notes: [...notes, ...expanded.notes] }
}

/** True for a text in the form of a code: `A*01:AB`, `A*01:XX`. */
export function isWrittenAsCode(text: string): boolean {
  const name = withoutPrefix(text)
  return isWrittenAsXx(name) || (name.includes('*') && parseMac(name) !== undefined)
}

export function isWrittenAsXx(name: string): boolean {
  return name.endsWith(':XX') && countFields(name) === 2
}

/**
 * Two-field names of an XX code, in order.
 * @throws {HlaError} unknown-locus, unknown-allele — no such family; starter
 */
export function expandXx(engine: Engine, name: string): ExpandedCode {
  const found = designate(name, withoutSwitches(engine))
  const names = expandFamily(name.slice(0, -3), engine)?.names ?? []
  return { names, notes: found.as === 'list' ? found.notes : [] }
}

function expandName(name: string, text: string, engine: Engine, { xx, raw }: ExpandOptions): ExpandedCode {
  if (isWrittenAsXx(name)) {
    if (xx === true) return expandXx(engine, name)
    const expand = command('mac', { options: [{ option: 'xx' }], args: [text] })
    // outside the grouped loci a reduction returns the code
    const hint = isGrouped(readLocus(name))
      ? advice`use: ${expand}   or   ${command('redux', { ...BY_U2, args: [text] })}`
      : advice`use: ${expand}`
    throw new HlaError('xx-not-mac', `${text} is an XX code, not a MAC`, { hint })
  }
  const mac = parseMac(name)
  if (mac === undefined || !name.includes('*')) {
    const message = `${text.slice(0, 60)} is not a MAC; a MAC is a locus, a first field and letters, such as A*01:AB`
    throw new HlaError('unknown-mac', message)
  }
  if (!engine.release.facts.loci.includes(readLocus(name))) throw unknownName(name, engine)
  if (raw === true) return { names: listMacNames(mac, findDefinition(mac, engine)), notes: [] }
  const { names, losses } = expandMac(mac, engine)
  return { names, notes: memberNotes(losses, name) }
}

const BY_U2 = { options: [{ option: 'method', value: 'U2' }] }

function checkSingle(text: string): void {
  const at = text.search(/[\^?|+~/]/)
  if (at < 0) return
  const offending = text.charAt(at)
  throw new HlaError('not-a-single-allele', `expected one MAC, but found a "${offending}"`, {
    offending,
    position: [at, at + 1],
    hint: advice`${command('redux', BY_U2)} takes whole GL Strings`,
  })
}
