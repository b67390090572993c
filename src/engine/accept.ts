/** Leniencies: typings read with an obvious slip corrected. Only on request; each reading is noted. */
import { HlaError, isHlaError, type Note } from '../errors.ts'
import {
  couldBeListed,
  hasPrefix,
  isNumbered,
  PREFIX,
  readLocus,
  withoutPrefix,
} from '../nomenclature/allele.ts'
import {
  listDesignations,
  formatGlString,
  type GlLeaf,
  type GlTyping,
  mapTypings,
  parseGlString,
} from '../nomenclature/gl-string.ts'
import { MAX_NAME_LENGTH, findMalformation } from '../nomenclature/grammar.ts'
import { readNotation, spellNoted } from '../nomenclature/programs.ts'
import { theReading } from '../nomenclature/version2.ts'
import { designate } from './designate.ts'
import type { Engine } from './engine.ts'
import { isReadByTwoFields, withMissingLetter } from './names.ts'
import { presentSpellings } from './old-names.ts'
import { findSuccessor } from './retired.ts'
import { tidyName } from './suggest/tidy.ts'

/** Slips that can be forgiven. `v2` and `excel` matter in tables, where a cell does not contain its locus. */
export const LENIENCIES = [
  'case',
  'space',
  'zero',
  'shorthand',
  'suffix',
  'g',
  'notation',
  'v2',
  'excel',
] as const
export type Leniency = (typeof LENIENCIES)[number]

/** Leniencies included in `lenient`. */
export const LENIENT: readonly Leniency[] = ['case', 'space', 'zero', 'shorthand', 'suffix', 'g', 'notation']

/** @throws {HlaError} bad-request — no such leniency */
export function readLeniencies(names: readonly string[]): Leniency[] {
  return [...new Set(names)].flatMap((name) => {
    if (name === 'all') return [...LENIENCIES]
    if (name === 'lenient') return [...LENIENT]
    const known = LENIENCIES.find((one) => one === name)
    if (known !== undefined) return [known]
    throw new HlaError(
      'bad-request',
      `unknown leniency ${JSON.stringify(name)}; leniencies are ${LENIENCIES.join(' ')} lenient all`,
      {
        offending: name,
      },
    )
  })
}

/** Names that count as known. */
export interface Names {
  readonly engine: Engine
  /** Known names of other releases, for texts that are translated next. */
  readonly isFormer?: ((name: string) => boolean) | undefined
}

/** Maximum of different unreadable names in one text; later ones are not tried. */
const MAX_UNREAD = 200

/** The text with faulty leaves read leniently; leaves that stay unreadable are unchanged. */
export function readLeniently(
  names: Names,
  text: string,
  accepted: readonly Leniency[],
): { readonly text: string; readonly notes: readonly Note[] } {
  const notes: Note[] = []
  let locus: string | undefined
  // names repeat, and an unreadable one takes longest
  const known = new Map<string, Reading | undefined>()
  let unread = 0
  const read = (leaf: GlLeaf, before: string | undefined): Reading | undefined => {
    // only a bare field depends on the name before it
    const key = `${locus ?? ''} ${FIELD.test(leaf.text) ? before : ''} ${leaf.text}`
    if (known.has(key) || unread >= MAX_UNREAD) return known.get(key)
    const reading = readLeaf(names, leaf, accepted, { locus, before })
    if (reading === undefined && !isUnderstood(leaf.text, names)) unread += 1
    known.set(key, reading)
    return reading
  }
  const tree = mapTypings(parseGlString(text), (typing) => {
    const pair = accepted.includes('notation') ? readSlashedPair(names, typing) : undefined
    if (pair !== undefined) {
      notes.push(readingNote(typing, pair))
      return pair.name
    }
    let before: string | undefined
    const leaves = listDesignations(typing)
    return leaves
      .map((leaf) => {
        const found = read(leaf, before)
        // a molecule of two chains cannot be a member of a list
        const reading = leaves.length > 1 && found?.name.includes('~') === true ? undefined : found
        if (reading !== undefined) notes.push(readingNote(leaf, reading))
        const name = reading?.name ?? leaf.text
        if (name.includes('*')) locus = readLocus(name)
        before = name
        return name
      })
      .join('/')
  })
  return { text: formatGlString(tree), notes }
}

/** `A0201` as peptide-binding predictors write it; names that are also old ones are read as their successors. */
function inNotation(names: Names, text: string): Reading[] {
  const noted = readNotation(text)?.split('~')
  if (noted === undefined) return []
  const respell = (old: string) => {
    const now = names.engine.release.facts.oldNames[old] ?? theReading(old)
    return isListed(now, names) ? now : old
  }
  const spelled = noted.map((name) => spellNoted(name, (one) => isListed(one, names), respell))
  return spelled.includes(undefined) ? [] : [{ name: spelled.join('~'), leniencies: ['notation'] }]
}

/** A molecule whose chains IEDB joins with a slash: `HLA-DQA1*05:01/DQB1*02:01`. Its second chain has no `HLA-`. */
function readSlashedPair(names: Names, { text }: GlTyping): Reading | undefined {
  const [first = '', second = '', ...more] = text.split('/')
  if (more.length > 0 || !hasPrefix(first) || hasPrefix(second)) return undefined
  return inNotation(names, text).find(({ name }) => name.split('~').every((one) => isUnderstood(one, names)))
}

/** Context that a leaf may omit. */
interface Context {
  readonly locus: string | undefined
  /** Preceding name in the list. */
  readonly before: string | undefined
}

export interface Reading {
  readonly name: string
  readonly leniencies: readonly string[]
}

function readLeaf(
  names: Names,
  { text }: GlLeaf,
  accepted: readonly string[],
  context: Context,
): Reading | undefined {
  if (text.length > MAX_NAME_LENGTH || isUnderstood(text, names)) return undefined
  const readings = candidates(names, text, context).filter(
    ({ name, leniencies }) =>
      leniencies.every((one) => accepted.includes(one)) &&
      !(leniencies.includes('v2') && isGuessed(withoutPrefix(name), text, names.engine)),
  )
  const known = readings.find(({ name }) => name.split('~').every((one) => isUnderstood(one, names)))
  // an unknown name says more than text that names nothing
  return known ?? (isNoName(text) ? readings.find(({ name }) => !name.split('~').some(isNoName)) : undefined)
}

/** The reading of a leaf with all leniencies, for advice; undefined if the name read is not known either. */
export function findReading(names: Names, leaf: GlLeaf): Reading | undefined {
  // without former names, as commands read it
  const reading = readLeaf({ engine: names.engine }, leaf, LENIENCIES, {
    locus: undefined,
    before: undefined,
  })
  return reading?.name.split('~').every((one) => isUnderstood(one, names)) === true ? reading : undefined
}

/** Old name whose respelled fields no release lists (`Cw*02027`). */
function isGuessed(name: string, text: string, engine: Engine): boolean {
  return !text.includes(':') && isReadByTwoFields(name, engine) && findSuccessor(name, engine) === undefined
}

/** Readings with the leniencies each needs, fewest first. */
function candidates(names: Names, text: string, context: Context): Reading[] {
  const { engine } = names
  const long = writtenOut(names, text.trim(), context).map((name) => ({ name, leniencies: ['shorthand'] }))
  const written: Reading[] = [{ name: text, leniencies: [] }, ...long, ...inNotation(names, text)]
  const prefix = /^\s*hla-/i.test(text) ? PREFIX : ''
  const tidied = written.flatMap(({ name, leniencies }) => [
    { name, leniencies },
    ...tidyName(withoutPrefix(name))
      .filter((reading) => reading.leniencies.length > 0)
      .map((reading) => ({
        name: prefix + reading.name,
        leniencies: [...leniencies, ...reading.leniencies],
      })),
  ])
  return tidied.flatMap((reading) => [reading, ...withSuffix(engine, reading), ...withoutSmallG(reading)])
}

/** Bare last field of a list member: the `30` of `A*02:01/30`. */
const FIELD = /^\s*\d{2,4}[A-Z]?\s*$/
/** `02:02*`: that name or any that begins with it; one name stands for all. */
const OPEN_END = /^(.*\d)\*$/

/** Shorthand written out: without its locus, only the last field, or with a trailing `*`. */
function writtenOut(names: Names, text: string, { locus, before = '' }: Context): string[] {
  if (FIELD.test(text)) {
    const listed = withField(before, text).filter((name) => isListed(withoutPrefix(name), names))
    // in A*02:01:01/02 the field may be the third or the second
    return listed.length === 1 ? listed : []
  }
  const bare = OPEN_END.exec(text)?.[1] ?? text
  const fields = /^\*?(\d+:\S*)$/.exec(bare)?.[1]
  if (fields !== undefined) return locus === undefined ? [] : [`${locus}*${fields}`]
  return bare === text ? [] : [bare]
}

/** The preceding name with this field in place of its last, or of its second. */
function withField(before: string, field: string): string[] {
  const [, stem = '', numbers = ''] = /^(.*\*)(\d+(?::\d+)+)[A-Z]?$/.exec(before) ?? []
  if (stem === '') return []
  const fields = numbers.split(':')
  return [...new Set([fields.length - 1, 1])].map((at) => stem + [...fields.slice(0, at), field].join(':'))
}

function isListed(name: string, { engine: { release }, isFormer }: Names): boolean {
  if (release.is('allele', name) || release.listOf('shortNull', name) !== undefined) return true
  return isFormer?.(name) === true
}

function withSuffix(engine: Engine, { name, leniencies }: Reading): Reading[] {
  const bare = withoutPrefix(name)
  // an old name carries its letter after today's fields
  const spelled = [bare, ...presentSpellings(bare, engine.release.facts.oldNames)]
  const lettered = spelled.map((one) => withMissingLetter(one, engine)).find((one) => !spelled.includes(one))
  return lettered === undefined
    ? []
    : [{ name: (hasPrefix(name) ? PREFIX : '') + lettered, leniencies: [...leniencies, 'suffix'] }]
}

function withoutSmallG({ name, leniencies }: Reading): Reading[] {
  return name.endsWith('g') ? [{ name: name.slice(0, -1), leniencies: [...leniencies, 'g'] }] : []
}

/** Malformed, or with fields that no release could list. */
function isNoName(text: string): boolean {
  if (findMalformation(text) !== undefined) return true
  const name = withoutPrefix(text)
  return name.includes(':') && isNumbered(name) && !couldBeListed(name)
}

function isUnderstood(text: string, { engine, isFormer }: Names): boolean {
  // without validation any field is a name
  if (isNoName(text)) return false
  const name = withoutPrefix(text)
  if (isFormer?.(name) === true) return true
  try {
    designate(name, engine)
    return true
  } catch (error) {
    // ambiguous: the answer names the candidates, and a reading would be a guess
    if (isHlaError(error)) return error.code === 'ambiguous-old-name'
    throw error
  }
}

function readingNote({ text, start }: GlLeaf, { name, leniencies }: Reading): Note {
  const position = [start, start + text.length] as const
  return {
    level: 'note',
    code: `accept-${leniencies.join('-')}`,
    message: `${text} read as ${name}`,
    offending: text,
    position,
  }
}
