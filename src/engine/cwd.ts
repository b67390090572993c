/** Common and well-documented alleles of a list: its names reduced to two fields and filtered by a catalogue. */
import { type ErrorCode, HlaError, isHlaError, type Note, type Position } from '../errors.ts'
import { countFields, hasPrefix, PREFIX, withoutGroupLetter, withoutPrefix } from '../nomenclature/allele.ts'
import { readNameLocus } from '../nomenclature/antigen.ts'
import { formatGlString, type GlLeaf, mapTypings, parseGlString } from '../nomenclature/gl-string.ts'
import { compareText } from '../nomenclature/order.ts'
import type { Catalogue } from '../reference/catalogues.ts'
import { listAlleles, parseAlleleList } from './expand/allele-list.ts'
import { type CategorizedName, findListed, listedNotes } from './categories.ts'
import { designate, oldReading } from './designate.ts'
import { type Engine, releaseTitle } from './engine.ts'
import { expandMac, memberNotes } from './expand/expand-mac.ts'
import { parseMac } from './expand/mac.ts'
import { withoutSwitches } from './expand/nulls.ts'
import { locateError } from './locate-error.ts'
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
  /** Names that the catalogue lacks, or that its filter leaves out. */
  readonly dropped: readonly string[]
  readonly notes: readonly Note[]
}

/**
 * Names of CIWD 3.0.0 are found under their present names; CWD 2.0.0 is read literally, as py-ard reads it.
 * @throws {HlaError} as `parseAlleleList` and `redux`; not-in-catalogue — no member is left
 */
export function keepCommon(engine: Engine, text: string, catalogue: Catalogue): CwdAnswer {
  const notes: Note[] = []
  const leaves = parseAlleleList(text)
  const found = [...new Set(eachLeafOnce(leaves, notes, (leaf) => findNames(leaf, engine, notes)))]
  const members = found.filter((name) => isKept(name, catalogue, engine, notes)).sort(compareText)
  const dropped = found.filter((name) => !members.includes(name))
  if (members.length === 0) {
    const message = `no allele of ${text.slice(0, 60)} is in ${catalogue.title}`
    throw new HlaError('not-in-catalogue', message, { offending: text, position: [0, text.length] })
  }
  const prefix = hasPrefix(text) ? PREFIX : ''
  const mac = findMac(members, engine, notes)
  notes.push(...droppedNotes(dropped, found.length, catalogue))
  return { names: members.map((name) => prefix + name), mac: mac === '' ? '' : prefix + mac, dropped, notes }
}

function isKept(name: string, catalogue: Catalogue, engine: Engine, notes: Note[]): boolean {
  if (catalogue.id === 'cwd2' || catalogue.isMember(name)) return catalogue.isMember(name)
  const listed = findListed(catalogue, name, engine)
  if (listed === undefined || !catalogue.isMember(listed)) return false
  notes.push(...listedNotes(catalogue, name, listed))
  return true
}

/** None for CWD 2.0.0, which has no filter. */
function droppedNotes(dropped: readonly string[], total: number, { id, title }: Catalogue): Note[] {
  if (dropped.length === 0 || id === 'cwd2') return []
  const more = dropped.length > MAX_DROPPED ? ` and ${dropped.length - MAX_DROPPED} more` : ''
  const message = `${title} leaves out ${dropped.length} of ${total}: ${dropped.slice(0, MAX_DROPPED).join(', ')}${more}`
  return [{ level: 'note', code: 'left-out', message }]
}

/** Maximum number of names in the note. */
const MAX_DROPPED = 5

/** Categories of a genotype, and its reduction by them. */
export interface CategoryAnswer {
  readonly names: readonly CategorizedName[]
  /** GL String of the names that pass the filter; '' when a typing has none. */
  readonly kept: string
  readonly dropped: readonly string[]
  readonly notes: readonly Note[]
}

/**
 * Names keep their level; codes and antigens are looked up by their names of two fields.
 * @throws {HlaError} as `listAlleles` and `redux`
 */
export function categorize(engine: Engine, text: string, catalogue: Catalogue): CategoryAnswer {
  const [notes, names]: [Note[], CategorizedName[]] = [[], []]
  const prefix = hasPrefix(text) ? PREFIX : ''
  let isWhole = true
  const tree = mapTypings(parseGlString(text), (typing) => {
    const leaves = listAlleles(typing)
    const found = leaves.flatMap((leaf) =>
      namesAtLevel(leaf, catalogue, engine, notes).map((name) => entryOf(name, leaf, catalogue, engine)),
    )
    const once = [...new Map(found.map((entry) => [entry.name, entry])).values()]
    names.push(...once)
    const kept = once.filter(({ listed }) => listed !== undefined && catalogue.isMember(listed))
    isWhole &&= kept.length > 0
    return kept.map(({ name }) => prefix + name).join('/')
  })
  const dropped = names.filter(({ listed }) => listed === undefined || !catalogue.isMember(listed))
  for (const { name, listed, position } of names)
    notes.push(...listedNotes(catalogue, name, listed).map((note) => ({ ...note, position })))
  return { names, kept: isWhole ? formatGlString(tree) : '', dropped: dropped.map(({ name }) => name), notes }
}

function entryOf(name: string, leaf: GlLeaf, catalogue: Catalogue, engine: Engine): CategorizedName {
  const listed = findListed(catalogue, name, engine)
  const categories = listed === undefined ? [] : (catalogue.categoriesOf(listed) ?? [])
  return { name, position: leafPlace(leaf).position, listed, categories }
}

function namesAtLevel(leaf: GlLeaf, catalogue: Catalogue, engine: Engine, notes: Note[]): readonly string[] {
  const typed = withoutPrefix(leaf.text)
  const name = oldReading(typed, engine)?.read ?? typed
  // the catalogue may have names that the release lacks
  if (catalogue.categoriesOf(name) !== undefined) {
    for (const note of notesOnUnknown(leaf, name, engine)) notes.push({ ...note, ...leafPlace(leaf) })
    return [name]
  }
  const isLevel = countFields(name) > 2 || withoutGroupLetter(name) !== name
  if (!name.includes('*') || !isLevel) return findNames(leaf, engine, notes)
  try {
    designate(name, withoutSwitches(engine))
  } catch (error) {
    throw isHlaError(error) ? locateError(error, leaf) : error
  }
  return [name]
}

function findNames(leaf: GlLeaf, engine: Engine, notes: Note[]): readonly string[] {
  try {
    const found = twoFieldNames(leaf, engine)
    for (const note of found.notes) notes.push({ ...note, ...leafPlace(leaf) })
    return found.names
  } catch (error) {
    if (!isHlaError(error)) throw error
    if (!NOTHING.includes(error.code)) throw locateError(error, leaf)
    notes.push({ level: 'warning', code: error.code, message: error.message, ...leafPlace(leaf) })
    return []
  }
}

/** Errors of names that stand for nothing in this release: noted and left out. */
const NOTHING: readonly ErrorCode[] = ['no-alleles', 'mac-empty-expansion']

/** Names of a code, or the name itself, as the catalogue may have them; anything else reduced by lgx. */
function twoFieldNames(leaf: GlLeaf, engine: Engine) {
  const name = withoutPrefix(leaf.text)
  const mac = name.includes('*') ? parseMac(name) : undefined
  if (mac !== undefined) {
    designate(name, withoutSwitches(engine))
    const { names, losses } = expandMac(mac, engine)
    return { names, notes: memberNotes(losses, name) }
  }
  if (!name.includes('*') || countFields(name) !== 2 || name.endsWith(':XX')) {
    const { text, notes } = redux(engine, name, 'lgx')
    return { names: text.split('/'), notes }
  }
  // the catalogue may hold two-field names that the release lacks
  if (TWO_FIELDS.test(name)) return { names: [name], notes: notesOnUnknown(leaf, name, engine) }
  designate(name, withoutSwitches(engine))
  return { names: [name], notes: [] }
}

const TWO_FIELDS = /\*\d{2,}:\d{2,}[NQLS]?$/

function notesOnUnknown({ text }: GlLeaf, name: string, engine: Engine): readonly Note[] {
  const { release } = engine
  if (release.idOf(name) >= 0) return []
  const typed = text.slice(0, 60)
  // whether there is such an allele only the full release knows
  if (release.facts.dataset === 'starter')
    return [{ level: 'note', code: 'starter', message: `${typed} is not in the built-in starter set` }]
  return [{ level: 'note', code: 'unknown-allele', message: `${typed} is not in ${releaseTitle(engine)}` }]
}

function leafPlace({ text, start }: GlLeaf): { offending: string; position: Position } {
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
