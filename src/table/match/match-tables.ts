/**
 * Matches the persons of tables: pairs in the rows of one table, rows of two tables with the same id, or every patient
 * with every donor. Memory holds all persons as numbers; each pair is written as soon as it is compared.
 */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import {
  chooseCount,
  listLoci,
  MATCH_COUNTS,
  COUNTED_LOCI,
  type MatchCount,
} from '../../engine/match/match.ts'
import type { TypedLocus } from '../../engine/match/person.ts'
import { PersonIndex } from '../person-index.ts'
import { Cohort, type Sides, UNTYPED } from './cohort.ts'
import {
  allComparer,
  BOTH_UNTYPED,
  type ComparedCohorts,
  countedPlaces,
  pairComparer,
  ONE_UNTYPED,
} from './compare.ts'
import { leastMatched, mostMatched } from '../../engine/match/locus-pairs.ts'
import type { SettlingFacts } from '../cells/name-facts.ts'
import type { Failure } from '../output/failure-report.ts'
import { personError, requireIdColumn, type TypedFile, type TypedRow } from '../run/read-rows.ts'
import { type PersonRow, readPersonRows } from './read-persons.ts'

export interface ReadContext {
  readonly sides: Sides
  readonly facts: SettlingFacts
  readonly failed: (failure: Failure) => void
  /** Called after each block of rows. */
  readonly passed: () => void
}

/** Persons of one file; rows without an id, or that cannot be read, are reported. */
export async function readCohort(file: TypedFile, context: ReadContext): Promise<Cohort> {
  requireIdColumn(file)
  const cohort = new Cohort()
  const index = new PersonIndex()
  await readNumberedRows(file, context, (row, persons) => {
    const { id: own, line } = row
    const error = personError(row)
    if (error !== undefined) row.fail(error)
    else
      for (const { subject, numbers } of persons) {
        const id = persons.length === 1 ? own : `${own} ${subject}`
        if (index.add(id) === undefined) throw twice(file.name, id, line)
        cohort.add(id, numbers())
      }
  })
  return cohort
}

/** Patient and donor of each row, at the same place of both cohorts. @throws {HlaError} usage */
export async function readPairs(
  file: TypedFile,
  context: ReadContext,
): Promise<{ readonly patients: Cohort; readonly donors: Cohort }> {
  const { plan } = file.table
  const subjects = [...new Set(plan.groups.map(({ subject }) => subject))]
  const ofSubject = (subject: string) => {
    const own = plan.header.labels.findIndex((label) => isIdOf(label, subject))
    return { subject, column: own < 0 ? plan.idColumn : own, cohort: new Cohort() }
  }
  const [patient, donor] = pairSubjects(subjects, file.name)
  const pair = { patient: ofSubject(patient), donor: ofSubject(donor) }
  await readNumberedRows(file, context, ({ number, error, text, fail }, persons) => {
    if (error !== undefined) fail(error)
    for (const { subject, column, cohort } of Object.values(pair)) {
      const numbers =
        error === undefined
          ? persons.find((one) => one.subject === subject)?.numbers()
          : new Map([['', context.sides.numberOf('', { kind: 'unread', error })]])
      cohort.add((column === undefined ? '' : text(column)) || String(number), numbers ?? new Map())
    }
  })
  return { patients: pair.patient.cohort, donors: pair.donor.cohort }
}

const PATIENTS = /^(?:patient|recipient|rec|pat|r|p)$/i
const DONORS = /^(?:donor|don|d)$/i

function pairSubjects(subjects: readonly string[], name: string): readonly [patient: string, donor: string] {
  const [patient, donor] = [PATIENTS, DONORS].map((pattern) => subjects.filter((one) => pattern.test(one)))
  const [own, second] = patient ?? []
  const [other, another] = donor ?? []
  if (own !== undefined && other !== undefined && second === undefined && another === undefined)
    return [own, other]
  const found = subjects.filter((one) => one !== '')
  const has = found.length === 0 ? 'columns of one person' : `columns of ${found.join(', ')}`
  throw new HlaError('usage', `${name} has ${has}, not of a patient and a donor`, {
    hint: advice`${option('patient')} and ${option('donor')} name the prefixes of their columns, such as patient_ and donor_; ${option('patients')} and ${option('donors')} name two tables`,
  })
}

function isIdOf(label: string, subject: string): boolean {
  const text = label.toLowerCase()
  const own = subject.toLowerCase()
  return text === own || (text.startsWith(own) && /^[_ .-]?(?:id|name|no|number|code|grid)$/.test(text.slice(own.length))) // prettier-ignore
}

interface NumberedPerson {
  readonly subject: string
  /** Numbers of the person's loci; typings that cannot be read are reported. */
  readonly numbers: () => ReadonlyMap<string, number>
}

async function readNumberedRows(
  file: TypedFile,
  { sides, facts, failed, passed }: ReadContext,
  add: (row: TypedRow, persons: readonly NumberedPerson[]) => void,
): Promise<void> {
  const numbersOf = (loci: PersonRow['loci'], { fail }: TypedRow) => {
    const numbers = new Map<string, number>()
    for (const [locus, { typed, column, value }] of loci) {
      const number = sides.numberOf(locus, typed)
      numbers.set(locus, number)
      const side = sides.side(locus, number)
      if (side.kind === 'unread') fail(side.error, { column, locus, value })
    }
    return numbers
  }
  for await (const rows of readPersonRows(file, facts, failed)) {
    await sides.learn(rows.flatMap(([, persons]) => persons))
    for (const [row, persons] of rows)
      add(
        row,
        persons.map(({ subject, loci }) => ({ subject, numbers: () => numbersOf(loci, row) })),
      )
    passed()
  }
}

function twice(file: string, id: string, line: number): HlaError {
  return new HlaError('usage', `${file}: ${JSON.stringify(id)} occurs twice (line ${line})`, {
    offending: id,
    hint: 'keep one row per person',
  })
}

/** A typing that names no locus and cannot be read leaves every untyped locus of the person unread. */
export function spreadUnread(cohort: Cohort, sides: Sides, loci: readonly string[]): void {
  if (!cohort.columns.includes('')) return
  const whole = cohort.at('')
  const error = new HlaError('bad-syntax', 'a typing of this person cannot be read, and names no locus')
  const unread: TypedLocus = { kind: 'unread', error }
  for (const locus of loci) {
    const own = cohort.at(locus)
    for (let person = 0; person < cohort.size; person += 1)
      if (whole[person] !== 0 && own[person] === 0) cohort.set(locus, person, sides.numberOf(locus, unread))
  }
}

/** Loci that a person of either cohort has. */
export function lociOf(patients: Cohort, donors: Cohort): readonly string[] {
  const keys = (cohort: Cohort) => new Map(cohort.columns.flatMap((locus) => (locus === '' ? [] : [[locus, true]]))) // prettier-ignore
  return listLoci(keys(patients), keys(donors))
}

/** Places of pairs: in each row, or with the same id. */
export function* pairsById(patients: Cohort, donors: Cohort): Generator<readonly [number, number]> {
  const byId = new Map(donors.ids.map((id, donor) => [id, donor]))
  for (const [patient, id] of patients.ids.entries()) {
    const donor = byId.get(id)
    if (donor !== undefined) yield [patient, donor]
  }
}

/** Pairs in the rows of one table. */
export function* rowPairs({ size }: Cohort): Generator<readonly [number, number]> {
  for (let row = 0; row < size; row += 1) yield [row, row]
}

export type WritePair = (patient: number, donor: number, packed: readonly number[]) => void

/** Count of a run, by the loci that both persons of a pair have typed. `pairs`: undefined for every patient with every donor. */
export function countOf(
  { patients, donors, sides }: Pick<ComparedCohorts, 'patients' | 'donors' | 'sides'>,
  pairs: Iterable<readonly [number, number]> | undefined,
): MatchCount {
  const loci = COUNTED_LOCI['10/10']
  const masksOf = (cohort: Cohort) => {
    const masks = new Uint8Array(cohort.size)
    for (const [at, locus] of loci.entries()) {
      const own = cohort.at(locus)
      for (let person = 0; person < masks.length; person += 1)
        if (sides.side(locus, own[person] ?? UNTYPED).kind === 'typed') masks[person] = (masks[person] ?? 0) | (1 << at) // prettier-ignore
    }
    return masks
  }
  const [own, other] = [masksOf(patients), masksOf(donors)]
  const common = new Set<number>()
  if (pairs === undefined)
    for (const one of new Set(own)) for (const two of new Set(other)) common.add(one & two)
  else for (const [patient, donor] of pairs) common.add((own[patient] ?? 0) & (other[donor] ?? 0))
  return chooseCount([...common].map((mask) => new Set(loci.filter((_, at) => (mask >> at) % 2 === 1))))
}

export interface Wanted {
  /** Upper and lower bound of the alleles in common. */
  readonly min: number
  readonly minSure: number
  /** Donors of each patient. */
  readonly top: number
}

interface Receiver {
  readonly write: WritePair
  /** Called now and then with the number of pairs compared. */
  readonly passed: (pairs: number) => Promise<void> | void
}

/** Pairs in their order. Returns the number of pairs written. */
export async function matchPairs(
  compared: ComparedCohorts,
  count: MatchCount,
  pairs: Iterable<readonly [number, number]>,
  { min, minSure, write, passed }: Omit<Wanted, 'top'> & Receiver,
): Promise<number> {
  const packedOf = pairComparer(compared)
  const counted = countedPlaces(compared.loci, count)
  let [done, written] = [0, 0]
  for (const [patient, donor] of pairs) {
    const packed = packedOf(patient, donor)
    let [least, most] = [0, 0]
    for (const at of counted) {
      const counts = packed[at] ?? BOTH_UNTYPED
      if (counts >= ONE_UNTYPED) continue
      least += leastMatched(counts)
      most += mostMatched(counts)
    }
    if (most >= min && least >= minSure) {
      write(patient, donor, packed)
      written += 1
    }
    done += 1
    if (done % PAIRS_AT_ONCE === 0) await passed(done)
  }
  await passed(done)
  return written
}

const PAIRS_AT_ONCE = 1000

/**
 * Every patient with every donor: sure matches first, then possible ones, then by the donor's id. Returns the number of
 * pairs written.
 */
export async function matchAll(
  compared: ComparedCohorts,
  count: MatchCount,
  { min, minSure, top, write, passed }: Wanted & Receiver,
): Promise<number> {
  const { patients, donors } = compared
  const countsOf = allComparer(compared)
  const counted = countedPlaces(compared.loci, count)
  const order = donorOrder(donors)
  let written = 0
  for (let patient = 0; patient < patients.size; patient += 1) {
    const counts = countsOf(patient)
    const own = counted.flatMap((at) => counts[at] ?? [])
    const ranks = rankDonors(own, order, { min, minSure })
    let left = top
    for (const list of ranks) {
      if (list === undefined) continue
      if (left <= 0) break
      for (const donor of list.slice(0, left)) write(patient, donor, counts.map((one) => one[donor] ?? BOTH_UNTYPED)) // prettier-ignore
      written += Math.min(left, list.length)
      left -= list.length
    }
    await passed((patient + 1) * donors.size)
  }
  return written
}

/** Donors by rank: the sure matches first, then the possible ones. */
function rankDonors(
  own: readonly Int32Array[],
  order: Int32Array,
  { min, minSure }: Pick<Wanted, 'min' | 'minSure'>,
): readonly (readonly number[] | undefined)[] {
  const ranks: number[][] = []
  for (const donor of order) {
    let [least, most] = [0, 0]
    for (const counts of own) {
      const packed = counts[donor] ?? ONE_UNTYPED
      least += packed < ONE_UNTYPED ? leastMatched(packed) : 0
      most += packed < ONE_UNTYPED ? mostMatched(packed) : 0
    }
    if (most < min || least < minSure) continue
    const rank = (MAX_ALLELES - least) * (MAX_ALLELES + 1) + MAX_ALLELES - most
    const list = ranks[rank]
    if (list === undefined) ranks[rank] = [donor]
    else list.push(donor)
  }
  return ranks
}

const MAX_ALLELES = 12

function donorOrder({ ids, size }: Cohort): Int32Array {
  const text = (donor: number) => ids[donor] ?? ''
  return Int32Array.from({ length: size }, (_, donor) => donor).sort((a, b) =>
    text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : a - b,
  )
}

/** `8/10` or `8`, of the alleles that a count has. @throws {HlaError} usage */
export function parseMin(
  flag: string,
  text: string,
): { readonly least: number; readonly count?: MatchCount } {
  const [, number = '', of] = /^(\d{1,2})(?:\/(\d{1,2}))?$/.exec(text) ?? []
  const count = MATCH_COUNTS.find((one) => one === `${of}/${of}`)
  const isKnown = number !== '' && (of === undefined || count !== undefined)
  if (!isKnown || Number(number) > Number(of ?? MAX_ALLELES))
    throw new HlaError(
      'usage',
      `--${flag} is a number of alleles such as 8/10, not ${JSON.stringify(text)}`,
      {
        hint: `alleles are counted by ${MATCH_COUNTS.join(', ')}`,
      },
    )
  return { least: Number(number), ...(count !== undefined && { count }) }
}
