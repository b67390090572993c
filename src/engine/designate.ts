/** A leaf of a GL String -> what it designates in this release (specification 2, 5, 6). */
import { advice, clause, option } from '../advice.ts'
import { HlaError, type Note } from '../errors.ts'
import {
  ABSENT_GENE,
  canHaveOldNames,
  countFields,
  isGrouped,
  readLocus,
  twoFields,
} from '../nomenclature/allele.ts'
import { parseWhoSpelling } from '../nomenclature/antigen.ts'
import { respellVersion2 } from '../nomenclature/version2.ts'
import type { MacExpansion } from '../reference/mac-table.ts'
import { findAntigen, listAntigenAlleles } from './antigen-levels.ts'
import { type Engine, hasFormerMembers, membersTitle, releaseTitle } from './engine.ts'
import { unknownAntigen } from './unknown-antigen.ts'
import { withoutShortNull } from './expand/covered.ts'
import { expandFamily, expandMac, memberNotes } from './expand/expand-mac.ts'
import {
  groupOfAnswer,
  hasFieldOfZeros,
  isKnownName,
  isNotPublic,
  isReadByTwoFields,
  unlistedNote,
} from './names.ts'
import { ambiguousOldName, type OldReading, readOldName } from './old-names.ts'
import { findSuccessor, isSameProtein, retiredNote } from './retired.ts'
import { findDefinition, listMacNames, parseMac, starterError, type Mac } from './expand/mac.ts'
import type { DesignationKind } from './options.ts'

/** Meaning of a name before any reduction, with notes on what the reading changes or leaves out. */
export type Designation =
  /** returned as typed: outside the grouped loci, kept on request, or an ignored suffix */
  | { readonly as: 'typed'; readonly name: string; readonly notes: readonly Note[] }
  /** a list of alleles or two-field names */
  | {
      readonly as: 'list'
      readonly kind: DesignationKind
      readonly names: readonly string[]
      readonly notes: readonly Note[]
      /** The antigen's name in the release. */
      readonly antigen?: string
    }
  | { readonly as: 'name'; readonly name: string; readonly notes: readonly Note[] }

/** A code not yet expanded. */
export interface Code {
  readonly as: 'code'
  readonly mac: Mac
  readonly definition: MacExpansion
}

/**
 * Designation of a well-formed name without `HLA-`.
 * @throws {HlaError} unknown-…, mac-…, not-expanded, starter — `offending` is the name
 */
export function designate(name: string, engine: Engine): Designation {
  const found = designateUnexpanded(name, engine)
  if (found.as !== 'code') return found
  const { names, losses } = expandMac(found.mac, engine)
  const notes = memberNotes(losses, found.mac.text)
  return { as: 'list', kind: 'mac', names: names.flatMap((one) => withoutShortNull(one, engine)), notes }
}

/**
 * `designate` without expanding codes, for callers with their members at hand.
 * @throws {HlaError} as `designate`, but for mac-empty-expansion
 */
export function designateUnexpanded(name: string, engine: Engine): Designation | Code {
  const { release, options } = engine
  const star = name.indexOf('*')
  if (star >= 0 && options.ignoredSuffixes.includes(name.slice(star + 1))) return asTyped(name)
  const old = oldReading(name, engine)
  if (old !== undefined) {
    if (options.keep.includes('v2')) return asTyped(name)
    if (old.read === undefined) throw ambiguousOldName(name, old)
    return designateUnexpanded(old.read, engine)
  }
  if (star < 0) return designateAntigen(name, engine)
  const found = designateColons(release.facts.groupAliases[name] ?? name, engine)
  if (found.as === 'typed' || isGrouped(readLocus(name)) || isExpandedCode(found)) return found
  if (found.as === 'name' && found.notes.length > 0) return { ...found, as: 'typed' }
  const message = `locus ${readLocus(name)} has no G or P groups; ${name} is returned unchanged`
  return { as: 'typed', name, notes: [{ level: 'detail', code: 'no-groups', message, offending: name }] }
}

function isExpandedCode(found: Designation | Code): boolean {
  return found.as === 'code' || (found.as === 'list' && found.kind === 'xx')
}

function asTyped(name: string): Designation {
  return { as: 'typed', name, notes: [] }
}

/** Present name or code of a name from before 2010. */
export function oldReading(name: string, engine: Engine): OldReading | undefined {
  const { release, options } = engine
  if (options.off.includes('v2')) return undefined
  const isShortNull = (one: string) => countFields(one) > 2 && release.listOf('shortNull', one) !== undefined
  const isKnown = (one: string) => release.is('allele', one) || isShortNull(one) || isCode(one, engine)
  return readOldName(name, release.facts.oldNames, isKnown)
}

function isCode(text: string, engine: Engine): boolean {
  const mac = parseMac(text)
  if (mac === undefined || engine.mac?.expand(mac.code) === undefined) return false
  return findDefinition(mac, engine).members.length > 0
}

function designateAntigen(name: string, engine: Engine): Designation {
  const { release, options } = engine
  const antigen = findAntigen(name, release)
  if (antigen === undefined) {
    if (release.facts.dataset === 'starter') throw starterError(name, engine)
    throw unknownAntigen(name, engine)
  }
  if (options.keep.includes('serology')) return asTyped(name)
  if (options.off.includes('serology')) throw notExpanded(name, 'serology')
  if (release.facts.dataset === 'starter') throw starterError(name, engine)
  const names = listAntigenAlleles(antigen, engine).filter((allele) => release.is('allele', allele))
  return { as: 'list', kind: 'serology', names, antigen, notes: spellingNotes(name, antigen, engine) }
}

/** Note on an antigen typed in its other spelling. */
export function spellingNotes(name: string, antigen: string, engine: Engine): readonly Note[] {
  if (antigen === name || parseWhoSpelling(name) !== undefined) return []
  const message = `${name} is ${antigen} in ${releaseTitle(engine)}: antigens have four digits since 2026`
  return [{ level: 'note', code: 'antigen-spelling', message, offending: name }]
}

function designateColons(name: string, engine: Engine): Designation | Code {
  const { options, release } = engine
  const family = name.endsWith(':XX') && countFields(name) === 2 ? name.slice(0, -3) : undefined
  if (family !== undefined) return designateFamily(name, family, engine)
  const mac = parseMac(name)
  if (mac !== undefined) return designateMac(mac, engine)
  if (isLettersBeforeMore(name)) throw unknownName(name, engine)
  const full = options.off.includes('null') ? undefined : release.listOf('shortNull', name)
  if (full !== undefined)
    return options.keep.includes('null')
      ? asTyped(name)
      : { as: 'list', kind: 'null', names: full, notes: [] }
  if (options.strict || release.facts.dataset === 'starter' || hasFieldOfZeros(name)) checkKnown(name, engine)
  if (!name.includes(':') && isGrouped(readLocus(name))) throw unknownName(name, engine)
  if (isReadByTwoFields(name, engine) && isNotPublic(name, release) && !options.exact)
    return { as: 'name', name: twoFields(name), notes: [unlistedNote(name, engine)] }
  if (options.keep.some((kind) => kind === nameKind(name))) return asTyped(name)
  const successor = isReadByTwoFields(name, engine) ? findSuccessor(name, engine) : undefined
  if (successor === undefined) return { as: 'name', name: groupOfAnswer(name, engine) ?? name, notes: [] }
  if (!isSameProtein(name, successor)) throw unknownName(name, engine)
  return {
    as: 'name',
    name: successor,
    notes: [retiredNote(name, successor, engine) ?? unlistedNote(name, engine)],
  }
}

/** `A*01:XX:99`, `A*01:AB:01`: letters before a further field, although a code ends a name. */
function isLettersBeforeMore(name: string): boolean {
  return /^[^:]*:[A-Za-z]+:/.test(name)
}

function designateFamily(name: string, family: string, engine: Engine): Designation {
  const { options, release } = engine
  if (release.facts.dataset === 'starter') throw starterError(name, engine)
  const expanded = expandFamily(family, engine)
  if (expanded === undefined) throw unknownFamily(name, family, engine)
  if (options.keep.includes('xx')) return asTyped(name)
  if (!isExpanded(name, engine)) return { as: 'name', name, notes: [] }
  if (!options.off.includes('xx')) {
    const names = expanded.names.flatMap((one) => withoutShortNull(one, engine))
    return {
      as: 'list',
      kind: 'xx',
      names,
      notes: [...notesOnC10(family), ...memberNotes(expanded.losses, name)],
    }
  }
  if (options.off.includes('mac')) return { as: 'name', name, notes: [] }
  throw notExpanded(name, 'xx')
}

function designateMac(mac: Mac, engine: Engine): Designation | Code {
  const { options, release } = engine
  if (!release.facts.loci.includes(readLocus(mac.text))) throw unknownName(mac.text, engine)
  // a code with its own first fields may be filed under one that has no allele in this release
  const definition = findDefinition(mac, engine)
  if (definition.generic && !hasFormerMembers(engine) && !release.is('firstField', mac.family))
    throw unknownFamily(mac.text, mac.family, engine)
  const isKept = options.keep.includes('mac')
  if (isExpanded(mac.text, engine) && !isKept && !options.off.includes('mac'))
    return { as: 'code', mac, definition }
  // a code that stays as typed must still stand for something
  if (!listMacNames(mac, definition).some((one) => release.is('allele', one))) expandMac(mac, engine)
  return { as: isKept ? 'typed' : 'name', name: mac.text, notes: [] }
}

/** At loci without groups codes stay as they are, unless they are of an earlier release. */
function isExpanded(code: string, engine: Engine): boolean {
  return isGrouped(readLocus(code)) || hasFormerMembers(engine)
}

function checkKnown(name: string, engine: Engine): void {
  if (!isKnownName(name, engine)) throw unknownName(name, engine)
}

/**
 * Code in `B*35UMU`: two or more letters after two digits are a code, valid or not; one letter is an expression letter.
 */
function codeWithoutColon(name: string, { mac, options }: Engine): Mac | undefined {
  if (mac === undefined || options.off.includes('v2') || !canHaveOldNames(readLocus(name))) return undefined
  return /\*\d\d[A-Z]{2,}$/.test(name) ? parseMac(respellVersion2(name)) : undefined
}

const ABSENT_HINT = advice`${ABSENT_GENE} stands for an absent gene${clause`; ${option('ignore-suffix', ABSENT_GENE)} leaves such names as they are`}`

/** The error for a well-formed name that the release does not hold. */
export function unknownName(name: string, engine: Engine): HlaError {
  const { release } = engine
  const reading = name.replace(/(?::0+)+$/, '')
  if (reading !== name && countFields(reading) > 1 && isKnownName(reading, engine))
    return timeError(name, reading)
  if (release.facts.dataset === 'starter') return starterError(name, engine)
  if (isNotPublic(name, release)) {
    const message = `${name} is assigned, but not public in ${releaseTitle(engine)}`
    return new HlaError('not-public', message, { offending: name, hint: NOT_PUBLIC_HINT })
  }
  const locus = readLocus(name)
  if (!release.facts.loci.includes(locus)) {
    const hint = `loci are ${release.facts.loci.join(' ')}`
    return new HlaError('unknown-locus', `${locus.slice(0, 60)} is not a locus of ${releaseTitle(engine)}`, {
      offending: name,
      hint,
    })
  }
  const mac = codeWithoutColon(name, engine)
  if (mac !== undefined) findDefinition(mac, engine)
  const hint = name.endsWith(`*${ABSENT_GENE}`) ? ABSENT_HINT : undefined
  return new HlaError('unknown-allele', `${name.slice(0, 60)} is not in ${releaseTitle(engine)}`, {
    offending: name,
    hint,
  })
}

const NOT_PUBLIC_HINT = 'the release lists it only in hla_nom.txt; a later release may publish it'

function timeError(name: string, reading: string): HlaError {
  const message = `${name.slice(0, 60)} is ${reading} when read as a spreadsheet time, and no HLA field can be 0`
  const hint = 'export the column again, formatted as text'
  return new HlaError('excel-artifact', message, { offending: name, suggestions: [reading], hint })
}

function unknownFamily(name: string, family: string, engine: Engine): HlaError {
  const { release } = engine
  if (release.facts.dataset === 'starter' || !release.facts.loci.includes(readLocus(name)))
    return unknownName(name, engine)
  const message = `${name.slice(0, 60)}: there is no ${family.slice(0, 60)} in ${membersTitle(engine)}`
  return new HlaError('unknown-allele', message, { offending: name })
}

function notExpanded(name: string, kind: DesignationKind): HlaError {
  return new HlaError(
    'not-expanded',
    `${name.slice(0, 60)} is not expanded: the request excludes names of kind ${kind} (option off)`,
    {
      offending: name,
    },
  )
}

/** Note A16: py-ard's table gives C*10 the alleles of C*04 too. */
export function notesOnC10(family: string): readonly Note[] {
  if (family !== 'C*10') return []
  const message = 'C*10 covers C*03 and C*04, as py-ard has it; antigen Cw10 is a split of Cw3 alone'
  return [{ level: 'note', code: 'c10', message }]
}

/** Kind of a name, for `keep`: by its last letter, else by its number of fields. */
function nameKind(name: string): DesignationKind {
  if (/[GPg]$/.test(name)) return name.slice(-1) as 'G' | 'P' | 'g' // one of the three, just tested
  const fields = countFields(name)
  return fields === 1 ? '1field' : fields === 2 ? '2field' : fields === 3 ? '3field' : '4field'
}
