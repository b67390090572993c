/** One person as the records of a file, or of several, make up: typings by locus, and what else is said. */
import type { HlaError } from '../../../../errors.ts'
import type { TypingRecord } from '../typing-record.ts'

export interface Typed {
  readonly text: string
  readonly line: number
  readonly path: string | undefined
  readonly values: readonly string[]
  /** Of the file it stands in: index of an extra column -> that of the whole table. */
  readonly file: PersonFile
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

/** The typings of a locus. */
export interface LocusTypings {
  first: Typed | undefined
  second: Typed | undefined
  /** What has no place. */
  surplus: Typed[] | undefined
}

export interface Person {
  readonly name: string
  readonly file: PersonFile
  readonly line: number
  readonly loci: Map<string, LocusTypings>
  /** One value, or each once. */
  readonly facts: string[][]
  /** Why nothing is known of the person. */
  readonly fault?: { readonly error: HlaError; readonly path: string | undefined } | undefined
}

export function newPerson(name: string, file: PersonFile, line: number, fault?: Person['fault']): Person {
  return { name, file, line, loci: new Map(), facts: [], fault }
}

/** A typing that has no place is kept as surplus: nothing is overwritten. */
export function addRecord(person: Person, record: TypingRecord, file: PersonFile): void {
  const { locus, typing, slot, line, path, values } = record
  for (const [at, from] of file.facts.entries()) {
    const value = from === undefined ? undefined : values[from]
    if (value === undefined) continue
    const known = (person.facts[at] ??= [])
    if (!known.includes(value)) known.push(value)
  }
  if (locus === '') return
  let found = person.loci.get(locus)
  if (found === undefined)
    person.loci.set(locus, (found = { first: undefined, second: undefined, surplus: undefined }))
  const both = splitGenotype(typing)
  if (both === undefined) return put(found, { text: typing, line, path, values, file }, slot)
  for (const [at, text] of both.entries()) put(found, { text, line, path, values, file }, at === 0 ? 1 : 2)
}

/** `A*01:01+A*02:01` stands in two columns; what has other signs between alleles cannot. */
function splitGenotype(typing: string): readonly string[] | undefined {
  if (!typing.includes('+') || /[|^~]/.test(typing)) return undefined
  const parts = typing.split('+')
  return parts.length === 2 ? parts : undefined
}

function put(typings: LocusTypings, typed: Typed, slot: 1 | 2 | undefined): void {
  const { first, second, surplus } = typings
  // an empty cell of a row that names the locus takes no place
  if (typed.text.trim() === '') return
  const isElsewhere = (first ?? second ?? typed).file !== typed.file
  if (surplus !== undefined || isElsewhere) typings.surplus = [...(surplus ?? []), typed]
  else if (first === undefined && slot !== 2) typings.first = typed
  else if (second === undefined && slot !== 1) typings.second = typed
  else typings.surplus = [typed]
}
