/** Comparison of two files of the same persons: the first is held in memory, the second is streamed. */
import { HlaError } from '../../errors.ts'
import { type Executor, readyExecutor } from '../../operations/executor.ts'
import { PersonIndex, PersonNumbers } from '../person-index.ts'
import {
  type CompareRequest,
  type ComparisonCounts,
  type DifferenceRow,
  type FilesCompared,
  type LocusSide,
  type MethodRequest,
  compareSides,
  countVerdict,
  differInCopies,
  isCompared,
  isConcordant,
  newCounts,
  readSide,
  reducedText,
  slotsText,
} from './verdicts.ts'
import { type Reductions, newReductions } from '../answers/reductions.ts'
import { NO_LOCUS, type PersonRow, SideReader, type TypingFault } from './side-reader.ts'
import { readTypedRows } from '../run/read-rows.ts'
import { type LocusSlots, NO_STATEMENT, statementText } from '../answers/statements.ts'
import { advice, clause, option } from '../../advice.ts'
import { formatCount } from '../../format-count.ts'

/**
 * @throws {HlaError} usage — a person occurs twice in a file, or no person is named; and errors of reading and asking
 */
export async function compareFiles(request: CompareRequest): Promise<FilesCompared> {
  const { left, right, facts, loci, failed } = request
  const readers = {
    left: new SideReader({ file: left, loci, failed }),
    right: new SideReader({ file: right, loci, failed }),
  }
  const persons = new LeftPersons()
  for await (const rows of readTypedRows(left, facts, failed)) {
    for (const row of readers.left.read(rows)) persons.add(row, left.name)
    if (readers.left.statements.characters() > MAX_CHARACTERS) throw tooManyTypings(left.name)
  }
  const compared = await compareRight(request, readers, persons)
  for (const person of persons.unmet())
    request.differs?.({
      person: persons.index.id(person),
      verdict: 'only-left',
      left_line: persons.place(person).line,
    })
  return compared
}

/** Maximum characters of the first file's distinct typings; only lists of genotypes reach it. */
const MAX_CHARACTERS = 256 * 1024 * 1024

interface Readers {
  readonly left: SideReader
  readonly right: SideReader
}

async function compareRight(
  request: CompareRequest,
  readers: Readers,
  persons: LeftPersons,
): Promise<FilesCompared> {
  const { right, executor, differs, passed } = request
  const methods = request.methods.map((method) => openMethod(method, request, readers))
  const strangers = new PersonIndex()
  let [both, only] = [0, 0]
  const match = (row: PersonRow, isPair: boolean): MetPerson | DifferenceRow => {
    const person = isPair ? 0 : persons.index.find(row.id)
    if (person === undefined) {
      if (strangers.add(row.id) === undefined) throw twice(right.name, row.id, undefined, row.line)
      only += 1
      return { person: row.id, verdict: 'only-right', right_line: row.line }
    }
    if (!persons.meet(person)) throw twice(right.name, row.id, undefined, row.line)
    both += 1
    return { person, row }
  }
  for await (const { rows, isPair } of pairedBlocks(request, readers.right, persons)) {
    const found = rows.map((row) => match(row, isPair))
    const met = found.filter(isMet)
    const questions = () => methods.flatMap((method) => neededQuestions(met, persons, method))
    const ready = await readyExecutor(executor, questions)
    const comparison = { request, readers, persons, executor: ready }
    for (const one of found) {
      if (!isMet(one)) {
        differs?.(one)
        continue
      }
      for (const method of methods) comparePerson(one, method, comparison)
    }
    const isChanged = readers.right.statements.characters() > MAX_RIGHT_CHARACTERS
    if (isChanged) readers.right.forget()
    for (const { left, right: other } of methods) {
      left.forget(false)
      other.forget(isChanged)
    }
    await passed()
  }
  return {
    left: { persons: persons.index.size, only: persons.index.size - both, broken: readers.left.broken },
    right: { persons: both + only, only, broken: readers.right.broken },
    persons: both,
    methods: methods.map(({ method, counts }) => ({ method, counts })),
  }
}

function isMet(one: MetPerson | DifferenceRow): one is MetPerson {
  return 'row' in one
}

/** Maximum characters of the second file's distinct typings, which are dropped from time to time. */
const MAX_RIGHT_CHARACTERS = 32 * 1024 * 1024

function openMethod(
  { method, leftInput, rightInput }: MethodRequest,
  { facts }: CompareRequest,
  readers: Readers,
): ComparedMethod {
  const of = { release: facts.label, names: new Map<string, number>() }
  return {
    method,
    counts: newCounts(),
    left: newReductions({ ...of, statements: () => readers.left.statements, input: leftInput }),
    right: newReductions({ ...of, statements: () => readers.right.statements, input: rightInput }),
  }
}

function neededQuestions(met: readonly MetPerson[], persons: LeftPersons, { left, right }: ComparedMethod) {
  const slots = met.flatMap(({ person }) => persons.loci.map((locus) => persons.slots(person, locus)))
  const others = met.flatMap(({ row }) => [...row.loci.values()])
  const ids = (all: typeof slots) => all.flatMap(({ first, second }) => [first, second])
  return [...left.questions(ids(slots)), ...right.questions(ids(others))]
}

/** Two files about one person each, named after the file, are compared as the same person. */
async function* pairedBlocks(
  { left, right, facts, failed, paired }: CompareRequest,
  reader: SideReader,
  persons: LeftPersons,
): AsyncGenerator<{ readonly rows: readonly PersonRow[]; readonly isPair: boolean }> {
  const mayPair = persons.index.size === 1 && persons.index.id(0) === left.personName
  let held: PersonRow[] = []
  for await (const block of readTypedRows(right, facts, failed)) {
    const rows = reader.read(block)
    if (!mayPair) yield { rows, isPair: false }
    else held = [...held, ...rows]
    if (mayPair && held.length > 1) {
      yield { rows: held, isPair: false }
      held = []
    }
  }
  const [only] = held
  if (only === undefined) return
  const isPair = held.length === 1 && only.id === right.personName
  if (isPair && only.id !== left.personName) paired(left.personName, only.id)
  yield { rows: held, isPair }
}

function tooManyTypings(file: string): HlaError {
  return new HlaError('usage', `${file} has more distinct typings than can be held in memory`, {
    hint: 'give the other file first, or divide both by person',
  })
}

interface ComparedMethod {
  readonly method: string
  readonly counts: ComparisonCounts
  readonly left: Reductions
  readonly right: Reductions
}

interface MetPerson {
  readonly person: number
  readonly row: PersonRow
}

interface Comparison {
  readonly request: CompareRequest
  readonly readers: Readers
  readonly persons: LeftPersons
  readonly executor: Executor
}

function comparePerson(
  { person, row }: MetPerson,
  { method, counts, left: leftReductions, right: rightReductions }: ComparedMethod,
  { request, readers, persons, executor }: Comparison,
): void {
  const place = persons.place(person)
  const others = [...row.loci.keys()].filter((locus) => !persons.loci.includes(locus))
  let [compared, concordant] = [0, 0]
  for (const locus of [...persons.loci, ...others]) {
    const slots = persons.slots(person, locus)
    // a cell that cannot be read may concern any locus
    const leftSlots = slots.first === NO_STATEMENT ? persons.slots(person, NO_LOCUS) : slots
    const rightSlots = row.loci.get(locus) ?? row.loci.get(NO_LOCUS)
    const left = readSide(leftSlots, leftReductions, executor)
    const right = readSide(rightSlots, rightReductions, executor)
    const found = compareSides(left, right)
    if (found === undefined) continue
    const { verdict } = found
    const areCopiesOther = differInCopies(locus, left, right)
    countVerdict(counts, locus, found, areCopiesOther)
    if (isCompared(verdict)) compared += 1
    if (isConcordant(verdict)) concordant += 1
    if (verdict === 'identical' && !areCopiesOther) continue
    if (left.kind === 'fault') reportFault(left, readers.left, { id: row.id, locus, ...place })
    if (right.kind === 'fault')
      reportFault(right, readers.right, { id: row.id, locus, row: row.row, line: row.line })
    request.differs?.({
      person: row.id,
      locus,
      method,
      verdict: verdict === 'identical' ? 'copies' : verdict,
      left: slotsText(leftSlots, readers.left.statements),
      right: slotsText(rightSlots, readers.right.statements),
      left_reduced: reducedText(left),
      right_reduced: reducedText(right),
      left_line: place.line,
      right_line: row.line,
      reason: [left, right].flatMap((side) => (side.kind === 'fault' ? [side.error.message] : [])).join('; '),
    })
  }
  if (compared > 0) counts.compared += 1
  if (compared > 0 && compared === concordant) counts.concordant += 1
}

function reportFault(
  { id, error }: Extract<LocusSide, { readonly kind: 'fault' }>,
  reader: SideReader,
  typed: Pick<TypingFault, 'id' | 'locus' | 'row' | 'line'>,
): void {
  const statement = reader.statements.get(id)
  // the fault of a cell was reported when it was read
  if (statement.kind !== 'fault') reader.fail({ ...typed, value: statementText(statement), error })
}

/** Persons of the first file. */
class LeftPersons {
  readonly index = newPersonIndex()
  /** Statements by locus: two of each person. */
  readonly #slots = new PersonNumbers()
  readonly #places = new PersonNumbers()

  /** @throws {HlaError} usage — too many persons, or a repeated one */
  add({ id, row, line, loci }: PersonRow, file: string): void {
    const person = this.index.add(id)
    if (person === undefined) throw twice(file, id, this.place(this.index.find(id) ?? 0).line, line)
    this.#places.set('row', person, row)
    this.#places.set('line', person, line)
    for (const [locus, { first, second }] of loci) {
      this.#slots.set(locus, 2 * person, first)
      this.#slots.set(locus, 2 * person + 1, second)
    }
  }

  get loci(): readonly string[] {
    return this.#slots.columns
  }

  slots(person: number, locus: string): LocusSlots {
    return { first: this.#slots.get(locus, 2 * person), second: this.#slots.get(locus, 2 * person + 1) }
  }

  place(person: number): { readonly row: number; readonly line: number } {
    return { row: this.#places.get('row', person), line: this.#places.get('line', person) }
  }

  /** Returns true at the first call for the person. */
  meet(person: number): boolean {
    const isFirst = this.#places.get('met', person) === 0
    this.#places.set('met', person, 1)
    return isFirst
  }

  *unmet(): Generator<number> {
    for (let person = 0; person < this.index.size; person += 1)
      if (this.#places.get('met', person) === 0) yield person
  }
}

/** Error for a repeated person: the user must say which row counts. */
function twice(file: string, id: string, first: number | undefined, line: number): HlaError {
  const where = first === undefined ? `line ${line}` : `lines ${first} and ${line}`
  return new HlaError('usage', `${file}: ${JSON.stringify(id)} occurs twice (${where})`, {
    offending: id,
    hint: advice`keep one row per person${clause`; ${option('id-column')} says which column names the person`}`,
  })
}

/** Maximum number of persons of one file held in memory. */
const MAX_PERSONS = 10_000_000

/** Persons of the first file. @throws {HlaError} usage — too many */
export function newPersonIndex(most = MAX_PERSONS): PersonIndex {
  return new PersonIndex(
    most,
    () =>
      new HlaError('usage', `more than ${formatCount(most)} persons in the first file`, {
        hint: 'give the smaller file first, or divide both by person',
      }),
  )
}
