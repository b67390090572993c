/**
 * Gathers typing records into a table with one row per person. Adjacent records pass in a stream; memory is bounded.
 */
import { PersonIndex } from '../../person-index.ts'
import { HlaError, isHlaError } from '../../../errors.ts'
import { quoted, errorAt } from '../../placed-error.ts'
import type { Dialect } from '../../input/dialect.ts'
import type { TableRow } from '../../input/read-table.ts'
import { type LocusNumbers, type TableColumns, locusNumbers, rowMaker } from './row-maker.ts'
import { type Person, type PersonFile, addRecord, newPerson } from './person.ts'
import { type OpenBlock, type OpenedFiles, type RecordFile, blocksIn, openedFiles } from './record-files.ts'
import type { TypingRecord } from '../typing-record.ts'
import { formatCount } from '../../../format-count.ts'
import { keepNewSpaceSmall } from '../../../io/heap.ts'

export interface GatherRequest {
  /** undefined takes the loci of the first records. */
  readonly loci: readonly string[] | undefined
  /** Omit when persons of one name are the same, whichever file names them. */
  readonly cohort?: Cohort | undefined
}

/** Settings for several files. */
export interface Cohort {
  /** True when files about one person make one row. */
  readonly isMerged: boolean
  /** True when a column names file and program, even if all files come from one program. */
  readonly hasSources: boolean
  /** Dialect of the table. */
  readonly dialect: Dialect
}

export interface Gathered {
  readonly columns: TableColumns
  /** Columns dropped because their values differ within a person. */
  readonly left: readonly string[]
  /** Blocks of rows, header first; readable once. */
  readonly rows: () => AsyncGenerator<TableRow[]>
  /** First file. */
  readonly first: RecordFile
  /** All files so far. */
  readonly opened: OpenedFiles
  /** Names of persons found in several files, with one row each. */
  readonly repeated: ReadonlySet<string>
}

/** Records examined before the columns are decided; these may come in any order. */
export const FIRST_RECORDS = 400_000

/** The same limit for a document, whose persons are unique. */
const FIRST_APART = 100_000

/** Rows per block. */
const BLOCK = 100

/** @throws {HlaError} usage — a person returns after others, or a locus first appears late; io — no records */
export async function gather(
  files: AsyncIterable<RecordFile> | Iterable<RecordFile>,
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
    keepNewSpaceSmall()
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
  const state = { inOrder, last: found.last(), columns, numbers, isEnded, blocks, isMerged }
  const { repeated } = found
  return { columns, left, rows: () => tableRows(state), first, opened, repeated }
}

/** Collects the first persons, whose records may come in any order. */
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
    /** Reason why later records must be adjacent. */
    returned: () => returned,
    take(record: TypingRecord, file: PersonFile): void {
      const faulty = faultyPerson(record, file)
      if (faulty !== undefined) return void inOrder.push(faulty)
      if (last === undefined || !isOf(last, record, file, isMerged)) {
        const named = namedBy(record, file, isMerged)
        const { name } = named
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
  /** Line of a row that is a separate person; undefined when records of the same name are one person. */
  readonly row?: number | undefined
}

function namedBy({ person, isRow, line }: TypingRecord, file: PersonFile, isMerged: boolean): Named {
  const name = person ?? file.person
  return { name, file, row: isRow === true && (!isMerged || name.trim() === '') ? line : undefined }
}

function isOf(person: Person, record: TypingRecord, file: PersonFile, isMerged: boolean): boolean {
  const row = record.isRow === true ? namedBy(record, file, isMerged).row : undefined
  if (row !== undefined) return person.file === file && person.line === row
  return person.name === (record.person ?? file.person) && (isMerged || person.file === file)
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
  // scores of different programs are not comparable
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
  readonly isEnded: boolean
  readonly blocks: AsyncGenerator<OpenBlock, undefined>
  readonly isMerged: boolean
}

/** Blocks of rows, header first. */
async function* tableRows(state: GatherState): AsyncGenerator<TableRow[]> {
  const { inOrder, columns, numbers, isEnded, blocks, isMerged } = state
  const maker = rowMaker(columns, numbers)
  let [rows, current] = [[maker.head], state.last]
  const seen = new PersonIndex()
  for (const person of inOrder) {
    if (!isEnded && person.fault === undefined) seen.add(personKey(person, isMerged))
    // the last person may continue
    if (!isEnded && person === current) continue
    rows.push(maker.row(person))
    if (rows.length < BLOCK) continue
    yield rows
    rows = []
  }
  inOrder.length = 0
  const take = (record: TypingRecord, file: PersonFile) => {
    const faulty = faultyPerson(record, file)
    if (faulty !== undefined) return void rows.push(maker.row(faulty))
    if (current === undefined || !isOf(current, record, file, isMerged)) {
      const named = namedBy(record, file, isMerged)
      const { name } = named
      if (current !== undefined) rows.push(maker.row(current))
      if (seen.add(personKey(named, isMerged)) === undefined) throw cameBack(name, file, record)
      current = newPerson(name, file, record.line)
    }
    addRecord(current, record, file, locusNumber(record, numbers))
  }
  if (!isEnded) {
    for await (const { records, file } of blocks) {
      for (const record of records) take(record, file)
      if (rows.length < BLOCK) continue
      yield rows
      rows = []
    }
    if (current !== undefined) rows.push(maker.row(current))
  }
  yield rows
}

/** -1 when the record names none. */
function locusNumber({ locus }: TypingRecord, numbers: LocusNumbers): number {
  return locus === '' ? -1 : numbers.number(locus)
}

/** Person of a record that reports a fault; never merged with another of the same name. */
function faultyPerson({ person, line, path, error }: TypingRecord, file: PersonFile): Person | undefined {
  return error && newPerson(person ?? file.person, file, line, { error, path })
}

/** Error when no file can be read, that of the first; or when none has typings. */
function nothingRead(error: HlaError | undefined): HlaError {
  return isHlaError(error?.cause) ? error.cause : new HlaError('io', 'the input contains no typings')
}

/** Error when no person can be read: that of the first. */
function placedFault({ file, line }: Person, { error, path }: NonNullable<Person['fault']>): HlaError {
  const at = file.name === undefined ? `line ${line}` : `${file.name}:${line}`
  return errorAt(path === undefined ? at : `${at}: ${path}`, error)
}

function cameBack(name: string, { name: file }: PersonFile, { line }: TypingRecord): HlaError {
  const place = file === undefined ? `line ${line}` : `${file}:${line}`
  const most = formatCount(FIRST_RECORDS)
  return new HlaError('usage', `${place}: ${quoted(name)} appears again after rows of other persons`, {
    offending: name,
    hint: `sort the rows by person: with more than ${most} typings, all rows of a person must be adjacent`,
  })
}
