/** Common and well-documented alleles of a list: its names reduced to two fields and filtered by a catalogue. */
import { type ErrorCode, HlaError, isHlaError, type Note } from '../errors.ts'
import { countFields, hasPrefix, PREFIX, withoutPrefix } from '../nomenclature/allele.ts'
import { readNameLocus } from '../nomenclature/antigen.ts'
import type { GlLeaf } from '../nomenclature/gl-string.ts'
import { compareText } from '../nomenclature/order.ts'
import type { Catalogue } from '../reference/catalogues.ts'
import { parseAlleleList } from './expand/allele-list.ts'
import { designate } from './designate.ts'
import { type Engine, releaseTitle } from './engine.ts'
import { expandMac, parseMac } from './expand/mac.ts'
import { located } from './located.ts'
import { listMemberCodes } from './expand/mac-lookup.ts'
import { redux } from './redux.ts'
import { eachLeafOnce } from './repeated-leaves.ts'

export interface CwdAnswer {
  /**
   * In the order of the text, as the catalogues' users expect; with `HLA-` when the list begins with it; never empty.
   */
  readonly names: readonly string[]
  /** Code for exactly these names; '' for fewer than two names or when none exists. */
  readonly mac: string
  readonly notes: readonly Note[]
}

/**
 * @throws {HlaError} as `parseAlleleList` and `redux`; not-in-catalogue — no member is left
 */
export function keepCommon(engine: Engine, text: string, catalogue: Catalogue): CwdAnswer {
  const notes: Note[] = []
  const leaves = parseAlleleList(text)
  const found = new Set(eachLeafOnce(leaves, notes, (leaf) => findNames(leaf, engine, notes)))
  const members = [...found].filter((name) => catalogue.isMember(name)).sort(compareText)
  if (members.length === 0) {
    const message = `no allele of ${text.slice(0, 60)} is in ${catalogue.title}`
    throw new HlaError('not-in-catalogue', message, { offending: text, position: [0, text.length] })
  }
  const prefix = hasPrefix(text) ? PREFIX : ''
  const mac = findMac(members, engine, notes)
  return { names: members.map((name) => prefix + name), mac: mac === '' ? '' : prefix + mac, notes }
}

function findNames(leaf: GlLeaf, engine: Engine, notes: Note[]): readonly string[] {
  try {
    return reduceLeaf(leaf, engine, notes)
  } catch (error) {
    if (!isHlaError(error)) throw error
    if (!NOTHING.includes(error.code)) throw located(error, leaf)
    notes.push({ level: 'warning', code: error.code, message: error.message, ...leafPlace(leaf) })
    return []
  }
}

/** Errors of names that stand for nothing in this release: noted and left out. */
const NOTHING: readonly ErrorCode[] = ['no-alleles', 'mac-empty-expansion']

function reduceLeaf(leaf: GlLeaf, engine: Engine, notes: Note[]): readonly string[] {
  const name = withoutPrefix(leaf.text)
  const mac = name.includes('*') ? parseMac(name) : undefined
  if (mac !== undefined) {
    designate(name, withoutSwitches(engine))
    return expandMac(mac, engine)
  }
  if (!name.includes('*') || countFields(name) !== 2 || name.endsWith(':XX'))
    return redux(engine, name, 'lgx').text.split('/')
  // the catalogue may hold two-field names that the release lacks
  if (TWO_FIELDS.test(name)) noteUnknown(leaf, name, engine, notes)
  else designate(name, withoutSwitches(engine))
  return [name]
}

const TWO_FIELDS = /\*\d{2,}:\d{2,}[NQLS]?$/

/** Expands codes regardless of switches, since `designate` here only tests validity. */
function withoutSwitches(engine: Engine): Engine {
  return { ...engine, options: { ...engine.options, off: [], keep: [] } }
}

function noteUnknown(leaf: GlLeaf, name: string, engine: Engine, notes: Note[]): void {
  const { release } = engine
  if (release.facts.dataset === 'starter' || release.idOf(name) >= 0) return
  const message = `${leaf.text.slice(0, 60)} is not in ${releaseTitle(engine)}`
  notes.push({ level: 'note', code: 'unknown-allele', message, ...leafPlace(leaf) })
}

function leafPlace({ text, start }: GlLeaf): Pick<Note, 'offending' | 'position'> {
  return { offending: text, position: [start, start + text.length] }
}

function findMac(names: readonly string[], engine: Engine, notes: Note[]): string {
  const [first] = names
  if (first === undefined || names.length < 2) return ''
  if (engine.mac === undefined) {
    notes.push({ level: 'note', code: 'no-data', message: 'no MAC list is installed: the code is not known' })
    return ''
  }
  const members = names.map((name) => name.slice(name.indexOf('*') + 1))
  const [best] = listMemberCodes(engine.mac, readNameLocus(first), members)
  if (best === undefined && engine.release.facts.dataset === 'starter') {
    const message = 'the built-in MAC list is incomplete: there may be a code for these alleles'
    notes.push({ level: 'warning', code: 'starter', message })
  }
  return best ?? ''
}
