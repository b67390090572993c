/** Leniencies: typings read as what they were surely meant to be. Only on request, and each reading is noted. */
import { HlaError, isHlaError, type Note } from '../errors.ts'
import { hasPrefix, readLocus, PREFIX, withoutPrefix } from '../nomenclature/allele.ts'
import {
  listDesignations,
  formatGlString,
  type GlLeaf,
  mapTypings,
  parseGlString,
} from '../nomenclature/gl-string.ts'
import { LONGEST_NAME, findMalformation } from '../nomenclature/grammar.ts'
import { designate } from './designate.ts'
import type { Engine } from './engine.ts'
import { withMissingLetter } from './names.ts'
import { tidyName } from './suggest/tidy.ts'

/** What may be forgiven. `v2` and `excel` matter in tables, where a cell has no locus of its own. */
export const LENIENCIES = ['case', 'space', 'zero', 'shorthand', 'suffix', 'g', 'v2', 'excel'] as const
export type Leniency = (typeof LENIENCIES)[number]

/** What `--lenient` stands for. */
export const LENIENT: readonly Leniency[] = ['case', 'space', 'zero', 'shorthand', 'suffix', 'g']

/** @throws {HlaError} bad-request — no such leniency */
export function readLeniencies(names: readonly string[]): Leniency[] {
  return [...new Set(names)].flatMap((name) => {
    if (name === 'all') return [...LENIENCIES]
    const known = LENIENCIES.find((one) => one === name)
    if (known !== undefined) return [known]
    throw new HlaError(
      'bad-request',
      `unknown leniency ${JSON.stringify(name)}; leniencies are ${LENIENCIES.join(' ')} all`,
      {
        offending: name,
      },
    )
  })
}

/** What is a name. */
export interface Names {
  readonly engine: Engine
  /** Names of other releases, for texts that are translated next. */
  readonly isFormer?: ((name: string) => boolean) | undefined
}

/** Different names of one text that are wrong however they are read: with so many, it is left as it is from there on. */
const MOST_UNREAD = 200

/** The text with the leaves that need it read leniently; leaves that stay wrong stay as they are. */
export function readLeniently(
  names: Names,
  text: string,
  accepted: readonly Leniency[],
): { readonly text: string; readonly notes: readonly Note[] } {
  const notes: Note[] = []
  let locus: string | undefined
  // names repeat; and what cannot be read takes the longest
  const known = new Map<string, Reading | undefined>()
  let unread = 0
  const read = (leaf: GlLeaf): Reading | undefined => {
    const key = `${locus ?? ''} ${leaf.text}`
    if (known.has(key) || unread >= MOST_UNREAD) return known.get(key)
    const reading = readLeaf(names, leaf, accepted, locus)
    if (reading === undefined && !isUnderstood(leaf.text, names)) unread += 1
    known.set(key, reading)
    return reading
  }
  const tree = mapTypings(parseGlString(text), (typing) =>
    listDesignations(typing)
      .map((leaf) => {
        const reading = read(leaf)
        if (reading !== undefined) notes.push(readingNote(leaf, reading))
        const name = reading?.name ?? leaf.text
        if (name.includes('*')) locus = readLocus(name)
        return name
      })
      .join('/'),
  )
  return { text: formatGlString(tree), notes }
}

interface Reading {
  readonly name: string
  readonly leniencies: readonly string[]
}

function readLeaf(
  names: Names,
  { text }: GlLeaf,
  accepted: readonly Leniency[],
  locus: string | undefined,
): Reading | undefined {
  if (text.length > LONGEST_NAME || isUnderstood(text, names)) return undefined
  return candidates(names.engine, text, locus).find(
    ({ name, leniencies }) =>
      leniencies.every((one) => (accepted as readonly string[]).includes(one)) && isUnderstood(name, names),
  )
}

/** Readings with the leniencies each needs, the fewest first. */
function candidates(engine: Engine, text: string, locus: string | undefined): Reading[] {
  const written: Reading[] = [{ name: text, leniencies: [] }]
  const shorthand = /^\s*\*?(\d+:\S*)\s*$/.exec(text)?.[1]
  if (shorthand !== undefined && locus !== undefined)
    written.push({ name: `${locus}*${shorthand}`, leniencies: ['shorthand'] })
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

function withSuffix(engine: Engine, { name, leniencies }: Reading): Reading[] {
  const bare = withoutPrefix(name)
  const lettered = withMissingLetter(bare, engine)
  return lettered === bare
    ? []
    : [{ name: (hasPrefix(name) ? PREFIX : '') + lettered, leniencies: [...leniencies, 'suffix'] }]
}

function withoutSmallG({ name, leniencies }: Reading): Reading[] {
  return name.endsWith('g') ? [{ name: name.slice(0, -1), leniencies: [...leniencies, 'g'] }] : []
}

function isUnderstood(text: string, { engine, isFormer }: Names): boolean {
  if (findMalformation(text) !== undefined) return false
  if (isFormer?.(withoutPrefix(text)) === true) return true
  try {
    designate(withoutPrefix(text), engine)
    return true
  } catch (error) {
    if (isHlaError(error)) return false
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
