/** A person gathered from the records of one or more files: typings by locus, and other values. */
import { HlaError } from '../../../errors.ts'
import { quoted } from '../../placed-error.ts'
import { type BrokenRule, lineOf, type Place, type RowFault, type TypingOrigin } from '../../input/places.ts'
import type { TypingRecord } from '../typing-record.ts'
import type { SampleFrom } from '../../plan/table-request.ts'
import { advice, clause, option } from '../../../advice.ts'
import { basename, dirname, resolve } from 'node:path'
import { groupBy } from '../../words/group-by.ts'

/** Origin of a typing whose file is not the person's first, or has values besides it. */
export interface Origin extends TypingOrigin {
  readonly values: readonly string[]
  /** Its file, which maps extra columns to those of the whole table. */
  readonly file: PersonFile
}

export interface Typed {
  readonly text: string
  readonly origin: Origin
  /** Why it cannot be read. */
  readonly fault?: HlaError | undefined
}

/** A file as persons refer to it. */
export interface PersonFile {
  /** undefined for a single file. */
  readonly name: string | undefined
  /** Program that wrote it. */
  readonly program?: string | undefined
  /** Person of records that name none. */
  readonly person: string
  /** Per typing column of the whole table: its index in the file, by slot. */
  readonly scores: readonly (readonly [first: number | undefined, second: number | undefined])[]
  /** Per person column of the whole table: its index in the file. */
  readonly facts: readonly (number | undefined)[]
}

/**
 * Compact: hundreds of thousands are held. Typings are indexed by locus number: the first at twice the number, the
 * second after it.
 */
export interface Person {
  readonly name: string
  readonly file: PersonFile
  readonly line: number
  /** Further files about the person. */
  more: PersonFile[] | undefined
  readonly texts: (string | undefined)[]
  /** Only the place of a typing whose record has nothing else. */
  readonly origins: (Origin | Place | undefined)[]
  /** Place of a typing among `texts` -> why it cannot be read. */
  faults: Map<number, HlaError> | undefined
  /** Locus number -> surplus typings. */
  surplus: Map<number, Typed[]> | undefined
  /** Distinct values per column. */
  facts: readonly (readonly string[])[]
  /** Values of the person's last record. */
  values: readonly string[]
  /** Reason why the person cannot be read. */
  readonly fault: RowFault | undefined
  broken: readonly BrokenRule[] | undefined
}

export function newPerson(name: string, file: PersonFile, line: number, fault?: Person['fault']): Person {
  return {
    name,
    file,
    line,
    more: undefined,
    texts: [],
    origins: [],
    faults: undefined,
    surplus: undefined,
    facts: NONE,
    values: NONE,
    fault,
    broken: undefined,
  }
}

const NONE: readonly never[] = []

/** Adds a record; a typing without a free place is kept as surplus, and nothing is overwritten. */
export function addRecord(person: Person, record: TypingRecord, file: PersonFile, locus: number): void {
  const { typing, slot, line, places, values } = record
  const isOfFile = person.more === undefined && person.file === file
  if (!isOfFile && (person.more?.at(-1) ?? person.file) !== file) person.more = [...(person.more ?? []), file]
  if (record.broken !== undefined) person.broken = [...(person.broken ?? []), ...record.broken]
  if (file.facts.length > 0 && values !== person.values) addFacts(person, values, file)
  if (locus < 0) return refuseUnplaced(record)
  const place = places ?? line
  const isBare = isOfFile && (values.length === 0 || file.scores.length === 0)
  const origin = isBare ? place : { place, values, file }
  const both = record.fault === undefined ? splitGenotype(typing) : undefined
  if (both === undefined) return putTyping(person, locus, slot, { text: typing, origin, fault: record.fault })
  for (const [at, text] of both.entries())
    putTyping(person, locus, at === 0 ? 1 : 2, { text, origin, fault: undefined })
}

/** Refuses a typing that would be lost. @throws {HlaError} io */
export function refuseUnplaced({ typing, line }: Pick<TypingRecord, 'typing' | 'line'>): void {
  if (typing.trim() === '') return
  throw new HlaError('io', `${quoted(typing)} is a typing, but its row has no locus`, {
    line,
  })
}

function addFacts(person: Person, values: readonly string[], file: PersonFile): void {
  person.values = values
  person.facts = file.facts.map((from, at) => {
    const value = from === undefined ? undefined : values[from]
    const known = person.facts[at] ?? []
    return value === undefined || known.includes(value) ? known : [...known, value]
  })
}

/** Splits `A*01:01+A*02:01` into two columns; undefined with any other operator. */
function splitGenotype(typing: string): readonly string[] | undefined {
  const parts = typing.split('+')
  return parts.length === 2 && !/[|^~]/.test(typing) ? parts : undefined
}

interface NewTyping extends Omit<Typed, 'origin'> {
  readonly origin: Origin | Place
}

function putTyping(
  person: Person,
  locus: number,
  slot: 1 | 2 | undefined,
  { text, origin, fault }: NewTyping,
): void {
  const { texts, origins, surplus } = person
  // an empty cell in a row that names the locus takes no place
  if (text.trim() === '') return
  const at = 2 * locus
  const [first, second] = [origins[at], origins[at + 1]]
  const isElsewhere = fileOf(person, first ?? second ?? origin) !== fileOf(person, origin)
  const free = first === undefined && slot !== 2 ? at : second === undefined && slot !== 1 ? at + 1 : -1
  const others = surplus?.get(locus)
  if (others === undefined && free >= 0 && !isElsewhere) {
    texts[free] = text
    origins[free] = origin
    if (fault !== undefined) (person.faults ??= new Map()).set(free, fault)
    return
  }
  const typed = { text, origin: wholeOrigin(person, origin), fault }
  if (others !== undefined) others.push(typed)
  else (person.surplus ??= new Map()).set(locus, [typed])
}

function fileOf({ file }: Person, origin: Origin | Place): PersonFile {
  return isWhole(origin) ? origin.file : file
}

export function wholeOrigin({ file }: Person, origin: Origin | Place): Origin {
  return isWhole(origin) ? origin : { place: origin, values: [], file }
}

function isWhole(origin: Origin | Place): origin is Origin {
  return typeof origin === 'object' && 'place' in origin
}

/** True for typings of a locus without a place: not for those that each of several files has alike. */
export function isSurplus(person: Person, locus: number): boolean {
  if (person.surplus?.has(locus) !== true) return false
  const all = typingsOf(person, locus)
  const files = [...groupBy(all, ({ origin }) => origin.file.name ?? '').values()]
  const texts = new Set(
    files.map((own) =>
      own
        .map(({ text }) => text)
        .toSorted()
        .join('\n'),
    ),
  )
  const isAlike = files.length > 1 && texts.size === 1 && 2 * files.length >= all.length
  return !isAlike || all.some(({ fault }) => fault !== undefined)
}

/** All typings of a locus. */
export function typingsOf(person: Person, locus: number): readonly Typed[] {
  const { texts, origins, surplus } = person
  const placed = [2 * locus, 2 * locus + 1].flatMap((at) => {
    const [text, origin] = [texts[at], origins[at]]
    return text === undefined || origin === undefined ? [] : [{ text, origin: wholeOrigin(person, origin) }]
  })
  return [...placed, ...(surplus?.get(locus) ?? [])]
}

/** `out/S1.hla.tsv.gz` gives `S1.hla`, and `out` by its folder. */
export function personName(file: string, from: SampleFrom | undefined): string {
  if (from?.startsWith('folder') === true) {
    const levels = Number(from.slice('folder:'.length) || 1)
    let folder = resolve(file)
    for (let level = 0; level < levels; level += 1) folder = dirname(folder)
    return basename(folder)
  }
  const name = basename(file).replace(/\.(?:gz|zst)$/i, '')
  return name.replace(/(?<=.)\.[^.]*$/, '')
}

/** Person named in a row; unnamed rows may not be all of one person. @throws {HlaError} io */
export function personIn(values: readonly string[], column: number, line: number): string {
  const name = values[column] ?? ''
  if (name.trim() !== '') return name
  throw new HlaError('io', 'the row names no sample', {
    line,
  })
}

/** Key of a GL String without a locus. */
export const NO_LOCUS = 'GL'

/** Key of the typings of one caller, whose name has no colon, at a locus: `OptiType:A`. */
export function callerLocus(caller: string, locus: string): string {
  return `${caller}:${locus}`
}

/** The caller is '' where callers are not told apart. */
export function splitCaller(key: string): readonly [caller: string, locus: string] {
  const at = key.lastIndexOf(':')
  return [key.slice(0, Math.max(0, at)), key.slice(at + 1)]
}

/** Places that an error names. */
const MAX_PLACES = 6

/** Error for surplus typings, with their lines in the file, which the cell alone does not show. */
export function surplusError(person: string, locus: string, all: readonly Typed[]): HlaError {
  const files = new Set(all.map(({ origin }) => origin.file))
  const where = new Set(
    all.map(({ origin: { file, place } }) => (file.name === undefined ? `${lineOf(place)}` : `${file.name}:${lineOf(place)}`)), // prettier-ignore
  )
  const what =
    files.size > 1
      ? `${files.size} files type ${locus} of one person differently: ${[...files].map((file) => typingsIn(all, file)).join(', ')}`
      : locus === NO_LOCUS
        ? `${all.length} GL Strings of several loci, where a person has one`
        : all.length > 2
          ? `${all.length} typings of ${locus}, where a person has two`
          : `two typings of ${locus} for the same copy, 1 or 2`
  const shown = [...where].slice(0, MAX_PLACES).join(', ')
  const more = where.size > MAX_PLACES ? ` and ${where.size - MAX_PLACES} more` : ''
  return new HlaError('surplus-typing', `${what} (${where.size > 1 ? 'lines' : 'line'} ${shown}${more})`, {
    offending: person,
    hint:
      files.size > 1
        ? advice`without ${option('merge')} each file has a row`
        : locus === NO_LOCUS
          ? 'keep one of them'
          : where.size > 1
            ? 'keep two rows per locus and person'
            : advice`${option('exclude')} omits a column with the same typings`,
  })
}

/** `A*01:01 A*02:01` */
function typingsIn(all: readonly Typed[], file: PersonFile): string {
  return all.flatMap(({ text, origin }) => (origin.file === file ? [text] : [])).join(' ')
}

/** Error of any cell with surplus typings. */
export function surplusCellError(typings: string): HlaError {
  return new HlaError('surplus-typing', `${typings}: more typings than there are places`, {
    offending: typings,
    hint: 'keep two rows per locus and person',
  })
}

/** Error of any cell that its own table leaves open; that of the table, with what to do, stands with its place. */
export function openCellError(typing: string): HlaError {
  const code = /^\*?\d+$/.test(typing) ? 'ambiguous-digits' : 'ambiguous-separator'
  return new HlaError(code, `${typing}: it can be read in several ways`, { offending: typing })
}

/** Error for a surplus typing in a row whose typings are joined. */
export function noPlaceError(cell: string, locus: string): HlaError {
  return new HlaError(
    'surplus-typing',
    `${cell}: ${locus} is in another column too, and a person has one genotype of it`,
    {
      offending: cell,
      hint: cell.includes('~')
        ? 'write the two haplotypes of a person in one cell: A*01:01~B*08:01+A*02:01~B*07:02'
        : advice`keep two typings per locus; ${option('exclude')} omits a column`,
    },
  )
}

/** Error for a third typing that `--drbx` joins; `others` are those before it. */
export function thirdCopyError(cell: string, others: readonly string[]): HlaError {
  const beside = others.length === 0 ? '' : ` beside ${others.join(' and ')}`
  return new HlaError('surplus-typing', `${cell}${beside}: a person has at most two of DRB3, DRB4 and DRB5`, {
    offending: cell,
    hint: advice`keep only two of them${clause`; without ${option('drbx')} each is converted by itself`}`,
  })
}
