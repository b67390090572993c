/** Gathers typing records into a table with a row a person. What stands together is given on as it passes; memory is bounded. */
import { advice } from '../../../../advice.ts'
import { HlaError, isHlaError } from '../../../../errors.ts'
import type { Dialect } from '../../dialect.ts'
import { type LocusNumbers, type TableColumns, locusColumns, locusNumbers, rowMaker } from './row-maker.ts'
import { type Person, type PersonFile, addRecord, newPerson, personSet } from './person.ts'
import { type Places, type TypingCell, newPlaces } from './places.ts'
import {
  type OpenBlock,
  type OpenedFiles,
  type RecordFile,
  blocksIn,
  openedFiles,
  printable,
} from './record-files.ts'
import type { TypingRecord } from '../typing-record.ts'

export interface GatherRequest {
  /** undefined: those of the first records. */
  readonly loci: readonly string[] | undefined
  /** undefined: persons of one name are one, whichever file names them. */
  readonly cohort?: Cohort | undefined
}

/** Of several files. */
export interface Cohort {
  /** Files about one person make one row. */
  readonly isMerged: boolean
  /** A column says file and program, also where all are of one program. */
  readonly hasSources: boolean
  /** Of the table then. */
  readonly dialect: Dialect
}

export interface Gathered {
  readonly columns: TableColumns
  /** Columns that differ within a person, and have no place in its row. */
  readonly left: readonly string[]
  /** Byte text of the table, its header first. Once. */
  readonly chunks: () => AsyncGenerator<Buffer>
  readonly places: Places
  /** Of the first file. */
  readonly first: RecordFile
  readonly files: number
  readonly programs: ReadonlyMap<string, number>
  /** Names of persons that several files have, a row each. */
  readonly repeated: ReadonlySet<string>
  readonly releases: ReadonlyMap<string, number>
  readonly leftOut: ReadonlyMap<string, number>
  readonly ignored: readonly string[]
}

/** Records that are looked at before the columns are decided; so many may stand in any order. */
export const FIRST_RECORDS = 400_000

/** Of one document, whose persons are there once. */
const FIRST_APART = 100_000

/** Bytes of a piece. */
const PIECE = 128 * 1024

/** @throws {HlaError} usage — a person comes back after others, a locus appears late; io — there are no records */
export async function gather(
  files: AsyncIterable<RecordFile>,
  { loci, cohort }: GatherRequest,
  most = FIRST_RECORDS,
): Promise<Gathered> {
  const opened = openedFiles()
  const blocks = blocksIn(files, opened)
  const numbers = locusNumbers()
  const isMerged = cohort?.isMerged ?? true
  const found = firstPersons(numbers, isMerged)
  let [count, isEnded] = [0, false]
  const isEnough = () => count > (opened.isApart() ? Math.min(most, FIRST_APART) : most)
  while (!isEnough() && !isEnded) {
    const next = await blocks.next()
    isEnded = next.done === true
    if (next.done === true) continue
    const { records, file } = next.value
    count += records.length
    for (const record of records) found.take(record, file)
  }
  const { inOrder } = found
  const first = opened.first()
  if (first === undefined || inOrder.length === 0) throw nothingRead(inOrder[0]?.fault?.error)
  const returned = found.returned()
  if (!isEnded && returned !== undefined) throw returned
  const { columns, left } = decideColumns(inOrder, first, opened, {
    loci: loci ?? [...numbers.names],
    cohort,
  })
  const places = newPlaces(typingCells(columns, numbers))
  const state = { inOrder, last: found.last(), columns, numbers, places, isEnded, blocks, isMerged }
  return {
    columns,
    left,
    chunks: () => tableChunks(state),
    places,
    first,
    files: opened.count(),
    programs: opened.programs(),
    repeated: found.repeated,
    releases: opened.releases(),
    leftOut: opened.leftOut(),
    ignored: opened.ignored(),
  }
}

/** Their records may stand in any order. */
function firstPersons(numbers: LocusNumbers, isMerged: boolean) {
  const firstFiles = new Map<string, PersonFile>()
  const repeated = new Set<string>()
  const persons = new Map<string, Person>()
  const inOrder: Person[] = []
  let last: Person | undefined
  let returned: HlaError | undefined
  return {
    inOrder,
    repeated,
    last: () => last,
    /** Why their records must stand together, when others follow. */
    returned: () => returned,
    take(record: TypingRecord, file: PersonFile): void {
      const faulty = faultyPerson(record, file)
      if (faulty !== undefined) return void inOrder.push(faulty)
      const named = namedBy(record, file, isMerged)
      const { name } = named
      if (last === undefined || !isOf(last, named, isMerged)) {
        const key = personKey(named, isMerged)
        const known = persons.get(key)
        if (!isMerged && (firstFiles.get(name) ?? file) !== file && name.trim() !== '') repeated.add(name) // prettier-ignore
        if (!isMerged && !firstFiles.has(name)) firstFiles.set(name, file)
        if (known !== undefined) returned ??= cameBack(name, file, record)
        last = known ?? newPerson(name, file, record.line)
        if (known === undefined) {
          persons.set(key, last)
          inOrder.push(last)
        }
      }
      addRecord(last, record, file, locusNumber(record, numbers))
    },
  }
}

interface Named {
  readonly name: string
  readonly file: PersonFile
  /** Line of a row that is a person by itself; undefined: other records of that name are of the same person. */
  readonly row?: number | undefined
}

function namedBy({ person, isRow, line }: TypingRecord, file: PersonFile, isMerged: boolean): Named {
  const name = person ?? file.person
  return { name, file, row: isRow === true && (!isMerged || name.trim() === '') ? line : undefined }
}

function isOf(person: Person, { name, file, row }: Named, isMerged: boolean): boolean {
  if (row !== undefined) return person.file === file && person.line === row
  return person.name === name && (isMerged || person.file === file)
}

function personKey({ name, file, row }: Named, isMerged: boolean): string {
  if (row !== undefined) return `${name}\0${file.name ?? ''}\0${row}`
  return isMerged ? name : `${name}\0${file.name ?? ''}`
}

function decideColumns(
  persons: readonly Person[],
  { source }: RecordFile,
  opened: OpenedFiles,
  { loci, cohort }: { readonly loci: readonly string[]; readonly cohort: Cohort | undefined },
): { readonly columns: TableColumns; readonly left: readonly string[] } {
  opened.close()
  const { facts } = opened
  const isMixed = opened.programs().size > 1
  const hasSources = cohort?.hasSources === true || isMixed
  // what programs say of their typings cannot be compared
  const [scores, unlike] = isMixed ? [[], opened.scores] : [opened.scores, []]
  const isKept = facts.map((_, at) => persons.every((person) => (person.facts[at]?.length ?? 0) <= 1))
  const [faulty] = persons
  if (loci.length === 0 && faulty?.fault !== undefined) throw placedFault(faulty, faulty.fault)
  return {
    columns: {
      person: cohort?.hasSources === true ? (facts.includes('sample') ? 'person' : 'sample') : source.personName, // prettier-ignore
      source: hasSources ? (facts.includes('source') ? 'source_file' : 'source') : undefined,
      facts: facts.flatMap((name, at) => (isKept[at] ? [{ name, at }] : [])),
      loci: [...new Set(loci)],
      scores,
      dialect: cohort?.hasSources === true ? cohort.dialect : source.dialect,
      hasFiles: opened.first()?.name !== undefined,
      hasPaths: source.hasPaths ?? false,
      isMixed,
    },
    left: [...facts.filter((_, at) => !isKept[at]), ...unlike],
  }
}

interface GatherState {
  readonly inOrder: Person[]
  readonly last: Person | undefined
  readonly columns: TableColumns
  readonly numbers: LocusNumbers
  readonly places: Places
  readonly isEnded: boolean
  readonly blocks: AsyncGenerator<OpenBlock, undefined>
  readonly isMerged: boolean
}

async function* tableChunks(state: GatherState): AsyncGenerator<Buffer> {
  const { inOrder, columns, numbers, places, isEnded, blocks, isMerged } = state
  const maker = rowMaker(columns, numbers, places)
  let [text, current] = [maker.head(), state.last]
  const seen = personSet()
  for (const person of inOrder) {
    if (person.fault === undefined) seen.add(personKey(person, isMerged))
    // the last one may go on
    if (!isEnded && person === current) continue
    text += maker.row(person)
    if (text.length < PIECE) continue
    yield Buffer.from(text, 'latin1')
    text = ''
  }
  inOrder.length = 0
  const take = (record: TypingRecord, file: PersonFile) => {
    const faulty = faultyPerson(record, file)
    if (faulty !== undefined) return void (text += maker.row(faulty))
    const named = namedBy(record, file, isMerged)
    const { name } = named
    if (current === undefined || !isOf(current, named, isMerged)) {
      if (current !== undefined) text += maker.row(current)
      if (!seen.add(personKey(named, isMerged))) throw cameBack(name, file, record)
      current = newPerson(name, file, record.line)
    }
    addRecord(current, record, file, locusNumber(record, numbers))
  }
  if (!isEnded) {
    for await (const { records, file } of blocks) {
      for (const record of records) take(record, file)
      if (text.length < PIECE) continue
      yield Buffer.from(text, 'latin1')
      text = ''
    }
    if (current !== undefined) text += maker.row(current)
  }
  yield Buffer.from(text, 'latin1')
}

/** -1: it names none. */
function locusNumber({ locus }: TypingRecord, numbers: LocusNumbers): number {
  return locus === '' ? -1 : numbers.number(locus)
}

function typingCells(columns: TableColumns, numbers: LocusNumbers): Map<number, TypingCell> {
  const cells = locusColumns(columns).flatMap(([locus, column]) =>
    ([1, 2] as const).map((slot) => {
      const at = 2 * numbers.number(locus) + slot - 1
      return [column + slot - 1, { locus, slot, at }] as const
    }),
  )
  return new Map(cells)
}

/** Of a record that says why nothing is known of its person; never one with another of the same name. */
function faultyPerson({ person, line, path, error }: TypingRecord, file: PersonFile): Person | undefined {
  return error && newPerson(person ?? file.person, file, line, { error, path })
}

/** No file can be read, and the first tells why; or nothing is in them. */
function nothingRead(error: HlaError | undefined): HlaError {
  return isHlaError(error?.cause) ? error.cause : new HlaError('io', 'the input contains no typings')
}

/** No person can be read, and the first tells why. */
function placedFault({ file, line }: Person, { error, path }: NonNullable<Person['fault']>): HlaError {
  const { code, said, offending, suggestions, hint } = error
  const at = file.name === undefined ? `line ${line}` : `${file.name}:${line}`
  const place = path === undefined ? at : `${at}: ${path}`
  return new HlaError(code, advice`${place}: ${said}`, { offending, suggestions, hint, cause: error })
}

function cameBack(name: string, { name: file }: PersonFile, { line }: TypingRecord): HlaError {
  const place = file === undefined ? `line ${line}` : `${file}:${line}`
  const most = FIRST_RECORDS.toLocaleString('en-US')
  return new HlaError('usage', `${place}: ${printable(name)} comes back after the rows of others`, {
    offending: name,
    hint: `sort the rows by person: with more than ${most} typings, those of a person must stand together`,
  })
}
