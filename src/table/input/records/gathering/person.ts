/** One person as the records of a file, or of several, make up: typings by locus, and what else is said. */
import { HlaError } from '../../../../errors.ts'
import type { RowFault, TypingOrigin } from './places.ts'
import type { BrokenRule } from '../typing-places.ts'
import type { TypingRecord } from '../typing-record.ts'

/** Where a typing comes from; one for all of a person, when their places are known together. */
export interface Origin extends TypingOrigin {
  readonly values: readonly string[]
  /** Of the file it stands in: index of an extra column -> that of the whole table. */
  readonly file: PersonFile
}

export interface Typed {
  readonly text: string
  readonly origin: Origin
}

/** A file, as persons refer to it. */
export interface PersonFile {
  /** undefined: there is one only. */
  readonly name: string | undefined
  /** The person of records that name none. */
  readonly person: string
  /** For each column of the whole table that belongs to a typing: where it stands in the file, by slot. */
  readonly scores: readonly (readonly [first: number | undefined, second: number | undefined])[]
  /** For each column of the whole table that belongs to a person. */
  readonly facts: readonly (number | undefined)[]
}

/** Hundreds of thousands are held: typings stand by the number of their locus, the first at twice the number, the second behind it. */
export interface Person {
  readonly name: string
  readonly file: PersonFile
  readonly line: number
  readonly texts: (string | undefined)[]
  readonly origins: (Origin | undefined)[]
  /** Number of a locus -> what has no place. */
  surplus: Map<number, Typed[]> | undefined
  /** One value, or each once. */
  readonly facts: string[][]
  /** Why nothing is known of the person. */
  readonly fault: RowFault | undefined
  broken: readonly BrokenRule[] | undefined
}

export function newPerson(name: string, file: PersonFile, line: number, fault?: Person['fault']): Person {
  return { name, file, line, texts: [], origins: [], surplus: undefined, facts: [], fault, broken: undefined }
}

/** A typing that has no place is kept as surplus: nothing is overwritten. */
export function addRecord(person: Person, record: TypingRecord, file: PersonFile, locus: number): void {
  const { typing, slot, line, path, places, values } = record
  const before = person.origins.at(-1)
  if (record.broken !== undefined) person.broken = [...(person.broken ?? []), ...record.broken]
  // its values were looked at
  const isKnown = places !== undefined && before?.places === places
  if (!isKnown) addFacts(person, values, file)
  if (locus < 0) return refuseUnplaced(record)
  const origin = isKnown ? before : { line, path, places, values, file }
  const both = splitGenotype(typing)
  if (both === undefined) return put(person, locus, { text: typing, origin }, slot)
  for (const [at, text] of both.entries()) put(person, locus, { text, origin }, at === 0 ? 1 : 2)
}

/** It would be lost. @throws {HlaError} io */
export function refuseUnplaced({ typing, line }: TypingRecord): void {
  if (typing.trim() === '') return
  throw new HlaError('io', `line ${line}: ${JSON.stringify(typing.slice(0, 60))} is a typing of no locus`)
}

function addFacts({ facts }: Person, values: readonly string[], file: PersonFile): void {
  for (const [at, from] of file.facts.entries()) {
    const value = from === undefined ? undefined : values[from]
    if (value === undefined) continue
    const known = (facts[at] ??= [])
    if (!known.includes(value)) known.push(value)
  }
}

/** `A*01:01+A*02:01` stands in two columns; what has other signs between alleles cannot. */
function splitGenotype(typing: string): readonly string[] | undefined {
  if (!typing.includes('+') || /[|^~]/.test(typing)) return undefined
  const parts = typing.split('+')
  return parts.length === 2 ? parts : undefined
}

function put(person: Person, locus: number, typed: Typed, slot: 1 | 2 | undefined): void {
  const { texts, origins, surplus } = person
  const { text, origin } = typed
  // an empty cell of a row that names the locus takes no place
  if (text.trim() === '') return
  const at = 2 * locus
  const others = surplus?.get(locus)
  const isElsewhere = (origins[at] ?? origins[at + 1] ?? origin).file !== origin.file
  const isFree = (one: number) => origins[one] === undefined
  const free = isFree(at) && slot !== 2 ? at : isFree(at + 1) && slot !== 1 ? at + 1 : undefined
  if (others !== undefined) others.push(typed)
  else if (isElsewhere || free === undefined) (person.surplus ??= new Map()).set(locus, [typed])
  else [texts[free], origins[free]] = [text, origin]
}

/** All of a locus. */
export function typingsOf({ texts, origins, surplus }: Person, locus: number): readonly Typed[] {
  const placed = [2 * locus, 2 * locus + 1].flatMap((at) => {
    const [text, origin] = [texts[at], origins[at]]
    return text === undefined || origin === undefined ? [] : [{ text, origin }]
  })
  return [...placed, ...(surplus?.get(locus) ?? [])]
}
